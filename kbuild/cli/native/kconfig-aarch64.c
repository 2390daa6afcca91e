// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * arm64, by the Kconfig texts of Linux 6.1 and 6.12. Most of these are on by
 * default, and alternatives put in when the kernel boots.
 *
 * Not here: ARM64_AMU_EXTN, which needs a firmware that many machines lack and
 * hangs without; page sizes, which user space can see.
 */
#include "kconfig.h"

#include <string.h>

static const char remarks[] =
	"#\n"
	"# The page size (ARM64_4K_PAGES, ARM64_16K_PAGES, ARM64_64K_PAGES) stays as it is: user\n"
	"# space can see it. Workarounds for other cores' errata do, too: they cost nothing\n"
	"# measurable, and the prompts do not name every core.\n";

/*
 * A word stands for the architecture that demands it, where an option has no word of
 * its own. What is denied to kernel code is no feature, and only words tell of it.
 */
static const struct kconfig_option options[] = {
	{"ARM64_USE_LSE_ATOMICS", NULL, "atomics", "lse", 'y', 0, "atomic instructions"},
	{"ARM64_PAN", NULL, "asimdrdm", "rdma", 'y', 0,
	 "Armv8.1: no access to user memory by mistake"},
	{"ARM64_HW_AFDBM", NULL, "asimdrdm", "rdma", 'y', 0,
	 "Armv8.1: accessed and dirty bits by hardware"},
	{"ARM64_RAS_EXTN", NULL, "dcpop", "dotprod pauth", 'y', 0, "Armv8.2: reports of faults"},
	{"ARM64_CNP", NULL, "dcpop", "dotprod pauth", 'y', 0,
	 "Armv8.2: translations shared by cores"},
	{"ARM64_PTR_AUTH", NULL, "paca", "pauth", 'y', 0, "signed pointers"},
	{"ARM64_PTR_AUTH_KERNEL", NULL, "paca", "pauth", 'y', 0, "signed pointers"},
	{"ARM64_TLB_RANGE", NULL, "flagm", "flagm", 'y', 0,
	 "Armv8.4: TLB entries dropped by ranges"},
	{"ARM64_E0PD", NULL, "flagm2", "sb", 'y', 0,
	 "Armv8.5: kernel addresses hidden from user space"},
	{"ARM64_BTI", NULL, "bti", "bti", 'y', 0, "branches to marked targets alone"},
	{"ARM64_BTI_KERNEL", NULL, "bti", "bti", 'y', 0, "branches to marked targets alone"},
	{"ARM64_EPAN", NULL, "wfxt", "wfxt", 'y', 0,
	 "Armv8.7: PAN for memory that is executable alone"},
	{"ARM64_MTE", NULL, "mte", "memtag", 'y', 0, "memory tags"},
	{"ARM64_SVE", NULL, "sve", NULL, 'y', 0, "scalable vectors for user space"},
	{"ARM64_SME", NULL, "sme", NULL, 'y', 0, "matrices for user space"},
	{"CRYPTO_AES_ARM64_CE_BLK", NULL, "aes", "aes crypto", 'y', 0, "AES by instructions"},
	{"CRYPTO_GHASH_ARM64_CE", NULL, "pmull", "aes crypto", 'y', 0, "GHASH by instructions"},
	{"CRYPTO_SHA2_ARM64_CE", NULL, "sha2", "crypto sha2", 'y', 0, "SHA-256 by instructions"},
	{NULL, NULL, NULL, NULL, 0, 0, NULL},
};

/* ---- errata: "Cortex-A57/A72: 1742098: what is wrong", "Cavium erratum 27456: ..." ---- */

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Is TEXT, whatever its case, what NAME begins with? */
static bool begins_with(const char *name, size_t name_length, const char *text, size_t length)
{
	if (length > name_length)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (name[i] != lower(text[i]))
			return false;
	}
	return true;
}

static bool equals(const char *name, size_t name_length, const char *text, size_t length)
{
	return length == name_length && begins_with(name, name_length, text, length);
}

/* Is WORD of a prompt the core NAME, in GCC's spelling? */
static bool names_core(const char *word, size_t length, const char *name, size_t name_length)
{
	static const char family[] = "cortex-", other[] = "one";
	const char *dash = (const char *)memchr(word, '-', length);
	size_t tail = dash ? (size_t)(word + length - (dash + 1)) : 0;

	if (length && word[length - 1] == '*')
		return begins_with(name, name_length, word, length - 1);
	if (equals(name, name_length, word, length))
		return true;
	/* "Cortex-A57/A72" */
	if (begins_with(family, sizeof(family) - 1, name, sizeof(family) - 1) &&
	    equals(name + sizeof(family) - 1, name_length - (sizeof(family) - 1), word, length))
		return true;
	/* "Fujitsu-A64FX" */
	if (tail && equals(name, name_length, dash + 1, tail))
		return true;
	/* "AmpereOne" is ampere1 */
	return length > 3 && equals(other, 3, word + length - 3, 3) && name_length == length - 2 &&
	       name[name_length - 1] == '1' && begins_with(name, name_length, word, length - 3);
}

/* Arm's code names, which GCC has besides, and prompts do not use. */
static const char *const code_names[][2] = {
	{"ares", "neoverse-n1"},
	{"demeter", "neoverse-v2"},
	{"zeus", "neoverse-v1"},
};

static const char *without_code_name(const char *name)
{
	for (size_t i = 0; i < sizeof(code_names) / sizeof(code_names[0]); i++) {
		if (!strcmp(name, code_names[i][0]))
			return code_names[i][1];
	}
	return name;
}

/* NAME: GCC's, of a pair "BIG.LITTLE" either. */
static bool names_any_core(const char *word, size_t length, const char *name)
{
	for (const char *p = name; *p; p += *p == '.') {
		size_t core = strcspn(p, ".");

		if (names_core(word, length, p, core))
			return true;
		p += core;
	}
	return false;
}

static bool concerns(const struct native_cpu *cpu, const char *word, size_t length)
{
	static const char all[] = "various";

	if (equals(all, sizeof(all) - 1, word, length))
		return true;
	if (cpu->vendor && equals(cpu->vendor, strlen(cpu->vendor), word, length))
		return true;
	return cpu->name && names_any_core(word, length, without_code_name(cpu->name));
}

/* Before its first colon a prompt names cores, a vendor, or a chip. */
static bool is_erratum(const struct native_cpu *cpu, const struct kconfig_symbol *symbol)
{
	const char *p = symbol->prompt, *end = p + strcspn(p, ":");

	if (!strstr(symbol->entry.text, "ERRATUM"))
		return false;
	while (p < end) {
		size_t length = strcspn(p, "/ ,:");

		if (length && concerns(cpu, p, length))
			return true;
		p += length + 1;
	}
	return false;
}

const struct kconfig_arch kconfig_aarch64 = {
	.name = "aarch64",
	.srcarch = "arm64",
	.remarks = remarks,
	.options = options,
	.is_erratum = is_erratum,
};
