/* And to a #pragma GCC optimize. */
/* policy: func a -fno-ipa-sra */
#pragma GCC push_options
#pragma GCC optimize("O3", "unroll-loops")
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
#pragma GCC pop_options

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
