/* A function with one caller, which is inlined there unless a rule says no. */
/* policy: func a call big noinline */
/* plain: big is absent */
/* expect: big is present */
#include "../big-part.h"

/* expect: a calls big */
int a(const int *values, int count)
{
	return big(values, count) + 1;
}
