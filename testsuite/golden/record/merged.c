/* Twins that ICF merges: one is only another name of the other. */
/* policy: func no_such keep */
/* compare: plain */
extern int out(int x, int y);

/* plain: two is an alias */
/* record: two merged one */
static __attribute__((noinline)) int one(int x)
{
	return out(x, 1) * 3 + out(x + 1, 2);
}

static __attribute__((noinline)) int two(int x)
{
	return out(x, 1) * 3 + out(x + 1, 2);
}

int caller(int x)
{
	return one(x) * two(x + 1);
}
