/* The same when what is inlined there calls something itself. */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0 */
/* policy: all --param=max-inline-insns-single=0 --param=max-inline-insns-small=0 */
#include "../medium-part.h"

#ifdef __x86_64__
#define REGISTER "r10"
#else
#define REGISTER "x8"
#endif

/* expect: sys is unchanged */
/* expect: sys does not call medium */
/* expect: sys does not call leaf */
long sys(const int *values, int count)
{
	register long number asm(REGISTER) = medium(values, count);
	register long other asm(REGISTER);

	asm volatile("nop" : "=r"(other) : "r"(number), "r"((long)count));
	return other;
}

int other(const int *values, int count)
{
	return medium(values, count) + medium(values + 3, count);
}
