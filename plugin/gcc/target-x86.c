// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "target-cpu.h"

const struct kiln_arch *target_arch(void)
{
	return kiln_arch_find(TARGET_64BIT ? "x86_64" : "i386");
}

/* ---- what the driver adds ------------------------------------------------------ */

/* Is VALUE what GCC was configured to have for the flag -mNAME=, for either word size? */
static bool is_configured(const char *flag, const char *value)
{
	const char *name = flag + 1;
	size_t length = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(configure_default_options); i++) {
		const char *configured = configure_default_options[i].name;

		if (!strncmp(configured, name, length) &&
		    (!configured[length] || configured[length] == '_') &&
		    !strcmp(configure_default_options[i].value, value))
			return true;
	}
	return false;
}

/*
 * The driver's list of options, up to those that it adds because of the user's: a
 * copy, or NULL. Only -dumpdir comes later.
 */
static char *driver_options(void)
{
	static const char dumpdir[] = " '-dumpdir' '";
	const char *options = getenv("COLLECT_GCC_OPTIONS");
	char *copy = options ? xstrdup(options) : NULL;
	char *last = NULL;

	for (char *next = copy; next && (next = strstr(next, dumpdir)); next++)
		last = next;
	if (last)
		*last = '\0';
	return copy;
}

/* Takes the last word off OPTIONS if it is -NAME=VALUE, with a VALUE as configured. */
static bool take_default(char *options, const char *name)
{
	char *last = strrchr(options, ' ');
	char *value = last ? strchr(last, '=') : NULL;
	size_t length = strlen(name);
	bool taken;

	if (!value || strncmp(last, " '-", 3) || strncmp(last + 3, name, length) ||
	    last + 3 + length != value)
		return false;
	value = xstrndup(value + 1, strcspn(value + 1, "'"));
	taken = is_configured(name, value);
	free(value);
	if (taken)
		*last = '\0';
	return taken;
}

/* With no -march=, the driver adds that; with no -mtune= either, it puts one before it. */
bool target_is_driver_flag(const struct cl_decoded_option *saved)
{
	static bool asked, arch, tune;

	if (!asked) {
		char *options = driver_options();

		arch = options && take_default(options, "march");
		tune = arch && take_default(options, "mtune");
		free(options);
		asked = true;
	}
	return saved->opt_index == OPT_march_ ? arch : saved->opt_index == OPT_mtune_ && tune;
}

bool target_default_yields(const struct cl_decoded_option *saved,
			   const struct cl_decoded_option *flag)
{
	bool to_arch = flag->opt_index == OPT_march_;
	bool to_tune = to_arch || flag->opt_index == OPT_mtune_;

	if (saved->opt_index == OPT_march_)
		return to_arch && target_is_driver_flag(saved);
	return saved->opt_index == OPT_mtune_ && to_tune && target_is_driver_flag(saved);
}

/* ---- CPUs ------------------------------------------------------------------------ */

/*
 * The hook behind --completion; the header of the structure that it is in is not
 * installed. Weak, so that a compiler for another target gets as far as the version check.
 */
extern vec<const char *> ix86_get_valid_option_values(int index, const char *prefix)
	__attribute__((weak));

static const char *const *list_values(size_t index)
{
	vec<const char *> values = ix86_get_valid_option_values((int)index, "");
	const char **list = XNEWVEC(const char *, values.length() + 1);
	unsigned count = 0;

	for (unsigned i = 0; i < values.length(); i++)
		list[count++] = values[i];
	list[count] = NULL;
	values.release();
	return list;
}

const char *const *target_values(size_t index)
{
	static const char *const *archs, *const *tunes;

	if (index == OPT_march_)
		return archs ? archs : (archs = list_values(index));
	if (index == OPT_mtune_)
		return tunes ? tunes : (tunes = list_values(index));
	return NULL;
}

const char *const *target_extensions(void)
{
	return NULL;
}

static void (*gcc_override_options_after_change)(void);

/* GCC calls it each time it has restored a function's optimization options. */
static void override_options_after_change(void)
{
	if (target_option_default_node)
		kiln_reset_unrolling(target_option_default_node);
	gcc_override_options_after_change();
}

void target_expect_function_options(void)
{
	gcc_override_options_after_change = targetm.override_options_after_change;
	targetm.override_options_after_change = override_options_after_change;
}

void target_print_cpus(void)
{
}
