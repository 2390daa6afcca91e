/* Rules for functions that are not there change nothing. */
/* policy: func no_such call big inline */
/* policy: func a call no_such inline */
/* policy: file other.c func a call big inline */
/* compare: plain */
#include "../big-part.h"

int a(const int *values, int count)
{
	return big(values, count) + 1;
}
