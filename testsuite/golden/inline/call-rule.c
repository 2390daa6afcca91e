/* Rules for single calls: read, but not yet applied, which is said and not passed over. */
/* policy: func a call small noinline */ /* error: 19: rules for single calls \('call'\) are not applied */
static int small(int x)
{
	return x + 1;
}

int a(int x)
{
	return small(x);
}
