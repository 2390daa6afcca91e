/* ipa-split leaves the rare part out of line as walk.part.0 and inlines the test. */
/* policy: func walk keep */
extern int slow(int x);

/* plain: walk has a clone */
/* expect: walk is present */
/* expect: walk has no clone */
static int walk(int *list, int count)
{
	int sum = 0;

	if (__builtin_expect(!list, 1))
		return -1;
	for (int i = 0; i < count; i++) {
		sum += slow(list[i]) * slow(i) + slow(sum);
		if (slow(sum) > 100)
			sum -= slow(list[i] + 3) + slow(sum ^ i);
	}
	return sum;
}

/* expect: first calls walk */
int first(int *list)
{
	return walk(list, 7) + 1;
}

/* expect: second calls walk */
int second(int *list, int count)
{
	return walk(list, count) + 2;
}
