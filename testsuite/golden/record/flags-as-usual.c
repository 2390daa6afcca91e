/* Of -O2 alone, nothing is told but that. */
/* policy: func no_such keep */
/* record: flags -O2 */
int f(int x)
{
	return x + 1;
}
