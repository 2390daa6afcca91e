/* The optimize attribute stands on an earlier prototype. */
/* policy: func a --param=ipa-cp-eval-threshold=501 */
int a(const int *values, int *out) __attribute__((optimize("O3", "unroll-loops")));

/* expect: a is unchanged */
int a(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < 64; i++) {
		out[i] = values[i] * 3;
		sum += out[i];
	}
	return sum;
}
