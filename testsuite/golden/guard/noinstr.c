/*
 * Code that may not call out of its section: with the parameters lowered to
 * nothing it is what it was, and so is what it inlines, however deep.
 */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0 */
/* policy: all --param=max-inline-insns-single=0 --param=max-inline-insns-small=0 */
/* policy: func * -fno-inline-small-functions -fno-early-inlining -fno-inline-functions-called-once */
#include "../medium-part.h"

/* expect: enter does not call medium */
/* expect: enter does not call leaf */
/* expect: enter is unchanged */
__attribute__((section(".noinstr.text"), noinline)) int enter(const int *values, int count)
{
	return medium(values, count) + medium(values + 1, count);
}

static int local(int x, int y)
{
	return x * 3 + (y ^ x) + (x >> 2) / y;
}

/* plain: other does not call local */
/* expect: other calls local */
int other(int x)
{
	return local(x, 3) + local(x + 3, 4);
}
