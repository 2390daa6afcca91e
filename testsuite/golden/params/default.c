/* `default` forgets what earlier lines said, for the functions it names. */
/* policy: all --param=max-inline-insns-auto=1000 */
/* policy: func b default */
#include "../big-part.h"

/* expect: a does not call big */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

/* expect: b calls big */
/* expect: b is unchanged */
int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
