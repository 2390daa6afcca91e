/* IPA-SRA passes the member instead of the pointer, to a function of another name. */
/* policy: func member keep */
struct pair {
	long first;
	int second;
};

/* plain: member has a clone */
/* expect: member is present */
/* expect: member has no clone */
static __attribute__((noinline)) int member(const struct pair *pair, int unused)
{
	return pair->second * 3;
}

/* expect: caller calls member */
int caller(const struct pair *one, const struct pair *other)
{
	return member(one, 1) + member(other, 2);
}
