/* A call by an alias is one of the function, and by its name alone: that is what records know. */
/* policy: func a call name inline */
/* policy: func b call other inline */
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
	return other(values, count) + 2;
}
