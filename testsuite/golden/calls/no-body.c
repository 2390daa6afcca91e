/* What is not here cannot be inlined: an error with `strict`, unless a pattern may mean other units. */
/* arguments: strict */
/* policy: func a call elsewhere inline */ /* error: 23: 'inline' cannot hold for the calls of 'elsewhere' in 'a': it has no body here */
/* policy: func b call elsewher[e] inline */
int elsewhere(int x);

int a(int x)
{
	return elsewhere(x);
}

int b(int x)
{
	return elsewhere(x);
}
