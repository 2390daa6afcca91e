/* A caller that is left alone, unless the rule says force. */
/* policy: func a leave */
/* policy: func b leave */
/* policy: func a call big inline */
/* policy: func b call big force inline */
#include "../big-part.h"

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

int more(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}
