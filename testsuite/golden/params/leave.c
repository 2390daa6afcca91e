/* Hands off: no line changes the function, before or after. */
/* policy: func a leave */
/* policy: all --param=max-inline-insns-auto=1000 */
/* policy: func a --param=early-inlining-insns=1000 */
#include "../big-part.h"

/* expect: a calls big */
/* expect: a is unchanged */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

/* expect: b does not call big */
int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
