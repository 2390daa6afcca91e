/* A section's functions with a parameter of their own. */
/* policy: section .init.text --param=max-inline-insns-auto=1000 */
#include "../big-part.h"

/* plain: a calls big */
/* expect: a does not call big */
__attribute__((section(".init.text"))) int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

/* expect: b calls big */
/* expect: b is unchanged */
int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
