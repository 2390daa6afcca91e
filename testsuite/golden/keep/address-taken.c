/* A function that is also called through a pointer has direct calls that can be inlined. */
/* policy: func handler keep */
extern void install(int (*function)(int, int));

/* expect: handler is present */
/* expect: handler has no clone */
static int handler(int a, int b)
{
	return a * 3 + b;
}

/* plain: caller does not call handler */
/* expect: caller calls handler */
int caller(int a)
{
	install(handler);
	return handler(a, 5) + 1;
}
