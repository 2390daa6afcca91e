// SPDX-License-Identifier: GPL-2.0-or-later
/* Compiled with low limits of what a large function may be. */
#include "part.h"
extern void take(char *);
static inline int part_a(int x) { return out(x) * out(x + 4) + out(x + 7) * out(x + 8) + out(x - 3); }
static inline int part_b(int x) { return out(x) - out(x + 4) + out(x + 6) * out(x + 8) + out(x - 2); }
static inline int framed(int x)
{
	char buffer[300];

	take(buffer);
	return out(x) + buffer[3];
}
int large(int x)
{
	for (int i = 0; i < x; i++)
		x += part_a(x) + part_a(x + 1) + part_b(x) + part_b(x + 2) + part_b(i) + part_a(i);
	return x;
}
int flat(int x)
{
	for (int i = 0; i < x; i++)
		x += framed(x) + framed(i);
	return x;
}
