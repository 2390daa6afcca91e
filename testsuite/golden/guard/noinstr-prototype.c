/* The section stands on a prototype; the parameters are raised. */
/* policy: all --param=max-inline-insns-auto=1000 */
int enter(const int *values, int count) __attribute__((section(".entry.text")));
#include "../big-part.h"

/* expect: enter calls big */
/* expect: enter is unchanged */
int enter(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

/* Whether enter takes big depends on what other does. */
/* expect: other is unchanged */
int other(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
