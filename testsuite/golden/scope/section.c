/* policy: section .init.text keep */
/* expect: early is present */
static __attribute__((section(".init.text"))) int early(int x)
{
	return x + 1;
}

/* expect: late is absent */
static int late(int x)
{
	return x + 2;
}

/* expect: a calls early */
__attribute__((section(".init.text"))) int a(int x)
{
	return early(x) + late(x);
}
