/* A parameter for a function that also has an optimize attribute takes effect. */
/* policy: func a --param=max-inline-insns-auto=1000 */
#include "../big-part.h"

/* plain: a calls big */
/* expect: a does not call big */
__attribute__((optimize("no-tree-ch"))) int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

/* expect: b is unchanged */
int b(const int *values, int count)
{
	return big(values, count) ^ big(values + 1, count);
}
