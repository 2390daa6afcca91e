/* A global function stays for others, but nobody here calls it. */
/* policy: func big inline */
/* expect: big is present */
#define static
#include "../big-part.h"
#undef static

/* plain: a calls big */
/* expect: a does not call big */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}
