/* A call that the IPA inliner would take stays. */
/* options: -O2 --param=max-inline-insns-auto=1000 */
/* policy: func a call big noinline */
#include "../big-part.h"

/* plain: a does not call big */
/* expect: a calls big */
int a(const int *values, int count)
{
	return big(values, count) + 1;
}

/* expect: b does not call big */
int b(const int *values, int count)
{
	return big(values, count) + 2;
}
