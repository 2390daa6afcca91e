/* A function inside of a function has a rule of its own, by its own name. */
/* policy: func inner noinline */
/* expect: outer calls inner.0 */
int outer(int x)
{
	int inner(int y)
	{
		return y + x;
	}

	return inner(x) + inner(2);
}
