/* always_inline functions too: GCC would stop with an error if it could not. */
/* policy: func forced_set --param=max-inline-insns-auto=16 */
/* policy: func caller_set --param=max-inline-insns-auto=17 -fno-ipa-sra */

static inline __attribute__((always_inline)) int forced_set(int x)
{
	return x + 1;
}

static inline __attribute__((always_inline)) int forced(int x)
{
	return x + 2;
}

/* expect: caller_set is unchanged */
int caller_set(int x)
{
	return forced(x) + forced_set(x);
}

/* expect: caller is unchanged */
int caller(int x)
{
	return forced(x) + forced_set(x);
}
