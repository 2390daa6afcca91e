/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the bits of x86's CPUID are called in /proc/cpuinfo. Private to cpuid.c.
 */
#ifndef KILN_NATIVE_CPUID_BITS_H
#define KILN_NATIVE_CPUID_BITS_H

#include <stddef.h>
#include <stdint.h>

enum cpuid_register { EAX, EBX, ECX, EDX, CPUID_REGISTERS };

/*
 * The registers that an instruction works on, as bits of XCR0: leaf 0xd tells which
 * of them the CPU can save. Intel's manual, volume 1, 13.1.
 */
enum cpuid_state {
	CPUID_NO_STATE = 0,
	CPUID_XSAVE = 0x1, /* XSAVE itself */
	CPUID_AVX = 0x6,
	CPUID_AVX512 = 0xe6,
	CPUID_AMX = 0x60000,
	CPUID_APX = 0x80000,
};

struct cpuid_bit {
	uint32_t leaf, subleaf;
	enum cpuid_register reg;
	unsigned bit;
	enum cpuid_state state; /* all of it is needed */
	const char *word;       /* Linux's; GCC's where Linux 6.12 does not show it */
};

/* Sorted by all but state and word. A word that is there twice needs one of its bits. */
extern const struct cpuid_bit cpuid_bits[];
extern const size_t nr_cpuid_bits;

#endif
