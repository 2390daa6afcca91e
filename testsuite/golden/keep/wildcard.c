/* policy: func sys_* keep */

/* expect: sys_one is present */
static int sys_one(int x)
{
	return x + 1;
}

/* expect: sys_two is present */
static int sys_two(int x)
{
	return x + 2;
}

/* expect: ksys_two is absent */
static int ksys_two(int x)
{
	return x + 3;
}

/* expect: caller calls sys_one */
/* expect: caller calls sys_two */
int caller(int x)
{
	return sys_one(x) + sys_two(x) + ksys_two(x);
}
