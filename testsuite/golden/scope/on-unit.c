/* A rule for the other architecture does nothing. */
/* target: x86_64 */
/* policy: on aarch64 --param=max-inline-insns-auto=1000 */
/* policy: on arm64 func a --param=max-inline-insns-auto=1000 */
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
