/* A function that GCC inlines at -O2, and does not with the inline parameters at 0. */
static inline int leaf(const int *values, int x)
{
	return values[x] * 3 + (values[x + 1] >> 2) - values[x ^ 5] * values[x + 4];
}

static inline int medium(const int *values, int x)
{
	int sum = leaf(values, x) ^ leaf(values, x + 11);

	return sum > 100 ? sum % values[2] : sum + values[x + 3];
}
