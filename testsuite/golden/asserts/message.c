/* Where a rule makes such an assert fail, GCC's message names the chain. */
/* policy: func pass noinline */
/* message: ^In function 'check',$ */
/* message: inlined from 'pass(\.\S+)?' at .*message.c:\d+:2 */
extern void bad_size(void) __attribute__((error("size is not constant")));

static inline __attribute__((always_inline)) void check(unsigned long size)
{
	if (!__builtin_constant_p(size))
		bad_size(); /* error: call to 'bad_size' declared with attribute error: size is not constant */
}

static int pass(int *at, unsigned long size)
{
	check(size);
	return *at += size;
}

int read_one(int *at, unsigned long size)
{
	return pass(at, 8);
}

int read_two(int *at, unsigned long size)
{
	return pass(at, 16) + 1;
}
