/* arguments: strict */
/* policy: func never inline */ /* error: 12: 'inline' cannot hold for 'never' .*: its source says noinline */
static __attribute__((noinline)) int never(int x)
{
	return x + 1;
}

int a(int x)
{
	return never(x);
}
