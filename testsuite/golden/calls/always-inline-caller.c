/* The calls of an always_inline function, which GCC looks at where that has gone at once. */
/* policy: func mid call tiny noinline */
/* plain: tiny is absent */
/* expect: tiny is present */
static int tiny(int x)
{
	return x ^ 5;
}

static inline __attribute__((always_inline)) int mid(int x)
{
	return tiny(x) + 1;
}

/* expect: a calls tiny */
int a(int x)
{
	return mid(x) * 3;
}

/* expect: b does not call tiny */
int b(int x)
{
	return tiny(x) * 5;
}
