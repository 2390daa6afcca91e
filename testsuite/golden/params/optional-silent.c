/* Without `verbose` nothing is said about it. */
/* policy: all ?--param=does-not-exist=1 */
/* policy: func a ?--param=does-not-exist-either=1 */
/* compare: plain */
int a(int x)
{
	return x;
}
