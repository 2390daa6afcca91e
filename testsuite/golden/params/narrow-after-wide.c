/* All get it, one function gets its old value back. */
/* policy: all --param=max-inline-insns-auto=1000 */
/* policy: func b --param=max-inline-insns-auto=15 */
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
