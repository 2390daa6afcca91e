/* By another name of the function: the rule names what is called. */
/* policy: func a call other inline */
#include "../big-part.h"
int name(const int *values, int count)
{
	return big(values, count);
}

extern __attribute__((alias("name"))) int other(const int *values, int count);

/* expect: a does not call name */
/* expect: a does not call other */
int a(const int *values, int count)
{
	return other(values, count) + 1;
}

int b(const int *values, int count)
{
	return big(values, count) + 2;
}
