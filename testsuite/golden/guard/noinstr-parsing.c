/* A flag that the front end itself reads must not reach it either. */
/* policy: func * -fwrapv */
/* expect: enter is unchanged */
__attribute__((section(".noinstr.text"))) int enter(int x)
{
	return x + 1 > x;
}

/* expect: other is changed */
int other(int x)
{
	return x + 1 > x;
}
