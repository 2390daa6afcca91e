/* The plugin's warnings are not GCC's: -Werror does not turn them into errors. */
/* options: -O2 -Wall -Werror */
/* policy: func forced keep */ /* warning: 13: 'keep' cannot hold for 'forced' */
static inline __attribute__((always_inline)) int forced(int x)
{
	return x + 1;
}

int caller(int x)
{
	return forced(x);
}
