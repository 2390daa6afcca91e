// SPDX-License-Identifier: GPL-2.0-or-later
#include "part.h"
__attribute__((noinline)) static int walled(int x) { return out(x) + 1; }
static int kept(int x) { return out(x) * 2; }
__attribute__((weak)) int weak(int x) { return x + 1; }
static int big(int x)
{
	for (int i = 0; i < x; i++)
		x += out(x) * out(x + i) - out(i) * out(x ^ 5) + out(x + 7);
	return x + forced(x);
}
static int inner(int x)
{
	for (int i = 0; i < x; i++)
		x += out(x) - out(i) * big(x ^ 5) + tiny(x);
	return x;
}
static int once(int x)
{
	for (int i = 0; i < 9; i++)
		x += inner(x + i) + big(x) + forced(i);
	return x;
}
int first(int x)
{
	for (int i = 0; i < x; i++)
		x += big(x) + big(i) + declared(x);
	return once(x) + tiny(x);
}
int second(int x)
{
	for (int i = 0; i < x; i++)
		x += walled(x) + kept(i) + weak(x) + declared(x);
	return x + forced(x);
}
__attribute__((cold)) int chilly(int x) { return big(x) + inner(x); }
int again(int x) { return x < 2 ? out(x) : again(x - 1) * again(x - 2) + inner(x); }
static int deep3(int x) { for (int i = 0; i < x; i++) x += out(i) * out(x) * out(x + 3) + out(x + 4) * out(x + 9); return x; }
static int deep2(int x) { for (int i = 0; i < x; i++) x += deep3(x) + deep3(i) + out(x + 4) * out(x + 9); return x; }
static int deep1(int x) { for (int i = 0; i < x; i++) x += deep2(x) + deep2(x + 1) + deep3(x); return x; }
int far(int x) { return deep1(x) + deep1(x + 9) ; }
__attribute__((noinline)) static int twin_a(int x) { for (int i = 0; i < 5; i++) x += out(x) * 7 + out(i); return x; }
__attribute__((noinline)) static int twin_b(int x) { for (int i = 0; i < 5; i++) x += out(x) * 7 + out(i); return x; }
int twins(int x) { return twin_a(x) - twin_b(x) * 3; }
