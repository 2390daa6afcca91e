/* Whether helper goes into enter depends on what other does with it: other is left alone too. */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0 */
/* policy: all --param=max-inline-insns-single=0 --param=max-inline-insns-small=0 */
#define noinstr __attribute__((noinline, section(".noinstr.text"), no_instrument_function))

extern int table[];

static inline int helper(int count, int mode)
{
	int sum = 0;

	for (int i = 0; i < count; i++) {
		sum += table[i] * mode + table[i + 1] / (mode + 3);
		sum ^= table[count - i] << (mode & 7);
		if (sum > 100)
			sum -= table[sum & 7] * 3;
		if (sum < -100)
			sum += table[-sum & 7] / 5;
	}
	return sum;
}

/* plain: enter does not call helper */
/* expect: enter does not call helper */
/* expect: enter is unchanged */
noinstr __attribute__((cold)) int enter(int count, int mode)
{
	return helper(count, mode);
}

int other(int count)
{
	return helper(count, 2);
}
