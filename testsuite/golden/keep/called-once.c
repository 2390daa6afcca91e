/* A static function with one caller is inlined whatever its size. */
/* policy: func once keep */
extern int work(int x);

/* plain: once is absent */
/* expect: once is present */
/* expect: once has no clone */
static int once(int x)
{
	int sum = 0;

	for (int i = 0; i < x; i++)
		sum += work(i) + work(i + 1) * work(i + 2) + work(sum);
	return sum;
}

/* expect: caller calls once */
int caller(int x)
{
	return once(x) + 1;
}
