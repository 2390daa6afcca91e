/* A rule that says `force` gets through the guard. */
/* policy: func enter force --param=max-inline-insns-auto=1000 */
#include "../big-part.h"

/* plain: enter calls big */
/* expect: enter does not call big */
__attribute__((section(".noinstr.text"))) int enter(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

int other(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
