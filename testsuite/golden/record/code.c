/* What was put out: frame, mcount site, section. */
/* options: -O2 -pg */
/* policy: func no_such keep */
/* compare: plain */
extern void use(void *p, int n);

/* record: frame code [1-9][0-9][0-9]+ t - */
int frame(void)
{
	char buffer[200];

	use(buffer, 200);
	return buffer[3];
}

/* record: unbounded code [0-9]+ td - */
int unbounded(int n)
{
	char *p = __builtin_alloca(n);

	use(p, n);
	return p[3];
}

/* record: untraced code [0-9]+ - .init.text */
__attribute__((no_instrument_function, section(".init.text"))) int untraced(int x)
{
	return x + 2;
}
