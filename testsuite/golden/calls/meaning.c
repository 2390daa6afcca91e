/* What overflows means something else in one of the two. */
/* policy: func a call other inline */
/* policy: func other -fwrapv */
/* record: a ruled other inline: the two have different flags, and statements mean something else in one of them */
/* expect: a calls other */
static int other(int x)
{
	return x + 1 > x;
}

int a(int x)
{
	return other(x);
}
