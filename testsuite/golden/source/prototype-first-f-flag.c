/* A flag that is no parameter, for a function with a prototype. */
/* policy: func a -funroll-loops */
int a(const int *values, int *out);

/* expect: a is changed */
int a(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < out[0]; i++)
		sum = sum * 3 + values[i];
	return sum;
}

/* expect: b is unchanged */
int b(const int *values, int *out)
{
	int sum = 0;

	for (int i = 0; i < out[1]; i++)
		sum = sum * 5 + values[i];
	return sum;
}
