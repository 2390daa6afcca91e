/* A call belongs to the function in whose source it stands, wherever that goes. */
/* policy: func mid call big inline */
/* policy: func mid call tiny noinline */
/* expect: big is present */
#include "../big-part.h"

/* expect: tiny is present */
static int tiny(int x)
{
	return x ^ 5;
}

static inline int mid(const int *values, int count)
{
	return tiny(big(values, count));
}

/* plain: a calls big */
/* plain: a does not call tiny */
/* expect: a does not call big */
/* expect: a calls tiny */
int a(const int *values, int count)
{
	return mid(values, count) + 1;
}

/* expect: b calls big */
/* expect: b does not call tiny */
int b(const int *values, int count)
{
	return tiny(big(values, count)) + 2;
}

int more(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}
