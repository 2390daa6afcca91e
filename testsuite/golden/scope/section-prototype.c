/* policy: section .init.* noinline */
static int early(int x) __attribute__((section(".init.text")));

/* expect: early is present */
static int early(int x)
{
	return x + 1;
}

int a(int x)
{
	return early(x) + early(x + 1);
}
