/* Two functions of the same body become one by identical code folding. */
/* policy: func twin_a keep */
extern int work(int x);

#define BODY \
	int sum = 0; \
	for (int i = 0; i < x; i++) \
		sum += work(i) * work(sum + 1) + work(i + 2) - work(sum * 3) * work(i + 7); \
	return work(sum) ^ work(x) ^ work(sum + x)

/* expect: twin_a calls work */
/* expect: twin_a does not call twin_b */
int twin_a(int x)
{
	BODY;
}

/* plain x86_64: twin_b does not call work */
/* expect: twin_b calls work */
/* expect: twin_b does not call twin_a */
int twin_b(int x)
{
	BODY;
}
