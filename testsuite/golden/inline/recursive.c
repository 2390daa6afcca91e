/* A function that calls itself: inlined where it can be, not for ever. */
/* policy: func down inline */
static int down(int x)
{
	return x <= 0 ? 1 : x * down(x - 1) + down(x - 2);
}

/* expect: a is present */
int a(int x)
{
	return down(x);
}
