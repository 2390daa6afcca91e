/* Keep holds whatever the parameters are, on either side of a call. */
/* policy: all --param=max-inline-insns-auto=1000 --param=early-inlining-insns=1000 */
/* policy: func caller --param=max-inline-insns-single=1000 -finline-functions */
/* policy: func tiny keep */

/* expect: tiny is present */
static inline int tiny(int x)
{
	return x + 1;
}

/* expect: caller calls tiny */
int caller(int x)
{
	return tiny(x) + tiny(x + 1);
}
