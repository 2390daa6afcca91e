/* Two lines set one flag: the later wins. */
/* arguments: noguard */
/* policy: all --param=max-inline-insns-auto=1000 */
/* policy: all --param=max-inline-insns-auto=15 */
/* compare: plain */
#include "../big-part.h"

/* expect: a calls big */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
