/* A whole unit is left alone. */
/* policy: all --param=max-inline-insns-auto=1000 */
/* policy: func b --param=max-inline-insns-auto=1000 */
/* policy: all leave */
/* compare: plain */
#include "../big-part.h"

int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
