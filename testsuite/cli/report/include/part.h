/* SPDX-License-Identifier: GPL-2.0-or-later */
extern int out(int);
static inline __attribute__((always_inline)) int forced(int x) { return out(x) ^ out(x + 1) ^ 3; }
static inline int tiny(int x) { return x * 3 + 1; }
static inline int declared(int x)
{
	for (int i = 0; i < x; i++)
		x += out(x) * out(x + i) - out(i) * out(x ^ 5) + out(x + 7) * out(x - 9) +
		     out(x * 3) * out(x * 5) + out(x * 7) * out(x * 11) + out(x * 13) * out(x / 3) +
		     out(x / 5) * out(x / 7) + out(x / 11) * out(x % 3) + out(x % 5) * out(x % 7);
	return x;
}
static inline int unused(int x) { return declared(x) + 1; }
