/* The optimize attribute builds on the unit's flags as if they came from the command line. */
/* arguments: noguard */
/* policy: all -fno-tree-vectorize --param=max-inline-insns-auto=1000 -fno-omit-frame-pointer */
/* compare: -fno-tree-vectorize --param=max-inline-insns-auto=1000 -fno-omit-frame-pointer */
#include "../big-part.h"

__attribute__((optimize("O3"))) int a(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

__attribute__((optimize("no-tree-ch", "unroll-loops"))) int b(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < 64; i++) {
		out[i] = values[i] * 3;
		sum += out[i];
	}
	return sum;
}

int c(const int *values, int count)
{
	return big(values, count) + big(values + 3, count);
}
