/* A header's inline function has no one body to keep: a list of names leaves it alone. */
/* policy: func helper keep */
#include "header-inline-part.h"

/* plain: helper is absent */
/* expect: helper is absent */
int caller(int x)
{
	return helper(x) * 2;
}
