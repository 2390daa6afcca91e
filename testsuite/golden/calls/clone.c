/* A clone is a call of what it is made of. */
/* options: -O3 -fno-inline-functions-called-once --param=max-inline-insns-auto=1 --param=max-inline-insns-small=0 --param=inline-min-speedup=100 --param=early-inlining-insns=0 */
/* policy: func a call ranged inline */
extern int out(int x, int y);

/* plain: ranged has a clone */
static int ranged(int x, int always_seven)
{
	for (int i = 0; i < x; i++)
		out(x * always_seven, always_seven + i);
	return out(x, always_seven) + out(always_seven, x) * out(x + 2, 3) + out(always_seven + 9, x);
}

/* plain: a calls ranged.constprop.0 */
/* expect: a does not call ranged.constprop.0 */
int a(int x)
{
	return ranged(x, 7) + 1;
}

/* expect: b calls ranged.constprop.0 */
int b(int x)
{
	return ranged(x, 7) + ranged(x + 1, 7);
}
