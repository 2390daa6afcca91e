/* `on` by GCC's name of the architecture, by the kernel's, by a wildcard. */
/* policy: on x86_64 func a1 keep */
/* policy: on aarch64 func a2 keep */
/* policy: on arm64 func a3 keep */
/* policy: on x86 func a4 keep */
/* policy: on * func a5 keep */
/* policy: on *64 func a6 keep */
static int a1(int x) { return x + 1; }	/* expect x86_64: a1 is present */ /* expect aarch64: a1 is absent */
static int a2(int x) { return x + 2; }	/* expect x86_64: a2 is absent */ /* expect aarch64: a2 is present */
static int a3(int x) { return x + 3; }	/* expect x86_64: a3 is absent */ /* expect aarch64: a3 is present */
static int a4(int x) { return x + 4; }	/* expect x86_64: a4 is present */ /* expect aarch64: a4 is absent */
static int a5(int x) { return x + 5; }	/* expect: a5 is present */
static int a6(int x) { return x + 6; }	/* expect: a6 is present */

int a(int x)
{
	return a1(x) + a2(x) + a3(x) + a4(x) + a5(x) + a6(x);
}
