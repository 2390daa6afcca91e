/* Clones are named with what they are clones of; so is who calls them. */
/* policy: func no_such keep */
/* compare: plain */
extern int out(int x, int y);

/* record: ranged.constprop.0 constprop ranged */
static __attribute__((noinline)) int ranged(int x, int always_seven)
{
	return out(x, always_seven) + out(always_seven, x);
}

struct pair { int one, two; };

/* record: by_value.isra.0 isra by_value */
static __attribute__((noinline)) int by_value(struct pair *pair)
{
	int one = pair->one, two = pair->two;

	return out(one, two) + out(two, one);
}

extern void fill(struct pair *pair);

int caller(int x)
{
	struct pair pair;

	fill(&pair);
	x = ranged(x, 7);	/* record: caller refused ranged.constprop.0:29 FUNCTION_NOT_INLINABLE - */
	return x + by_value(&pair);	/* record: caller refused by_value.isra.0:30 FUNCTION_NOT_INLINABLE - */
}

int other(int x)
{
	struct pair pair;

	fill(&pair);
	return ranged(x + 1, 7) + by_value(&pair);
}

/* record: ranged.constprop.0 code [0-9]+ .* */
/* norecord: ranged code .* */
