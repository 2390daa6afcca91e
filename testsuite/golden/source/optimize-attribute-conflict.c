/* Attribute and rule name the same flag: the policy wins, as over the command line. */
/* policy: func a -fno-unroll-loops */
/* plain: a is unchanged */
/* expect: a is changed */
__attribute__((optimize("unroll-loops"))) int a(const int *values, int count)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum = sum * 3 + values[i];
	return sum;
}
