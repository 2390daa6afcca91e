// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "diag.h"
#include "judge.h"
#include "kiln/cpu.h"
#include "kiln/nearest.h"
#include "target-cpu.h"

static struct flag **flag_table;	/* open addressing, a power of two */
static size_t flag_table_size, flag_table_used;
static bool verbose_mode;

void judge_set_verbose(bool verbose)
{
	verbose_mode = verbose;
}

/* ---- what is wrong with a flag --------------------------------------------- */

static enum flag_state skip(const struct kiln_setting *setting, const char *what)
{
	if (verbose_mode)
		diag_setting(KILN_NOTE, setting, "'%s' is skipped: GCC %s has no such %s",
			     setting->flag, gcc_version.basever, what);
	return SKIPPED_FLAG;
}

/* NEAR: how the word would be right, or NULL. */
static enum flag_state refuse(const struct kiln_setting *setting, const char *what, const char *near)
{
	const char *flag = setting->flag;

	if (near)
		diag_setting(KILN_ERROR, setting,
			     "GCC %s has no %s '%s'; did you mean '%s'? "
			     "('?%s' skips it where it is unknown)",
			     gcc_version.basever, what, flag, near, flag);
	else
		diag_setting(KILN_ERROR, setting,
			     "GCC %s has no %s '%s' ('?%s' skips it where it is unknown)",
			     gcc_version.basever, what, flag, flag);
	return BAD_FLAG;
}

static enum flag_state judge_unknown(const struct kiln_setting *setting)
{
	option_proposer proposer;

	if (setting->optional)
		return skip(setting, "flag");
	const char *near = proposer.suggest_option(setting->flag + 1);
	return refuse(setting, "flag", near ? ACONCAT(("-", near, NULL)) : NULL);
}

/* ---- flags of the CPU ---- */

struct cl_decoded_option *judge_decode(const char *text)
{
	const char *argv[2] = { "cc1", text };
	struct cl_decoded_option *decoded;
	unsigned count;

	decode_cmdline_options_to_array_default_mask(2, argv, &decoded, &count);
	return count == 2 ? &decoded[1] : NULL;
}

static bool is_listed(const char *const *list, const char *name, size_t length)
{
	for (; *list; list++)
		if (!strncmp(*list, name, length) && !(*list)[length])
			return true;
	return false;
}

/* One "+NAME" or "+noNAME" at TEXT, LENGTH bytes long. */
static bool is_known_extension(const char *text, size_t length)
{
	const char *const *known = target_extensions();
	size_t skip = kiln_extension_name(text) - text;

	if (is_listed(known, text + 1, length - 1))
		return true;
	return length > skip && is_listed(known, text + skip, length - skip);
}

static const char *nearest_extension(const char *word)
{
	const char *near = kiln_nearest(kiln_extension_name(word), target_extensions());

	return near ? concat(kiln_extension_is_negative(word) ? "+no" : "+", near, NULL) : NULL;
}

static enum flag_state judge_extension(const struct kiln_setting *setting)
{
	const char *word = setting->flag;

	if (!target_extensions()) {
		diag_setting(KILN_ERROR, setting,
			     "'%s' is an extension of a CPU, which this target's -march= does not "
			     "take; name a target that does with 'on'", word);
		return BAD_FLAG;
	}
	if (is_known_extension(word, strlen(word)))
		return GOOD_EXTENSION;
	return setting->optional ? skip(setting, "extension") :
				   refuse(setting, "extension", nearest_extension(word));
}

/* FLAG, with what stands for its value's first LENGTH bytes replaced by the nearest name. */
static enum flag_state refuse_cpu(const struct kiln_setting *setting, const char *const *known,
				  const char *value, size_t length)
{
	char *prefix = xstrndup(setting->flag, strlen(setting->flag) - strlen(value));
	char *name = xstrndup(value, length);
	const char *near = kiln_nearest(name, known);
	char *whole = near ? concat(prefix, near, value + length, NULL) : NULL;
	enum flag_state state = refuse(setting, "CPU", whole);

	free(whole);
	free(name);
	free(prefix);
	return state;
}

/* GCC looks at a CPU's name long after the policy was read, and without its place. */
static enum flag_state judge_cpu(const struct kiln_setting *setting,
			    const struct cl_decoded_option *decoded)
{
	const char *const *known = target_values(decoded->opt_index);
	size_t length;

	if (!known || !decoded->arg)
		return GOOD_FLAG;
	length = target_extensions() && kiln_flag_extension_rank(setting->flag) ?
			 strcspn(decoded->arg, "+") : strlen(decoded->arg);
	if (!is_listed(known, decoded->arg, length))
		return setting->optional ? skip(setting, "CPU") :
					   refuse_cpu(setting, known, decoded->arg, length);
	for (const char *word = decoded->arg + length; *word; word += length) {
		length = 1 + strcspn(word + 1, "+");
		if (!is_known_extension(word, length))
			return setting->optional ? skip(setting, "extension") :
						   refuse(setting, "extension in", NULL);
	}
	return GOOD_FLAG;
}

static enum flag_state judge_target(const struct kiln_setting *setting,
			       const struct cl_decoded_option *decoded)
{
	if (!kiln_flag_is_native(setting->flag))
		return judge_cpu(setting, decoded);
	diag_setting(KILN_ERROR, setting,
		     "'%s' is not resolved: a plugin sees no more of it, and each machine would build "
		     "something else; 'kiln native -o FILE' resolves it once, 'include FILE' goes in "
		     "the place of this flag", setting->flag);
	return BAD_FLAG;
}

/* ---- any flag ---- */

/*
 * Is the option one of code generation? Those that a function can carry, the
 * params, and the common -f flags that DW_AT_producer tells of; GCC keeps the
 * rest (messages, dumps, paths) out of there.
 */
static bool generates_code(size_t index)
{
	const struct cl_option *option = &cl_options[index];

	if (option->flags & (CL_OPTIMIZATION | CL_PARAMS))
		return true;
	return (option->flags & CL_COMMON) && !(option->flags & CL_NO_DWARF_RECORD) &&
	       option->var_type != CLVC_DEFER && option->opt_text[1] == 'f';
}

static enum flag_state judge(const struct kiln_setting *setting,
			const struct cl_decoded_option *decoded)
{
	if (decoded->opt_index == OPT_SPECIAL_unknown)
		return judge_unknown(setting);
	if (decoded->opt_index >= cl_options_count) {
		diag_setting(KILN_WARNING, setting, "GCC %s ignores '%s'",
			     gcc_version.basever, setting->flag);
		return SKIPPED_FLAG;
	}
	if (cl_options[decoded->opt_index].flags & CL_TARGET)
		return judge_target(setting, decoded);
	/* The front end accepts its own flags only where it stands: on the command line. */
	if (!generates_code(decoded->opt_index) ||
	    (cl_options[decoded->opt_index].flags & lang_hooks.option_lang_mask())) {
		diag_setting(KILN_ERROR, setting,
			     "'%s' is not a flag of code generation; give it on the command line",
			     setting->flag);
		return BAD_FLAG;
	}
	return GOOD_FLAG;
}

static void judge_it(struct flag *flag)
{
	const struct kiln_setting *setting = flag->setting;

	if (kiln_flag_is_extension(setting->flag)) {
		flag->state = judge_extension(setting);
		return;
	}
	flag->decoded = judge_decode(setting->flag);
	if (flag->decoded) {
		flag->state = judge(setting, flag->decoded);
	} else {
		diag_setting(KILN_ERROR, setting, "'%s' stands for several flags; name them",
			     setting->flag);
		flag->state = BAD_FLAG;
	}
}

static size_t flag_slot(const struct kiln_setting *setting)
{
	size_t slot = ((size_t)setting / sizeof(*setting)) & (flag_table_size - 1);

	while (flag_table[slot] && flag_table[slot]->setting != setting)
		slot = (slot + 1) & (flag_table_size - 1);
	return slot;
}

static void grow_flag_table(void)
{
	struct flag **old = flag_table;
	size_t old_size = flag_table_size;

	flag_table_size = old_size ? 2 * old_size : 32;
	flag_table = XCNEWVEC(struct flag *, flag_table_size);
	for (size_t i = 0; i < old_size; i++)
		if (old[i])
			flag_table[flag_slot(old[i]->setting)] = old[i];
	free(old);
}

struct flag *judge_flag_of(const struct kiln_setting *setting)
{
	struct flag *flag;
	size_t slot;

	if (2 * flag_table_used >= flag_table_size)
		grow_flag_table();
	slot = flag_slot(setting);
	if (flag_table[slot])
		return flag_table[slot];
	flag = XCNEW(struct flag);
	flag->setting = setting;
	judge_it(flag);
	flag_table[slot] = flag;
	flag_table_used++;
	return flag;
}
