/* A rule for the whole unit keeps its functions, and those it declares inline, but no header's. */
/* policy: all keep */
#include "header-inline-part.h"

/* plain: own is absent */
/* expect: own is present */
static inline int own(int x)
{
	return x * 3;
}

/* expect: helper is absent */
/* expect: caller calls own */
int caller(int x)
{
	return helper(x) * own(x);
}
