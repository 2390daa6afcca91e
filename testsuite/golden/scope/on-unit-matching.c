/* arguments: noguard */
/* target: aarch64 */
/* policy: on aarch64 --param=max-inline-insns-auto=1000 */
/* compare: --param=max-inline-insns-auto=1000 */
#include "../big-part.h"

int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
