/* A flag that is no parameter adds to an optimize attribute as well: nothing of it is lost. */
/* policy: func a -fno-ipa-sra */
/* policy: func c -fno-ipa-sra */
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

int c(const int *values, int *out) __attribute__((optimize("O3", "unroll-loops")));
/* expect: c is unchanged */
int c(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < 64; i++) {
		out[i] = values[i] * 3;
		sum += out[i];
	}
	return sum;
}
