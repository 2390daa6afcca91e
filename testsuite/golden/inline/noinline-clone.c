/* noinline alone leaves a function free to be copied with other arguments; keep does not. */
/* policy: func scaled noinline */
/* policy: func kept keep */

/* expect: scaled has a clone */
static int scaled(const int *values, int count, int factor)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += values[i] * factor + (factor > 4 ? values[i] / factor : i);
	return sum;
}

/* expect: kept has no clone */
static int kept(const int *values, int count, int factor)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += values[i] * factor - (factor > 4 ? values[i] / factor : i);
	return sum;
}

int a(const int *values, int count)
{
	return scaled(values, count, 7) ^ scaled(values + 1, count, 7) ^
	       kept(values, count, 7) ^ kept(values + 1, count, 7);
}
