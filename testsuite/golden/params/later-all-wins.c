/* A later line for all wins over an earlier one for a function. */
/* policy: func a --param=max-inline-insns-auto=1000 */
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
