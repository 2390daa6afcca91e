/* Rules one in the other: the inner one comes along. */
/* policy: func a call mid inline */
/* policy: func mid call big inline */
/* plain: mid is present */
#include "../big-part.h"

extern int out(const int *values);

static int mid(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += big(values + i, count) * out(values) + out(values + 2) / (out(values + 3) | 1);
	return sum;
}

/* plain: a calls mid */
/* expect: a does not call mid */
/* expect: a does not call big */
int a(const int *values, int count)
{
	return mid(values, count) + 1;
}

/* expect: b calls mid */
int b(const int *values, int count)
{
	return mid(values, count) + 2;
}

/* expect: c calls big */
int c(const int *values, int count)
{
	return big(values, count) + 3;
}

int more(const int *values, int count)
{
	return mid(values, count) + mid(values + 1, count) + big(values, count) + big(values + 2, count);
}
