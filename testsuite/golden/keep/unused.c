/* Keep does not bring back a static function that nothing calls: no -Wunused change either. */
/* policy: func unused keep */
/* options: -O2 -Wall */
/* expect: unused is absent */
static int unused(int x) /* warning: 'unused' defined but not used */
{
	return x;
}

int used(int x)
{
	return x;
}
