/* And what it undoes is everything: keep, noinline, leave. */
/* policy: func * keep */
/* policy: func small leave */
/* policy: func * default */
/* compare: plain */

/* expect: small is absent */
static int small(int x)
{
	return x + 1;
}

int a(int x)
{
	return small(x);
}
