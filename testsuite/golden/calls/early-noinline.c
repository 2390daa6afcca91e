/* A call that the early inliner would take stays; another caller's is its own to decide. */
/* policy: func a call small noinline */
/* plain: small is absent */
/* expect: small is present */
static int small(int x)
{
	return x + 1;
}

/* expect: a calls small */
int a(int x)
{
	return small(x) * 3;
}

/* expect: b does not call small */
int b(int x)
{
	return small(x) * 5;
}
/* record: a ruled small noinline */
/* record: a refused small:13 FUNCTION_NOT_INLINABLE - */
/* norecord: b refused small */
