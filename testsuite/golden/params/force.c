/* `force` holds where `leave` does. */
/* policy: func a leave */
/* policy: func a force --param=max-inline-insns-auto=1000 */
/* policy: func b leave */
/* policy: func b --param=max-inline-insns-auto=1000 */
#include "../big-part.h"

/* expect: a does not call big */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

/* expect: b calls big */
int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
