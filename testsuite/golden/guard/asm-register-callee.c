/* Inlined into another function, it takes the danger there: that one may not change either. */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0 */
/* policy: all --param=max-inline-insns-single=0 --param=max-inline-insns-small=0 */
/* policy: func sys inline */
#include "../medium-part.h"

#ifdef __x86_64__
#define REGISTER "r10"
#else
#define REGISTER "x8"
#endif

static __attribute__((always_inline)) inline long sys(const int *values, int count)
{
	register long number asm(REGISTER) = medium(values, count);
	register long other asm(REGISTER);

	asm volatile("nop" : "=r"(other) : "r"(number), "r"((long)count));
	return other;
}

/* expect: outer does not call medium */
/* expect: outer does not call leaf */
/* expect: outer does not call sys */
int outer(const int *values, int count)
{
	return sys(values, count) + sys(values + 3, count);
}
