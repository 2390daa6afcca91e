/* arguments: noguard */
/* policy: func * -fwrapv -fno-strict-aliasing */
/* compare: -fwrapv -fno-strict-aliasing */
int a(int x)
{
	return x + 1 > x;
}

int b(int *p, float *q)
{
	*p = 1;
	*q = 2;
	return *p;
}
