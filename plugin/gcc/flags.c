// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "diag.h"
#include "flags.h"

enum state { UNKNOWN_FLAG, GOOD_FLAG, BAD_FLAG, SKIPPED_FLAG };

/* What GCC makes of one setting's flag. Built at the first use, kept. */
struct flag {
	const struct kiln_setting *setting;
	enum state state;
	struct cl_decoded_option *decoded;
};

static struct flag **flag_table;	/* open addressing, a power of two */
static size_t flag_table_size, flag_table_used;

static struct cl_option_handlers handlers;
static bool verbose_mode;

/* The options before and after the unit's flags; valid if unit_changed. */
static bool unit_changed;
static struct gcc_options before, before_set, after;

/* Options that the unit's flags changed. NULL before the first need. */
static size_t *changed_options;
static size_t nr_changed_options;

static const struct kiln_verdict *unit_verdict;

void flags_set_verbose(bool verbose)
{
	verbose_mode = verbose;
}

/* ---- judging a flag -------------------------------------------------------- */

static void report_unknown(const struct kiln_setting *setting)
{
	option_proposer proposer;
	const char *flag = setting->flag;
	const char *near = proposer.suggest_option(flag + 1);

	if (setting->optional) {
		if (verbose_mode)
			diag_setting(KILN_NOTE, setting, "'%s' is skipped: GCC %s has no such flag",
				     flag, gcc_version.basever);
		return;
	}
	if (near)
		diag_setting(KILN_ERROR, setting,
			     "GCC %s has no flag '%s'; did you mean '-%s'? "
			     "('?%s' skips it where it is unknown)",
			     gcc_version.basever, flag, near, flag);
	else
		diag_setting(KILN_ERROR, setting,
			     "GCC %s has no flag '%s' ('?%s' skips it where it is unknown)",
			     gcc_version.basever, flag, flag);
}

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

static enum state judge(const struct kiln_setting *setting, struct cl_decoded_option *decoded)
{
	if (decoded->opt_index == OPT_SPECIAL_unknown) {
		report_unknown(setting);
		return setting->optional ? SKIPPED_FLAG : BAD_FLAG;
	}
	if (decoded->opt_index >= cl_options_count) {
		diag_setting(KILN_WARNING, setting, "GCC %s ignores '%s'",
			     gcc_version.basever, setting->flag);
		return SKIPPED_FLAG;
	}
	if (cl_options[decoded->opt_index].flags & CL_TARGET) {
		diag_setting(KILN_ERROR, setting,
			     "'%s' is a flag of the CPU target, which this version of Kiln "
			     "does not set; give it on the command line", setting->flag);
		return BAD_FLAG;
	}
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

static void decode(struct flag *flag)
{
	const char *argv[2] = { "cc1", flag->setting->flag };
	struct cl_decoded_option *decoded;
	unsigned count;

	decode_cmdline_options_to_array_default_mask(2, argv, &decoded, &count);
	flag->decoded = &decoded[1];
	/* An alias for several options would need several places in this table. */
	if (count != 2) {
		diag_setting(KILN_ERROR, flag->setting, "'%s' stands for several flags; name them",
			     flag->setting->flag);
		flag->state = BAD_FLAG;
	} else {
		flag->state = judge(flag->setting, flag->decoded);
	}
	if (!handlers.num_handlers)
		set_default_handlers(&handlers, targetm.target_option.override);
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

/* The flag of SETTING, judged; its decoded option is good for any use. */
static struct flag *get_flag(const struct kiln_setting *setting)
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
	decode(flag);
	flag_table[slot] = flag;
	flag_table_used++;
	return flag;
}

/* ---- applying it ------------------------------------------------------------ */

/* GCC reports a bad value here, once: the flag is bad from then on. */
static void handle(struct flag *flag, struct gcc_options *opts, struct gcc_options *opts_set)
{
	unsigned errors = diag_errors();

	diag_gcc_begin(flag->setting);
	read_cmdline_option(opts, opts_set, flag->decoded, UNKNOWN_LOCATION,
			    lang_hooks.option_lang_mask(), &handlers, global_dc);
	diag_gcc_end();
	if (diag_errors() != errors)
		flag->state = BAD_FLAG;
}

static bool per_function(const struct flag *flag)
{
	return cl_options[flag->decoded->opt_index].flags & CL_OPTIMIZATION;
}

/*
 * May FLAG hold for a single function? A rule of unit scope that matched only
 * the file where the function is defined does not ask for more than that; any
 * other rule that names a function and a flag of the unit is mistaken.
 */
static bool fits_function(struct flag *flag)
{
	const struct kiln_setting *setting = flag->setting;

	if (per_function(flag))
		return true;
	if (!setting->rule->unit_scope) {
		diag_setting(KILN_ERROR, setting,
			     "GCC cannot set '%s' for a function, only for a whole unit; "
			     "use a rule with 'all', 'on' or 'file' alone", setting->flag);
		flag->state = BAD_FLAG;
	}
	return false;
}

void flags_apply_unit(const struct kiln_verdict *unit)
{
	unsigned errors = diag_errors();

	unit_verdict = unit;
	if (!unit->nr_flags)
		return;
	before = global_options;
	before_set = global_options_set;
	for (size_t i = 0; i < unit->nr_flags; i++) {
		struct flag *flag = get_flag(unit->flags[i]);

		if (flag->state == GOOD_FLAG)
			handle(flag, &global_options, &global_options_set);
	}
	/* GCC stores some values before it refuses them, and would fall over them later. */
	if (diag_errors() != errors) {
		global_options = before;
		global_options_set = before_set;
		return;
	}
	finish_options(&global_options, &global_options_set, UNKNOWN_LOCATION);
	after = global_options;
	unit_changed = true;
}

/* ---- a function's node ------------------------------------------------------- */

static size_t option_size(size_t index)
{
	const struct cl_option *option = &cl_options[index];

	switch (option->var_type) {
	case CLVC_STRING:
		return sizeof(const char *);
	case CLVC_ENUM:
		return cl_enums[option->var_enum].var_size;
	default:
		return option->cl_host_wide_int ? sizeof(HOST_WIDE_INT) : sizeof(int);
	}
}

static void find_changed_options(void)
{
	changed_options = XNEWVEC(size_t, cl_options_count);
	for (size_t i = 0; i < cl_options_count; i++) {
		const void *old_value = option_flag_var(i, &before);

		if (!(cl_options[i].flags & CL_OPTIMIZATION) || !old_value)
			continue;
		if (memcmp(old_value, option_flag_var(i, &after), option_size(i)))
			changed_options[nr_changed_options++] = i;
	}
}

static void revert(size_t index, struct gcc_options *opts, struct gcc_options *from)
{
	memcpy(option_flag_var(index, opts), option_flag_var(index, from), option_size(index));
}

/* Takes the unit's flags away again. */
static void revert_unit(struct gcc_options *opts, struct gcc_options *opts_set)
{
	if (!unit_changed)
		return;
	if (!changed_options)
		find_changed_options();
	for (size_t i = 0; i < nr_changed_options; i++) {
		revert(changed_options[i], opts, &before);
		revert(changed_options[i], opts_set, &before_set);
	}
}

static tree build_node(const struct kiln_verdict *verdict, tree base)
{
	static struct gcc_options opts, opts_set;

	opts = global_options;
	opts_set = global_options_set;
	if (optimization_current_node != base)
		kiln_optimization_restore(&opts, &opts_set, base);
	revert_unit(&opts, &opts_set);
	for (size_t i = 0; i < verdict->nr_flags; i++) {
		struct flag *flag = get_flag(verdict->flags[i]);

		if (flag->state == GOOD_FLAG && fits_function(flag))
			handle(flag, &opts, &opts_set);
	}
	finish_options(&opts, &opts_set, UNKNOWN_LOCATION);
	/* A .cold part is a second symbol, from which some of the calls are made. */
	if (verdict->keep)
		opts.x_flag_reorder_blocks_and_partition = 0;
	return kiln_build_optimization_node(&opts, &opts_set);
}

/* Nodes by (verdict, base). GCC would collect those in use by no function yet. */
struct node {
	unsigned verdict;
	tree base;
	tree built;
};

static struct node *nodes;
static size_t nr_nodes, nodes_size;
static tree live_nodes;

static struct ggc_root_tab roots[] = {
	{ &live_nodes, 1, sizeof(live_nodes), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB
};

static void remember_node(unsigned verdict, tree base, tree built)
{
	if (!nodes)
		register_callback("kiln", PLUGIN_REGISTER_GGC_ROOTS, NULL, roots);
	if (nr_nodes == nodes_size) {
		nodes_size = nodes_size ? 2 * nodes_size : 16;
		nodes = XRESIZEVEC(struct node, nodes, nodes_size);
	}
	live_nodes = tree_cons(base, built, live_nodes);
	nodes[nr_nodes].verdict = verdict;
	nodes[nr_nodes].base = base;
	nodes[nr_nodes].built = built;
	nr_nodes++;
}

tree flags_node(const struct kiln_verdict *verdict, tree base)
{
	if (!base)
		base = optimization_default_node;
	for (size_t i = nr_nodes; i-- > 0;)
		if (nodes[i].verdict == verdict->number && nodes[i].base == base)
			return nodes[i].built;
	tree built = build_node(verdict, base);
	remember_node(verdict->number, base, built);
	return built;
}

/* Has A a flag that B has not and that is read before the IPA passes? */
static bool has_more_early_flags(const struct kiln_verdict *a, const struct kiln_verdict *b)
{
	for (size_t i = 0; i < a->nr_flags; i++) {
		const struct flag *flag = get_flag(a->flags[i]);
		bool shared = false;

		for (size_t j = 0; j < b->nr_flags && !shared; j++)
			shared = a->flags[i] == b->flags[j];
		if (!shared && flag->state == GOOD_FLAG &&
		    !(cl_options[flag->decoded->opt_index].flags & CL_PARAMS))
			return true;
	}
	return false;
}

bool flags_wait_for_ipa(const struct kiln_verdict *verdict)
{
	return !has_more_early_flags(verdict, unit_verdict) &&
	       !has_more_early_flags(unit_verdict, verdict);
}

/* ---- all of a policy ---------------------------------------------------------- */

void flags_check(const struct kiln_rule *rule)
{
	static struct gcc_options opts, opts_set;

	opts = global_options;
	opts_set = global_options_set;
	for (unsigned i = 0; i < rule->nr_settings; i++) {
		const struct kiln_setting *setting = &rule->settings[i];

		if (setting->what != KILN_FLAG)
			continue;
		struct flag *flag = get_flag(setting);
		if (flag->state == GOOD_FLAG && (rule->unit_scope || fits_function(flag)))
			handle(flag, &opts, &opts_set);
	}
}

/* ---- the command line on record ------------------------------------------------- */

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

static bool is_param(const struct cl_decoded_option *option)
{
	return option->opt_index < cl_options_count &&
	       cl_options[option->opt_index].flags & CL_PARAMS;
}

/*
 * Where the driver passes a --param, whatever its place on the driver's own command
 * line: behind all other flags of the user, before what the driver adds.
 */
static unsigned params_place(void)
{
	unsigned place = save_decoded_options_count;

	for (unsigned i = place; i > 0; i--)
		if (is_param(&save_decoded_options[i - 1]))
			return i;
	while (place > 0 && (save_decoded_options[place - 1].opt_index == OPT_o ||
			     save_decoded_options[place - 1].opt_index ==
				     OPT_fasynchronous_unwind_tables))
		place--;
	return place;
}

static unsigned put_unit_flags(struct cl_decoded_option *options, unsigned count, bool params)
{
	size_t nr_flags = unit_verdict ? unit_verdict->nr_flags : 0;

	for (size_t i = 0; i < nr_flags; i++) {
		const struct flag *flag = get_flag(unit_verdict->flags[i]);

		if (flag->state != GOOD_FLAG || is_param(flag->decoded) != params)
			continue;
		options[count] = *flag->decoded;
		/* The driver passes aliases on under the name that they stand for. */
		if (flag->decoded->canonical_option_num_elements == 1)
			options[count].orig_option_with_args_text =
				flag->decoded->canonical_option[0];
		count++;
		if (per_function(flag))
			kiln_save_for_optimize_attribute(*flag->decoded);
	}
	return count;
}

void flags_rewrite_command_line(const char *base_name, const char *full_name)
{
	size_t nr_flags = unit_verdict ? unit_verdict->nr_flags : 0;
	unsigned place = params_place();
	struct cl_decoded_option *options;
	bool put = false;
	unsigned count = 0;

	options = XNEWVEC(struct cl_decoded_option, save_decoded_options_count + nr_flags);
	for (unsigned i = 0; i < save_decoded_options_count; i++) {
		if (i == place)
			count = put_unit_flags(options, count, true);
		if (!is_ours(&save_decoded_options[i], base_name, full_name)) {
			options[count++] = save_decoded_options[i];
			continue;
		}
		if (!put && loads(&save_decoded_options[i], base_name, full_name)) {
			count = put_unit_flags(options, count, false);
			put = true;
		}
	}
	if (place == save_decoded_options_count)
		count = put_unit_flags(options, count, true);
	save_decoded_options = options;
	save_decoded_options_count = count;
}
