/* Of a function that the source declares inline: no warning, -Werror or not. */
/* options: -O2 -Wall -Wextra -Werror */
/* policy: func small noinline */

/* expect: small is present */
static inline int small(int x)
{
	return x + 1;
}

/* expect: a calls small */
int a(int x)
{
	return small(x) + small(x + 2);
}
