/* An extern inline's body is never output: its callers would call a function that is not there. */
/* policy: func copied keep */

extern inline __attribute__((gnu_inline)) int copied(int x)
{
	return x * 5;
}

/* plain: copied is absent */
/* expect: caller does not call copied */
int caller(int x)
{
	return copied(x);
}
