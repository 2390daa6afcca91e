/* A rule for a function with an optimize attribute adds to it: what it does not name stays. */
/* policy: func a --param=ipa-cp-eval-threshold=501 */
/* expect: a is unchanged */
__attribute__((optimize("O3", "unroll-loops"))) int a(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < 64; i++) {
		out[i] = values[i] * 3;
		sum += out[i];
	}
	return sum;
}

/* expect: b is unchanged */
int b(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < 64; i++) {
		out[i] = values[i] * 3;
		sum += out[i];
	}
	return sum;
}
