/* The source says noinline, for a reason that the policy cannot know. */
/* policy: func never inline */ /* warning: 12: 'inline' cannot hold for 'never' \(.*source-noinline.c:4\): its source says noinline */
/* compare: plain */
static __attribute__((noinline)) int never(int x)
{
	return x + 1;
}

/* expect: a calls never */
int a(int x)
{
	return never(x);
}
