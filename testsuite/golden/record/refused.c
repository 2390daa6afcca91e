/* What is not inlined, GCC's reason, and the limit with its value for this caller. */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=1 */
/* policy: func caller --param=max-inline-insns-auto=2 */
extern int out(int x, int y);

static int large(int x)
{
	return out(x, 1) + out(x, 2) + out(x, 3) + out(x, 4) * out(x, 5);
}

static __attribute__((noinline)) int fenced(int x)
{
	return out(x, 6) + x;
}

int caller(int x)
{
	int y = large(x);	/* record: caller refused large:18 MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=2 */

	return y + fenced(x);	/* record: caller refused fenced:20 FUNCTION_NOT_INLINABLE - */
}

int other(int x)
{
	return large(x + 1);	/* record: other refused large:25 MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=1 */
}

int recursive(int x)
{
	return x ? out(recursive(x - 1), recursive(x - 2)) : 1;	/* record: recursive.* refused recursive:30 \w+ .* */
}
