/* What the IPA inliner puts into a function, copy within copy. */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=100 */
/* compare: --param=early-inlining-insns=0 --param=max-inline-insns-auto=100 */
extern int out(int x, int y);

static int leaf(int x)
{
	return out(x, 1) + out(x, 2) + out(x, 3);
}

static int middle(int x)
{
	return out(x, 4) * leaf(x);	/* record: root/middle inlined leaf:13 */
}

int root(int x)
{
	return middle(x) + 5;	/* record: root inlined middle:18 */
}

/* record: leaf size [0-9]+ gone */
/* record: root size [0-9]+ [0-9]+ */
/* norecord: (leaf|middle) code .* */
