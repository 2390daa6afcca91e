// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints what "cpuid -1 -r" does, as far as `kiln native --cpuid` looks at it.
 */
#include <cpuid.h>
#include <stdio.h>

static void print(unsigned leaf, unsigned subleaf)
{
	unsigned a, b, c, d;

	__cpuid_count(leaf, subleaf, a, b, c, d);
	printf("   0x%08x 0x%02x: eax=0x%08x ebx=0x%08x ecx=0x%08x edx=0x%08x\n", leaf, subleaf, a,
	       b, c, d);
}

static void print_range(unsigned first)
{
	unsigned last, b, c, d;

	__cpuid(first, last, b, c, d);
	for (unsigned leaf = first; leaf <= last; leaf++) {
		unsigned nr_subleaves = leaf == 0x7 || leaf == 0xd || leaf == 0x1e ? 2 : 1;

		for (unsigned subleaf = 0; subleaf < nr_subleaves; subleaf++)
			print(leaf, subleaf);
	}
}

int main(void)
{
	printf("CPU:\n");
	print_range(0);
	print_range(0x80000000);
	return 0;
}
