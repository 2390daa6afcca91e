/* With `strict` what cannot hold is an error, at the rule. */
/* arguments: strict */
/* policy: func a call stays inline */ /* error: 19: 'inline' cannot hold for the calls of 'stays' in 'a': a rule or its source says keep or noinline */
/* policy: func a call forced noinline */ /* error: 20: 'noinline' cannot hold for the calls of 'forced' in 'a': it is always_inline */
static __attribute__((noinline)) int stays(int x)
{
	return x + 3;
}

static inline __attribute__((always_inline)) int forced(int x)
{
	return x + 2;
}

int a(int x)
{
	return stays(x) + forced(x);
}
