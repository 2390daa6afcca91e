/* The later of two lines that contradict each other. */
/* policy: func one inline */
/* policy: func one noinline */
/* policy: func other noinline */
/* policy: func other inline */

/* expect: one is present */
static int one(int x)
{
	return x + 1;
}

/* expect: other is absent */
static int other(int x)
{
	return x + 2;
}

int a(int x)
{
	return one(x) + other(x);
}
