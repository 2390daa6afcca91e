/* The later of two lines; `default` after one undoes it. */
/* policy: func a call one noinline */
/* policy: func a call o* inline */
/* policy: func b call one noinline */
/* policy: func b default */
/* policy: func c call o* inline */
/* policy: func c call one noinline */
static int one(int x)
{
	return x + 1;
}

/* expect: a does not call one */
int a(int x)
{
	return one(x) * 3;
}

/* expect: b does not call one */
int b(int x)
{
	return one(x) * 5;
}

/* expect: c calls one */
int c(int x)
{
	return one(x) * 7;
}
