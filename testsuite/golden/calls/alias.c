/* By another name of the function: the rule names what the source calls. */
/* policy: func a call other inline */
#define static
#define big name
#include "../big-part.h"
#undef static

extern __attribute__((alias("name"))) int other(const int *values, int count);

/* plain: a has name|other */
/* expect: a lacks name|other */
int a(const int *values, int count)
{
	return other(values, count) + 1;
}

/* expect: b has name|other */
int b(const int *values, int count)
{
	return name(values, count) + 2;
}
