/* Out of line, an always_inline function is wrong code: keep gives way and says so. */
/* policy: func force* keep */ /* warning: 13: 'keep' cannot hold for 'forced\w*' \(.*always-inline.c:(5|11)\): it is always_inline */
/* compare: plain */
/* expect: forced is absent */
static inline __attribute__((always_inline)) int forced(int x)
{
	return x + 1;
}

/* Told once per line of the policy. */
static inline __attribute__((always_inline)) int forced_too(int x)
{
	return x + 2;
}

/* expect: caller is present */
int caller(int x)
{
	return forced(x) + forced_too(x);
}
