/* The cold part of a function is a symbol of its own, and its calls are made from there. */
/* policy: func careful keep */
extern void cry(const char *) __attribute__((cold));
extern int work(int x);

/* plain x86_64: careful has a clone */
/* expect: careful has no clone */
int careful(int x)
{
	int sum = work(x);

	if (sum < 0) {
		cry("below");
		sum = work(sum);
		cry("again");
	}
	return sum + work(sum) * 3;
}
