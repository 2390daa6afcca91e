/*
 * A call that appears between the setting of a register variable and the asm
 * would clobber it.
 */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0 */
/* policy: all --param=max-inline-insns-single=0 --param=max-inline-insns-small=0 */
#include "../medium-part.h"

static inline int flat(const int *values, int x)
{
	int sum = values[x] * 3 + (values[x + 1] >> 2) - values[x ^ 5] * values[x + 4];

	return sum > 100 ? sum % values[2] : sum + values[x + 3] * values[x + 5];
}

#ifdef __x86_64__
#define REGISTER "r10"
#else
#define REGISTER "x8"
#endif

/* expect: sys is unchanged */
/* expect: sys does not call flat */
long sys(const int *values, int count)
{
	register long number asm(REGISTER) = flat(values, count);
	register long other asm(REGISTER);

	asm volatile("nop" : "=r"(other) : "r"(number), "r"((long)count));
	return other;
}

/* plain: other does not call flat */
/* expect: other calls flat */
int other(const int *values, int count)
{
	return flat(values, count) + flat(values + 3, count);
}
