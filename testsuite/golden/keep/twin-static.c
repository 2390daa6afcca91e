/* Static twins whose address nobody takes become one function with two names, or one. */
/* policy: func twin_* keep */
extern int work(int x);

/* expect: twin_a is no alias */
static __attribute__((noinline)) int twin_a(int x)
{
	return work(x) * 3 + work(x + 1);
}

/* plain: twin_b is an alias */
/* expect: twin_b is no alias */
static __attribute__((noinline)) int twin_b(int x)
{
	return work(x) * 3 + work(x + 1);
}

/* expect: caller calls twin_a */
/* expect: caller calls twin_b */
int caller(int x)
{
	return twin_a(x) + twin_b(x + 1);
}
