// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "target-cpu.h"

const struct kiln_arch *target_arch(void)
{
	return kiln_arch_find("aarch64");
}

/* ---- what the driver adds ------------------------------------------------------ */

bool target_default_yields(const struct cl_decoded_option *, const struct cl_decoded_option *)
{
	return false;
}

bool target_is_driver_flag(const struct cl_decoded_option *saved)
{
	return saved->opt_index == OPT_mlittle_endian || saved->opt_index == OPT_mabi_;
}

/* ---- CPUs: GCC's own tables ---------------------------------------------------- */

struct arch {
	const char *ident;
	const char *name;
};

static const struct arch archs[] = {
#define AARCH64_ARCH(NAME, CORE, IDENT, ...) { #IDENT, NAME },
#include "config/aarch64/aarch64-arches.def"
#undef AARCH64_ARCH
};

struct core {
	const char *name;
	const char *arch_ident;
	unsigned implementer;
	unsigned part; /* of a pair: the big one's times 0x1000, and the little one's */
	int variant;
};

#define AARCH64_BIG_LITTLE_PART(BIG, LITTLE) ((BIG) << 12 | (LITTLE))

static const struct core cores[] = {
#undef AARCH64_BIG_LITTLE
#undef INVALID_IMP
#undef INVALID_CORE
#define AARCH64_BIG_LITTLE(BIG, LITTLE) AARCH64_BIG_LITTLE_PART(BIG, LITTLE)
#define INVALID_IMP 0xffu
#define INVALID_CORE 0xffffffu
#define AARCH64_CORE(NAME, IDENT, SCHED, ARCH, FLAGS, COSTS, IMP, PART, VARIANT) \
	{ NAME, #ARCH, IMP, PART, VARIANT },
#include "config/aarch64/aarch64-cores.def"
#undef AARCH64_CORE
};

static const char *arch_name(const char *ident)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (!strcmp(archs[i].ident, ident))
			return archs[i].name;
	return "unknown";
}

static void print_core(const struct core *core)
{
	printf("cpu\t%s\t%s\t", core->name, arch_name(core->arch_ident));
	if (core->part == INVALID_CORE)
		fputs("none\tnone", stdout);
	else if (core->part > 0xfff)
		printf("0x%x\t0x%x.0x%x", core->implementer, core->part >> 12, core->part & 0xfff);
	else
		printf("0x%x\t0x%x", core->implementer, core->part);
	if (core->variant < 0)
		puts("\t-1");
	else
		printf("\t0x%x\n", (unsigned)core->variant);
}

void target_expect_function_options(void)
{
}

void target_print_cpus(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(cores); i++)
		print_core(&cores[i]);
	for (const char *const *e = target_extensions(); *e; e++)
		printf("extension\t%s\n", *e);
}

static const char **list_archs(void)
{
	const char **list = XNEWVEC(const char *, ARRAY_SIZE(archs) + 1);

	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		list[i] = archs[i].name;
	list[ARRAY_SIZE(archs)] = NULL;
	return list;
}

/* The table leaves out the CPU that is none. */
static const char **list_cores(void)
{
	const char **list = XNEWVEC(const char *, ARRAY_SIZE(cores) + 2);

	for (size_t i = 0; i < ARRAY_SIZE(cores); i++)
		list[i] = cores[i].name;
	list[ARRAY_SIZE(cores)] = "generic";
	list[ARRAY_SIZE(cores) + 1] = NULL;
	return list;
}

const char *const *target_values(size_t index)
{
	static const char **arch_list, **core_list;

	if (index == OPT_march_)
		return arch_list ? arch_list : (arch_list = list_archs());
	if (index == OPT_mcpu_ || index == OPT_mtune_)
		return core_list ? core_list : (core_list = list_cores());
	return NULL;
}

/*
 * Not in an installed header. Weak, so that a compiler for another target gets as far
 * as the version check.
 */
extern void aarch64_get_all_extension_candidates(auto_vec<const char *> *candidates)
	__attribute__((weak));

const char *const *target_extensions(void)
{
	static const char **list;
	auto_vec<const char *> names;

	if (list)
		return list;
	aarch64_get_all_extension_candidates(&names);
	list = XNEWVEC(const char *, names.length() + 1);
	for (unsigned i = 0; i < names.length(); i++)
		list[i] = names[i];
	list[names.length()] = NULL;
	return list;
}
