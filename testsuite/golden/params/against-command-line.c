/* The policy wins over the command line's own parameter. */
/* options: -O2 --param=max-inline-insns-auto=1000 */
/* policy: all --param=max-inline-insns-auto=15 */
#include "../big-part.h"

/* plain: a does not call big */
/* expect: a calls big */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
