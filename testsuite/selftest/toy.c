/* Compiled by the self-test; with_attribute brings an optimization node of its own. */
int plain(int x)
{
	return x + 1;
}

__attribute__((optimize("unroll-loops"))) int with_attribute(int x)
{
	return x + 2;
}
