/* Lowered for one caller: it calls what the others inline. */
/* policy: func a --param=early-inlining-insns=0 --param=max-inline-insns-single=0 */
#include "../medium-part.h"

/* plain: a does not call medium */
/* expect: a calls medium */
int a(const int *values, int count)
{
	return medium(values, count) + medium(values + 1, count);
}

/* expect: b does not call medium */
/* expect: b is unchanged */
int b(const int *values, int count)
{
	return medium(values, count) ^ medium(values + 3, count);
}
