/* A call through a pointer is no call of the function; a pointer to it stays good. */
/* policy: func a call big inline */
#include "../big-part.h"

/* expect: big is present */
int (*pointer)(const int *values, int count) = big;

/* expect: a does not call big */
int a(const int *values, int count)
{
	return big(values, count) + pointer(values, count);
}
