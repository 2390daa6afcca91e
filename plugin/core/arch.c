// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/arch.h"

#include <string.h>

#include "kiln/glob.h"

#include "banned.h"

/* A name of several targets means the first of them. */
static const struct kiln_arch archs[] = {
	{{"aarch64", "arm64"}},
	{{"alpha"}},
	{{"arc"}},
	{{"arm"}},
	{{"csky"}},
	{{"hppa", "parisc"}},
	{{"loongarch64", "loongarch"}},
	{{"m68k"}},
	{{"microblaze"}},
	{{"mips", "mips64"}},
	{{"nios2"}},
	{{"or1k", "openrisc"}},
	{{"powerpc64le", "powerpc64", "powerpc"}},
	{{"riscv64", "riscv"}},
	{{"riscv32", "riscv"}},
	{{"s390x", "s390"}},
	{{"sh"}},
	{{"sparc64", "sparc"}},
	{{"x86_64", "x86"}},
	{{"i386", "i686", "x86"}},
	{{"xtensa"}},
};

static const char *const all_names[] = {
	"aarch64", "alpha", "arc", "arm", "arm64", "csky", "hppa", "i386", "i686",
	"loongarch", "loongarch64", "m68k", "microblaze", "mips", "mips64", "nios2",
	"openrisc", "or1k", "parisc", "powerpc", "powerpc64", "powerpc64le", "riscv",
	"riscv32", "riscv64", "s390", "s390x", "sh", "sparc", "sparc64", "x86",
	"x86_64", "xtensa", NULL,
};

const struct kiln_arch *kiln_arch_find(const char *name)
{
	for (size_t i = 0; i < sizeof(archs) / sizeof(archs[0]); i++) {
		for (const char *const *n = archs[i].names; *n; n++) {
			if (strcmp(*n, name) == 0)
				return &archs[i];
		}
	}
	return NULL;
}

bool kiln_arch_matches(const struct kiln_arch *arch, const char *pattern)
{
	for (const char *const *n = arch->names; *n; n++) {
		if (kiln_glob_match(pattern, *n))
			return true;
	}
	return false;
}

const char *const *kiln_arch_names(void)
{
	return all_names;
}
