/* ... and forced it is a function of each unit that calls it. */
/* policy: func helper force keep */
#include "header-inline-part.h"

/* plain: helper is absent */
/* expect: helper is present */
/* expect: caller calls helper */
int caller(int x)
{
	return helper(x) * 2;
}
