/* A global function is copied for callers with constant arguments, and they no longer call it. */
/* policy: func scaled keep */
/* options: -O3 */

/* plain: scaled has a clone */
/* expect: scaled has no clone */
__attribute__((noinline)) int scaled(const int *values, int count, int factor, int shift)
{
	int sum = 0;

	for (int i = 0; i < count; i++) {
		sum += factor == 7 ? values[i] << shift : values[i] / factor;
		if (factor > 100)
			sum ^= values[i] % factor;
	}
	return sum;
}

/* plain: caller does not call scaled */
/* expect: caller calls scaled */
int caller(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += scaled(values, count, 7, 2) ^ scaled(values + 1, count, 7, 2);
	return sum;
}
