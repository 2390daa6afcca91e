/* A one-line function, which the early inliner would take first of all. */
/* policy: func tiny keep */

/* plain: tiny is absent */
/* expect: tiny is present */
/* expect: tiny has no clone */
static int tiny(int x)
{
	return x + 1;
}

/* The value is not known to the caller either. */
/* expect: caller calls tiny */
/* expect x86_64: caller has mov +\$0x29,%edi */
/* expect aarch64: caller has mov\s+w0, #0x29 */
int caller(void)
{
	return tiny(41) * 2;
}
