/* -m32 makes 32-bit x86 of it. */
/* target: x86_64 */
/* options: -O2 -m32 */
/* policy: on x86_64 func a1 keep */
/* policy: on i386 func a2 keep */
/* policy: on x86 func a3 keep */
static int a1(int x) { return x + 1; }	/* expect: a1 is absent */
static int a2(int x) { return x + 2; }	/* expect: a2 is present */
static int a3(int x) { return x + 3; }	/* expect: a3 is present */

int a(int x)
{
	return a1(x) + a2(x) + a3(x);
}
