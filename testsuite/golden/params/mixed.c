/* Functions with settings of their own still inline into each other, whichever side has them. */
/* policy: func callee_set --param=max-inline-insns-auto=16 */
/* policy: func caller_set --param=max-inline-insns-auto=17 */
/* policy: func both_a --param=max-inline-insns-auto=18 -fno-ipa-cp */
/* policy: func both_b --param=max-inline-insns-auto=19 -fno-tree-vrp */

/* expect: callee_set is absent */
static int callee_set(int x)
{
	return x + 1;
}

/* expect: plain_callee is absent */
static int plain_callee(int x)
{
	return x + 2;
}

/* expect: both_a is absent */
static int both_a(int x)
{
	return x + 3;
}

/* expect: both_b does not call both_a */
int both_b(int x)
{
	return both_a(x);
}

/* expect: caller_set does not call plain_callee */
int caller_set(int x)
{
	return plain_callee(x);
}

/* expect: plain_caller does not call callee_set */
int plain_caller(int x)
{
	return callee_set(x);
}
