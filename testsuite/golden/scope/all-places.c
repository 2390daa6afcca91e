// Every place of a line must hold.
// policy: file **/scope/all-places.c func one keep
// policy: file **/scope/other.c func two keep
/* policy: on * file ** func three keep */

/* expect: one is present */
static int one(int x)
{
	return x + 1;
}

/* expect: two is absent */
static int two(int x)
{
	return x + 2;
}

/* expect: three is present */
static int three(int x)
{
	return x + 3;
}

int a(int x)
{
	return one(x) + two(x) + three(x);
}
