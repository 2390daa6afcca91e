// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "cmdline.h"
#include "target-cpu.h"

/* What the policy puts at the end of the user's part of the command line. */
static const struct cl_decoded_option *const *added;
static size_t nr_added;

/* Where -m flags go. */
static unsigned target_place;

/* ---- the driver's order ------------------------------------------------------ */

/* It passes the user's flags on in groups; a --param= behind all others. */
enum group { TARGET_GROUP, PARAM_GROUP, OTHER_GROUP };

static enum group group_of(const struct cl_decoded_option *option)
{
	if (option->opt_index >= cl_options_count)
		return OTHER_GROUP;
	if (cl_options[option->opt_index].flags & CL_PARAMS)
		return PARAM_GROUP;
	return cl_options[option->opt_index].flags & CL_TARGET ? TARGET_GROUP : OTHER_GROUP;
}

/* Behind the last -m flag of the user, before those that the driver adds. */
static unsigned find_target_place(void)
{
	unsigned place = save_decoded_options_count;

	while (place > 0 && group_of(&save_decoded_options[place - 1]) != TARGET_GROUP)
		place--;
	if (!place)
		return save_decoded_options_count;
	while (place > 0 && target_is_driver_flag(&save_decoded_options[place - 1]))
		place--;
	return place;
}

/* Behind the last --param, or before what the driver adds at the end. */
static unsigned find_param_place(void)
{
	unsigned place = save_decoded_options_count;

	for (unsigned i = place; i > 0; i--)
		if (group_of(&save_decoded_options[i - 1]) == PARAM_GROUP)
			return i;
	while (place > 0 && (save_decoded_options[place - 1].opt_index == OPT_o ||
			     save_decoded_options[place - 1].opt_index ==
				     OPT_fasynchronous_unwind_tables))
		place--;
	return place;
}

/* ---- what the driver drops ----------------------------------------------------- */

/* Does the driver drop EARLIER because of LATER? GCC has such options in rings. */
static bool cancels(const struct cl_decoded_option *later, const struct cl_decoded_option *earlier)
{
	size_t index = later->opt_index;

	if (earlier->opt_index >= cl_options_count ||
	    ((cl_options[index].flags ^ cl_options[earlier->opt_index].flags) & CL_JOINED))
		return false;
	do {
		if (cl_options[index].neg_index < 0)
			return false;
		index = cl_options[index].neg_index;
		if (index == earlier->opt_index)
			return true;
	} while (index != later->opt_index);
	return false;
}

/* By one of the policy's from number FIRST on. */
static bool is_cancelled(const struct cl_decoded_option *option, size_t first)
{
	for (size_t i = first; i < nr_added; i++)
		if (cancels(added[i], option))
			return true;
	return false;
}

static bool yields(const struct cl_decoded_option *saved)
{
	for (size_t i = 0; i < nr_added; i++)
		if (target_default_yields(saved, added[i]))
			return true;
	return false;
}

/* What it would not have added, had it seen the policy's flags. */
static void drop_driver_defaults(void)
{
	unsigned kept = 0;

	for (unsigned i = 0; i < save_decoded_options_count; i++) {
		size_t index = save_decoded_options[i].opt_index;

		if (!yields(&save_decoded_options[i])) {
			save_decoded_options[kept++] = save_decoded_options[i];
			continue;
		}
		*(const char **)option_flag_var(index, &global_options) = NULL;
		*(const char **)option_flag_var(index, &global_options_set) = NULL;
	}
	save_decoded_options_count = kept;
}

void cmdline_add(const struct cl_decoded_option *const *options, size_t count)
{
	added = options;
	nr_added = count;
	target_place = find_target_place();
	drop_driver_defaults();
}

/* ---- the plugin's own options ---------------------------------------------------- */

static bool loads(const struct cl_decoded_option *option, const char *base_name,
		  const char *full_name)
{
	return option->opt_index == OPT_fplugin_ &&
	       (!strcmp(option->arg, full_name) || !strcmp(option->arg, base_name));
}

static bool is_only_plugin(const char *base_name, const char *full_name)
{
	for (unsigned i = 0; i < save_decoded_options_count; i++)
		if (save_decoded_options[i].opt_index == OPT_fplugin_ &&
		    !loads(&save_decoded_options[i], base_name, full_name))
			return false;
	return true;
}

static bool is_ours(const struct cl_decoded_option *option, const char *base_name,
		    const char *full_name)
{
	size_t length = strlen(base_name);

	if (loads(option, base_name, full_name))
		return true;
	/* The driver adds it where there is a plugin. */
	if (option->opt_index == OPT_iplugindir_)
		return is_only_plugin(base_name, full_name);
	return option->opt_index == OPT_fplugin_arg_ &&
	       !strncmp(option->arg, base_name, length) && option->arg[length] == '-';
}

/* ---- all of it -------------------------------------------------------------------- */

static unsigned put(struct cl_decoded_option *options, unsigned count, enum group group)
{
	for (size_t i = 0; i < nr_added; i++) {
		if (group_of(added[i]) != group || is_cancelled(added[i], i + 1))
			continue;
		options[count] = *added[i];
		/* The driver passes aliases on under the name that they stand for. */
		if (added[i]->canonical_option_num_elements == 1)
			options[count].orig_option_with_args_text = added[i]->canonical_option[0];
		count++;
		if (cl_options[added[i]->opt_index].flags & CL_OPTIMIZATION)
			kiln_save_for_optimize_attribute(*added[i]);
	}
	return count;
}

void cmdline_rewrite(const char *base_name, const char *full_name)
{
	unsigned param_place = find_param_place();
	struct cl_decoded_option *options;
	bool put_others = false;
	unsigned count = 0;

	options = XNEWVEC(struct cl_decoded_option, save_decoded_options_count + nr_added);
	for (unsigned i = 0; i <= save_decoded_options_count; i++) {
		const struct cl_decoded_option *option = &save_decoded_options[i];

		if (i == target_place)
			count = put(options, count, TARGET_GROUP);
		if (i == param_place)
			count = put(options, count, PARAM_GROUP);
		if (i == save_decoded_options_count)
			break;
		if (!is_ours(option, base_name, full_name)) {
			if (!is_cancelled(option, 0))
				options[count++] = *option;
		} else if (!put_others && loads(option, base_name, full_name)) {
			count = put(options, count, OTHER_GROUP);
			put_others = true;
		}
	}
	save_decoded_options = options;
	save_decoded_options_count = count;
}
