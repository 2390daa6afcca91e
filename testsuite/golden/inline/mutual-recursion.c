/* Without limits there would be no end to inlining these into each other. */
/* policy: func * inline */
/* message: ^test.policy:1:8: warning: 'inline' cannot hold for '[abc]' .*: it is recursive */
int use(int);

static int a(int n);
static int b(int n) { return n > 1 ? use(a(n - 1)) + a(n - 2) : 1; }
static int c(int n) { return n > 1 ? use(b(n - 1)) + b(n - 2) : 2; }
static int a(int n) { return n > 1 ? use(c(n - 1)) + c(n - 2) : 3; }

int outer(int n)
{
	return a(n) + b(n) + c(n);
}
