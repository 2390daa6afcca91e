/* By parameters alone, in one unit with callers outside of the section. */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0 */
/* policy: all --param=max-inline-insns-single=0 --param=max-inline-insns-small=0 */
#include "../medium-part.h"

/* expect: enter does not call medium */
/* expect: enter is unchanged */
__attribute__((section(".noinstr.text"), noinline)) int enter(const int *values, int count)
{
	return medium(values, count) + medium(values + 1, count);
}

/* plain: other does not call medium */
/* expect: other calls medium */
int other(const int *values, int count)
{
	return medium(values, count) + medium(values + 3, count);
}
