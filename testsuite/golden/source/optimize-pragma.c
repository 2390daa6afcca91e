/* The same for #pragma GCC optimize, push and pop included. */
/* arguments: noguard */
/* policy: all -fno-tree-vectorize --param=max-inline-insns-auto=1000 -fno-omit-frame-pointer */
/* compare: -fno-tree-vectorize --param=max-inline-insns-auto=1000 -fno-omit-frame-pointer */
#include "../big-part.h"

#pragma GCC push_options
#pragma GCC optimize("O3", "unroll-loops")
int a(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < 64; i++) {
		out[i] = values[i] * 3;
		sum += out[i];
	}
	return sum;
}
#pragma GCC pop_options

int b(const int *values, int count)
{
	return big(values, count) + big(values + 1, count);
}

int c(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < 64; i++) {
		out[i] = values[i] * 3;
		sum += out[i];
	}
	return sum;
}
