/* A unit flag that the front end reads, taken away again for one function. */
/* policy: all -fwrapv */
/* policy: func a default */
/* expect: a is unchanged */
int a(int x)
{
	return x + 1 > x;
}

/* expect: b is changed */
int b(int x)
{
	return x + 1 > x;
}
