/* A code generation flag that is no parameter, for one function. */
/* options: -O2 -falign-functions=64 */
/* policy: func a -funroll-loops */

/* expect: a is changed */
int a(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum = sum * 3 + values[i];
	return sum;
}

/* expect: b is unchanged */
int b(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum = sum * 5 + values[i];
	return sum;
}
