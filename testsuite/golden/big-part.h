/* A function that GCC does not inline at -O2 by itself, and inlines with max-inline-insns-auto=1000. */
static int big(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++) {
		sum += values[i] * 3 + (values[i] >> 2);
		if (sum & 64)
			sum ^= values[i] % 7;
		if (sum > 1000)
			sum -= values[i] / (i + 1);
		else
			sum += values[i + 1] ^ (values[i + 2] * 5);
	}
	return sum;
}
