/* What cannot be inlined stays a call, and is no error as with always_inline. */
/* policy: func variadic inline */
int variadic(int count, ...)
{
	__builtin_va_list list;
	int sum = 0;

	__builtin_va_start(list, count);
	while (count--)
		sum += __builtin_va_arg(list, int);
	__builtin_va_end(list);
	return sum;
}

/* expect: a calls variadic */
int a(int x)
{
	return variadic(2, x, 3);
}
