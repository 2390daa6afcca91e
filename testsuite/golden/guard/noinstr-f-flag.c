/* The guard against a flag that is no parameter: by definition and by prototype. */
/* policy: func * -funroll-loops */
/* expect: enter is unchanged */
__attribute__((section(".noinstr.text"))) int enter(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum = sum * 3 + values[i];
	return sum;
}

int leave(const int *values, int count) __attribute__((section(".noinstr.text")));
/* expect: leave is unchanged */
int leave(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum = sum * 5 + values[i];
	return sum;
}

/* expect: other is changed */
int other(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum = sum * 7 + values[i];
	return sum;
}
