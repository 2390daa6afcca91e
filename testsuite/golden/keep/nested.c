/* A kept function in the middle of a chain: what it calls may be inlined into it. */
/* policy: func middle keep */

/* expect: leaf is absent */
static int leaf(int x)
{
	return x * 5;
}

/* expect: middle is present */
static int middle(int x)
{
	return leaf(x) + 1;
}

/* expect: top calls middle */
int top(int x)
{
	return middle(x) + 2;
}
