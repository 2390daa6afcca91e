/* A call that no limit allows; the same function elsewhere is none of the rule's business. */
/* policy: func a call big inline */
/* expect: big is present */
#include "../big-part.h"

/* plain: a calls big */
/* expect: a does not call big */
int a(const int *values, int count)
{
	return big(values, count) + 1;	/* record: a inlined big:10 */
}

/* expect: b calls big */
int b(const int *values, int count)
{
	return big(values, count) + 2;
}
/* record: a ruled big inline */
/* norecord: b ruled big inline */

int more(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}
