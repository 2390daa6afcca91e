/* policy: func never inline */ /* warning: 12: 'inline' cannot hold for 'never' .*: its source says noinline */
static __attribute__((noinline)) int never(int x);

static int never(int x)
{
	return x + 1;
}

/* expect: a calls never */
int a(int x)
{
	return never(x);
}
