/* A function that calls itself is inlined into itself and copied for its argument. */
/* policy: func down keep */
/* options: -O3 */
extern int work(int x);

/* plain: down is absent */
/* expect: down is present */
/* expect: down has no clone */
/* expect: down calls down */
static int down(int depth, int width)
{
	if (depth <= 0)
		return work(width);
	return down(depth - 1, width) + down(depth - 2, width) + work(depth);
}

/* expect: caller calls down */
int caller(void)
{
	return down(4, 3);
}
