/* What was left alone is said under `verbose`. */
/* arguments: verbose */
/* policy: func * --param=max-inline-insns-auto=16 */
/* message: ^kiln: note: unit .*guard/verbose.c */
/* message: <built-in guard>:\d+:\d+: note: left alone: enter$ */
/* message: ^kiln: note: left alone: helper, it may be inlined into a function left alone */
/* message: ^kiln: note: 3 functions, 1 of them with other flags than the unit */
static int helper(int x)
{
	return x + 1;
}

__attribute__((section(".noinstr.text"))) int enter(int x)
{
	return helper(x);
}

int other(int x)
{
	return x;
}
