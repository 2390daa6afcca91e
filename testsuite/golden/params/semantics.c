/* -fwrapv decides how the front end folds while it parses: it must hold from the declarator on. */
/* policy: func a -fwrapv */
/* expect: a is changed */
int a(int x)
{
	return x + 1 > x;
}

/* expect: b is unchanged */
int b(int x)
{
	return x + 1 > x;
}
