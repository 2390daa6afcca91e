/* A static inline function of a header. */
/* policy: func helper keep */
#include "header-inline-part.h"

/* plain: helper is absent */
/* expect: helper is present */
/* expect: caller calls helper */
int caller(int x)
{
	return helper(x) * 2;
}
