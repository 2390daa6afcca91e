/* A function that is split: the part is a clone. */
/* policy: func no_such keep */
/* compare: plain */
extern int out(int x, int y);
extern int done;

/* record: seldom.part.0 part seldom */
int seldom(int x)
{
	if (__builtin_expect(done, 1))
		return 0;
	x = out(x, 1) + out(x, 2) + out(x, 3) + out(x, 4) + out(x, 5) + out(x, 6);
	return out(x, 1) + out(x, 2) + out(x, 3) + out(x, 4) + out(x, 5) + out(x, 6);
}

int caller(int x)
{
	return seldom(x) + seldom(x + 1);
}
