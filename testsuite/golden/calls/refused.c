/* What cannot hold is a note in the record, with the reason, and changes nothing. */
/* policy: func a call loops inline */
/* policy: func a call forced noinline */
/* policy: func a call stays inline */
/* policy: func a call varies inline */
/* policy: func a call weak inline */
/* policy: func a call kept inline */
/* policy: func kept keep */
/* policy: func a call nobody inline */
#include <stdarg.h>

/* record: loops ruled loops inline: it is recursive */
/* policy: func loops call loops inline */
static __attribute__((noipa)) int stop(int x)
{
	return x;
}

static int loops(int x, int depth)
{
	return depth ? loops(x * 3, depth - 1) + loops(x * 5, stop(depth) - 1) : x;
}

/* record: a ruled forced noinline: it is always_inline, and its callers count on its body */
/* expect: forced is absent */
static inline __attribute__((always_inline)) int forced(int x)
{
	return x + 2;
}

/* record: a ruled stays inline: a rule or its source says keep or noinline */
static __attribute__((noinline)) int stays(int x)
{
	return x + 3;
}

/* record: a ruled varies inline: its body is of a kind that GCC never inlines */
static int varies(int x, ...)
{
	va_list list;

	va_start(list, x);
	x += va_arg(list, int) + va_arg(list, int);
	va_end(list);
	return x;
}

/* record: a ruled weak inline: another definition may take its place when the program is linked */
__attribute__((weak)) int weak(int x)
{
	return x + 4;
}

/* record: a ruled kept inline: a rule or its source says keep or noinline */
static int kept(int x)
{
	return x + 5;
}

extern int nobody(int x);	/* norecord: a ruled nobody */

/* expect: a calls stays */
/* expect: a calls varies */
/* expect: a calls weak */
/* expect: a calls kept */
int a(int x)
{
	return loops(x, 3) + forced(x) + stays(x) + varies(x, 1, x) + weak(x) + kept(x) + nobody(x);
}
