// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "cmdline.h"
#include "diag.h"
#include "flags.h"
#include "judge.h"
#include "kiln/cpu.h"
#include "target-cpu.h"

static struct cl_option_handlers handlers;

/* The options before and after the unit's flags; valid if unit_changed. */
static bool unit_changed;
static struct gcc_options before, before_set, after;

/* Options that the unit's flags changed. NULL before the first need. */
static size_t *changed_options;
static size_t nr_changed_options;

static const struct kiln_verdict *unit_verdict;

/* ---- applying it ------------------------------------------------------------ */

/* GCC reports a bad value here, once: the flag is bad from then on. */
static void handle(struct flag *flag, struct gcc_options *opts, struct gcc_options *opts_set)
{
	unsigned errors = diag_errors();

	if (!handlers.num_handlers)
		set_default_handlers(&handlers, targetm.target_option.override);
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

/* ---- the unit ---- */

/* The options that the unit's flags are, in the order in which they hold. */
static struct flag **unit_flags;
static size_t nr_unit_flags;

static void add_unit_flag(struct flag *flag)
{
	if (!unit_flags)
		unit_flags = XNEWVEC(struct flag *, unit_verdict->nr_flags + 1);
	unit_flags[nr_unit_flags++] = flag;
}

/* All extensions of the unit's verdict, one after the other; NULL: there are none. */
static char *join_extensions(const struct kiln_setting **ret_first)
{
	char *joined = NULL;

	for (size_t i = 0; i < unit_verdict->nr_flags; i++) {
		if (judge_flag_of(unit_verdict->flags[i])->state != GOOD_EXTENSION)
			continue;
		if (!joined)
			*ret_first = unit_verdict->flags[i];
		joined = reconcat(joined, joined ? joined : "", unit_verdict->flags[i]->flag, NULL);
	}
	return joined;
}

/* The last of the unit's flags that has RANK, or NULL. */
static struct flag *unit_flag_of_rank(int rank)
{
	for (size_t i = nr_unit_flags; i-- > 0;)
		if (kiln_flag_extension_rank(unit_flags[i]->setting->flag) == rank)
			return unit_flags[i];
	return NULL;
}

/* The same of the command line. */
static const struct cl_decoded_option *saved_option_of_rank(int rank)
{
	for (unsigned i = save_decoded_options_count; i-- > 0;) {
		const char *text = save_decoded_options[i].orig_option_with_args_text;

		if (text && kiln_flag_extension_rank(text) == rank)
			return &save_decoded_options[i];
	}
	return NULL;
}

/* "-mcpu=x" was on the command line: "-mcpu=x+noy" is a flag of the unit. */
static void extend_saved_option(const struct cl_decoded_option *option, const char *extensions,
				const struct kiln_setting *setting)
{
	struct flag *flag = XCNEW(struct flag);

	flag->setting = setting;
	flag->state = GOOD_FLAG;
	flag->decoded = judge_decode(concat(option->orig_option_with_args_text, extensions, NULL));
	add_unit_flag(flag);
}

/*
 * What is taken away from no CPU at all is not there: the default one has no
 * extensions. What is added where that can be is left out where it cannot.
 */
static void report_no_cpu(void)
{
	for (size_t i = 0; i < unit_verdict->nr_flags; i++) {
		const struct flag *flag = judge_flag_of(unit_verdict->flags[i]);

		if (flag->state == GOOD_EXTENSION && !flag->setting->optional &&
		    !kiln_extension_is_negative(flag->setting->flag))
			diag_setting(KILN_ERROR, flag->setting,
				     "'%s' has no -mcpu= or -march= to be added to",
				     flag->setting->flag);
	}
}

static void apply_extensions(void)
{
	const struct kiln_setting *first = NULL;
	char *extensions = join_extensions(&first);

	if (!extensions)
		return;
	for (int rank = 2; rank > 0; rank--) {
		const struct cl_decoded_option *saved = saved_option_of_rank(rank);
		struct flag *flag = unit_flag_of_rank(rank);

		if (flag)
			flag->decoded = judge_decode(concat(flag->setting->flag, extensions, NULL));
		else if (saved)
			extend_saved_option(saved, extensions, first);
		else
			continue;
		free(extensions);
		return;
	}
	report_no_cpu();
	free(extensions);
}

/*
 * Had "-march=haswell" stood behind "-march=native", the driver had dropped that; it
 * spelled it out instead, feature by feature, and those stay. Where a CPU's features
 * are part of the value, the last value is all there is.
 */
static void warn_of_native(const struct kiln_setting *setting)
{
	const char *options = getenv("COLLECT_GCC_OPTIONS");
	size_t length = strcspn(setting->flag, "=");

	if (!options || !setting->flag[length] || target_extensions())
		return;
	char *native = xasprintf("'%.*s=native'", (int)length, setting->flag);
	if (strstr(options, native))
		diag_setting(KILN_WARNING, setting,
			     "%s on the command line adds this machine's features to those of "
			     "'%s'; take it from there", native, setting->flag);
	free(native);
}

static void collect_unit_flags(void)
{
	for (size_t i = 0; i < unit_verdict->nr_flags; i++) {
		struct flag *flag = judge_flag_of(unit_verdict->flags[i]);

		if (flag->state != GOOD_FLAG)
			continue;
		add_unit_flag(flag);
		warn_of_native(flag->setting);
	}
	apply_extensions();
}

static void record_unit_flags(void)
{
	const struct cl_decoded_option **options =
		XNEWVEC(const struct cl_decoded_option *, nr_unit_flags + 1);

	for (size_t i = 0; i < nr_unit_flags; i++)
		options[i] = unit_flags[i]->decoded;
	cmdline_add(options, nr_unit_flags);
}

void flags_apply_unit(const struct kiln_verdict *unit)
{
	unsigned errors = diag_errors();

	unit_verdict = unit;
	if (!unit->nr_flags)
		return;
	before = global_options;
	before_set = global_options_set;
	collect_unit_flags();
	record_unit_flags();
	for (size_t i = 0; i < nr_unit_flags; i++)
		handle(unit_flags[i], &global_options, &global_options_set);
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

void flags_explain_target(void)
{
	for (size_t i = 0; unit_changed && i < nr_unit_flags; i++)
		if (cl_options[unit_flags[i]->decoded->opt_index].flags & CL_TARGET)
			diag_setting(KILN_NOTE, unit_flags[i]->setting,
				     "'%s' is a flag of this unit by this line; 'default' for the "
				     "unit, in a later line, forgets it",
				     unit_flags[i]->decoded->orig_option_with_args_text);
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
		struct flag *flag = judge_flag_of(verdict->flags[i]);

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
		const struct flag *flag = judge_flag_of(a->flags[i]);
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
		struct flag *flag = judge_flag_of(setting);
		if (flag->state == GOOD_FLAG && (rule->unit_scope || fits_function(flag)))
			handle(flag, &opts, &opts_set);
	}
}
