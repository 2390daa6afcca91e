// SPDX-License-Identifier: GPL-2.0-or-later
#include "part.h"
static int helper(int x, int y)
{
	for (int i = 0; i < x; i++)
		x += out(x) * out(x + y) - out(i) * out(x ^ 5) + out(x + 7);
	return x;
}
int near(int x)
{
	for (int i = 0; i < x; i++)
		x += helper(x, 5) + helper(i, 5) + tiny(forced(i));
	return x;
}
int first_of_net(int x) { return near(x) + helper(x, 5); }
