/* Keep holds for a function in such a section. */
/* policy: func enter keep */

/* expect: enter is present */
static __attribute__((section(".noinstr.text"))) int enter(int x)
{
	return x + 1;
}

/* expect: a calls enter */
__attribute__((section(".noinstr.text"))) int a(int x)
{
	return enter(x);
}
