/* A definition in the old style. */
/* options: -O2 -std=gnu89 */
/* policy: func a --param=max-inline-insns-auto=1000 */
static int big(values, count)
	const int *values;
	int count;
{
	int i, sum = 0;

	for (i = 0; i < count; i++) {
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

/* expect: a does not call big */
int a(values, count)
	const int *values;
	int count;
{
	return big(values, count) + 1;
}

/* expect: b calls big */
int b(values, count)
	const int *values;
	int count;
{
	return big(values, count) + big(values + 2, count);
}
