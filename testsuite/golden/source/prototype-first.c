/* A prototype before the definition, as headers have them: the setting must survive. */
/* policy: func a --param=max-inline-insns-auto=1000 */
int a(const int *values, int count);
#include "../big-part.h"

/* plain: a calls big */
/* expect: a does not call big */
int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

/* expect: b calls big */
int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
