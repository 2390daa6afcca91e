/* A function that calls itself: GCC decides, and the policy is told. */
/* policy: func down inline */
/* message: ^test.policy:1:11: warning: 'inline' cannot hold for 'down' .*: it is recursive */
static int down(int x)
{
	return x <= 0 ? 1 : x * down(x - 1) + down(x - 2);
}

/* expect: a is present */
int a(int x)
{
	return down(x);
}
