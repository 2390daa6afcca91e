/* A forced line is what remains for a unit that is left alone. */
/* policy: all leave */
/* policy: func b force --param=max-inline-insns-auto=1000 */
#include "../big-part.h"

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
