/* arguments: strict */
/* policy: func forced keep */ /* error: 13: 'keep' cannot hold for 'forced' */
static inline __attribute__((always_inline)) int forced(int x)
{
	return x + 1;
}

int caller(int x)
{
	return forced(x);
}
