/* A .c file that the unit includes is no header: its inline functions are this unit's own. */
/* policy: func in_part keep */
#include "included-c-part.c"

/* plain: in_part is absent */
/* expect: in_part is present */
/* expect: caller calls in_part */
int caller(int x)
{
	return in_part(x) * 2;
}
