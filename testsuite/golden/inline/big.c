/* `inline` takes a big function with many callers: all calls vanish. */
/* policy: func big inline */
/* plain: big is present */
/* expect: big is absent */
#include "../big-part.h"

int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

int b(const int *values, int count)
{
	return big(values, count) + big(values + 2, count);
}
