/* What the early inliner puts into a function, and what of it is always_inline. */
/* policy: all --param=early-inlining-insns=20 */
/* compare: --param=early-inlining-insns=20 */
extern int out(int x);

static inline int tiny(int x)
{
	return x + 1;
}

static inline __attribute__((always_inline)) int always(int x)
{
	return tiny(x) * 3;	/* record: caller/always early tiny:13 */
}

int caller(int x)
{
	/* record: caller early always:19 */
	return always(out(x));
}

int other(int x)
{
	return tiny(out(x));	/* record: other early tiny:24 */
}

/* No inliner decided on a call of what is not here. */
/* norecord: .*\bout\b.* */
