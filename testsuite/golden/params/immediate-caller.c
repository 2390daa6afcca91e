/* max-inline-insns-auto belongs to the immediate caller: into a, but not below it. */
/* policy: func a --param=max-inline-insns-auto=1000 */
#include "../big-part.h"

static int middle(const int *values, int count)
{
	int sum = big(values, count) + big(values + 3, count + 1) * 2;

	for (int i = 0; i < count; i++)
		sum += values[i] / count ^ values[i + 1] % sum ^ values[i + 7];
	return sum + big(values + 5, count + sum);
}

/* plain: a calls middle */
/* expect: a does not call middle */
/* expect: a calls big */
int a(const int *values, int count)
{
	return middle(values, count) + middle(values + 1, count);
}

/* expect: b is unchanged */
int b(const int *values, int count)
{
	return middle(values, count) + middle(values + 2, count);
}
