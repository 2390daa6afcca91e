/* A rule on one caller changes that caller and nothing else of the unit. */
/* policy: func a --param=max-inline-insns-auto=1000 */
#include "../big-part.h"

/* plain: a calls big */
/* expect: a does not call big */
/* expect: a is changed */
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

/* expect: c is unchanged */
int c(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}
