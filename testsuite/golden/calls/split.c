/* A function that GCC splits: its head goes where the call is, and the part is of that call. */
/* policy: func a call head inline */
/* policy: func b call head noinline */
int use(int);
extern int table[];

static int head(int n)
{
	int sum = 0;

	if (__builtin_expect(n > 100, 1))
		return 0;
	for (int i = 0; i < n; i++) {
		sum += use(table[i] * 3) + use(table[i + 1] >> 2);
		if (sum & 64)
			sum ^= use(sum);
		sum += table[i] / (i + 1);
	}
	return sum;
}

/* plain: a calls head.part.0 */
/* expect: a does not call head.part.0 */
/* expect: a does not call head */
int a(int n)
{
	return head(n) + 1;
}

/* expect: b calls head */
int b(int n)
{
	return head(n + 1) + 2;
}

/* expect: d calls head.part.0 */
int d(int n)
{
	return head(n + 2) + 3;
}
