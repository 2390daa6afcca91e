/* noinline does not weaken a keep. */
/* policy: func member keep */
/* policy: func member noinline */
struct pair {
	long first;
	int second;
};

/* expect: member has no clone */
static int member(const struct pair *pair, int unused)
{
	return pair->second * 3;
}

/* expect: a calls member */
int a(const struct pair *one, const struct pair *other)
{
	return member(one, 1) + member(other, 2);
}
