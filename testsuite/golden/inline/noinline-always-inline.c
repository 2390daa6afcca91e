/* policy: func forced noinline */ /* warning: 13: 'noinline' cannot hold for 'forced' .*: it is always_inline */
/* compare: plain */
static inline __attribute__((always_inline)) int forced(int x)
{
	return x + 1;
}

int a(int x)
{
	return forced(x);
}
