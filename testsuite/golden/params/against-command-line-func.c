/* For one function likewise; the other one keeps what the command line says. */
/* options: -O2 --param=max-inline-insns-auto=1000 */
/* policy: func a --param=max-inline-insns-auto=15 */
#include "../big-part.h"

/* plain: a does not call big */
/* expect: a calls big */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

/* expect: b does not call big */
int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
