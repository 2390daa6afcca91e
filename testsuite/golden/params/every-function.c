/* `func *` is the flag on the command line. */
/* arguments: noguard */
/* policy: func * --param=max-inline-insns-auto=1000 --param=early-inlining-insns=30 */
/* compare: --param=max-inline-insns-auto=1000 --param=early-inlining-insns=30 */
#include "../big-part.h"

/* plain: a calls big */
/* expect: a does not call big */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
