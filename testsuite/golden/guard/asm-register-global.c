/* A global register variable (the stack pointer, say) is no reason. */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0 */
/* policy: all --param=max-inline-insns-single=0 --param=max-inline-insns-small=0 */
#include "../medium-part.h"

#ifdef __x86_64__
register unsigned long stack_pointer asm("rsp");
#else
register unsigned long stack_pointer asm("sp");
#endif

unsigned long sp(void)
{
	return stack_pointer;
}

/* plain: other does not call medium */
/* expect: other calls medium */
int other(const int *values, int count)
{
	return medium(values, count) + medium(values + 3, count);
}

int other2(const int *values, int count)
{
	return medium(values, count) + medium(values + 4, count);
}
