/* Not inlined, but otherwise GCC may do as it likes. */
/* policy: func small noinline */

/* plain: small is absent */
/* expect: small has a clone */
static int small(int x, int unused)
{
	return x + 1;
}

/* expect: a does not call small */
int a(int x, int y)
{
	return small(x, y) + small(x + 2, 3);
}
