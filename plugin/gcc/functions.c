// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "calls.h"
#include "diag.h"
#include "flags.h"
#include "functions.h"
#include "inlining.h"
#include "target-cpu.h"
#include "unit.h"

static struct functions_config config;
static const struct kiln_verdict *unit_verdict;

/*
 * Function declarations are GCC's to collect; those that are remembered from
 * parsing to the IPA passes hang on TREE_LISTs that it knows as roots.
 */
static tree asm_register_functions;	/* TREE_VALUE: the function */
static tree early_functions;	/* TREE_PURPOSE: its node by the source, TREE_VALUE: the function */

/*
 * GCC goes back to the options of optimization_default_node between any two
 * functions, and each way costs it 7,000 instructions. So when most functions
 * have one other node, that node becomes the default while the IPA passes run,
 * and the others carry theirs by name, as under -flto all do. Only where nodes
 * differ in params: optabs depend on -f flags and belong to the real default.
 * This is the real one meanwhile.
 */
static tree real_default_node;

static struct ggc_root_tab roots[] = {
	{ &asm_register_functions, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	{ &real_default_node, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	{ &early_functions, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB
};

static const char *name_of(tree fndecl)
{
	return IDENTIFIER_POINTER(DECL_NAME(fndecl));
}

/* Some units are made of others: kernel/sched/build_policy.c includes rt.c. */
static bool is_c_file(const char *path)
{
	size_t length = strlen(path);

	return length > 2 && !strcmp(path + length - 2, ".c");
}

static bool is_header_inline(tree fndecl)
{
	const char *path = DECL_SOURCE_FILE(fndecl);

	return DECL_DECLARED_INLINE_P(fndecl) && !is_c_file(path) &&
	       strcmp(path, main_input_filename);
}

static struct kiln_function describe(tree fndecl)
{
	struct kiln_function function;

	function.name = name_of(fndecl);
	function.file = unit_tree_path(DECL_SOURCE_FILE(fndecl));
	function.section = DECL_SECTION_NAME(fndecl);
	/* An extern inline's body is there to be inlined, and never output. */
	function.is_copied = is_header_inline(fndecl) || DECL_EXTERNAL(fndecl);
	return function;
}

static const struct kiln_verdict *checked(const struct kiln_verdict *verdict)
{
	if (!verdict)
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	return verdict;
}

static const struct kiln_verdict *verdict_of(tree fndecl)
{
	struct kiln_function function = describe(fndecl);

	return checked(kiln_decider_function(config.decider, &function));
}

static void say(tree fndecl, const struct kiln_setting *setting, const char *what)
{
	if (config.verbose)
		diag_setting(KILN_NOTE, setting, "%s: %s", what, name_of(fndecl));
}

/* Each line of the policy is told once per unit, with the first function. */
static void warn_once(const struct kiln_setting *setting, tree fndecl, const char *why)
{
	static hash_set<const void *> *warned;

	if (!warned)
		warned = new hash_set<const void *>;
	if (warned->add(setting))
		return;
	expanded_location where = expand_location(DECL_SOURCE_LOCATION(fndecl));
	diag_setting(KILN_WARNING, setting, "'%s' cannot hold for '%s' (%s:%d): %s",
		     kiln_what_name(setting->what), name_of(fndecl),
		     unit_tree_path(where.file), where.line, why);
}

/* ---- options -------------------------------------------------------------------- */

static bool same_flags(const struct kiln_verdict *a, const struct kiln_verdict *b)
{
	return a->nr_flags == b->nr_flags &&
	       !memcmp(a->flags, b->flags, a->nr_flags * sizeof(*a->flags));
}

/* Can the function do with the unit's options? A kept one is not split. */
static bool is_as_unit(const struct kiln_verdict *verdict)
{
	return same_flags(verdict, unit_verdict) && !verdict->keep;
}

static void set_options(tree fndecl, const struct kiln_verdict *verdict, tree source_node)
{
	tree node = is_as_unit(verdict) ? source_node : flags_node(verdict, source_node);

	if (node == optimization_default_node && !source_node)
		node = NULL_TREE;
	DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fndecl) = node;
}

/* For the body that is about to be parsed. */
static void start_function(tree fndecl)
{
	tree source_node = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fndecl);
	const struct kiln_verdict *verdict = verdict_of(fndecl);

	if (same_flags(verdict, unit_verdict) || flags_wait_for_ipa(verdict))
		return;
	early_functions = tree_cons(source_node, fndecl, early_functions);
	set_options(fndecl, verdict, source_node);
}

static bool definition_begins;
static void (*gcc_set_current_function)(tree fndecl);

static void see_definition(void *, void *)
{
	definition_begins = true;
}

/* What GCC did with the function's options just before it called the hook. */
static void use_options(tree fndecl)
{
	tree node = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fndecl);

	if (!node)
		node = optimization_default_node;
	if (node == optimization_current_node)
		return;
	optimization_current_node = node;
	kiln_optimization_restore(&global_options, &global_options_set, node);
}

/*
 * PLUGIN_START_PARSE_FUNCTION comes too early: the attributes are not applied yet, and
 * a prototype's declaration may take the place of the one it shows.
 */
static void set_current_function(tree fndecl)
{
	if (definition_begins && fndecl && fndecl == current_function_decl) {
		definition_begins = false;
		start_function(fndecl);
		use_options(fndecl);
	}
	gcc_set_current_function(fndecl);
}

/* ---- keep, noinline, inline -------------------------------------------------------- */

static void add_attribute(tree fndecl, const char *name)
{
	if (!lookup_attribute(name, DECL_ATTRIBUTES(fndecl)))
		DECL_ATTRIBUTES(fndecl) = tree_cons(get_identifier(name), NULL_TREE,
						    DECL_ATTRIBUTES(fndecl));
}

static void make_noinline(tree fndecl)
{
	add_attribute(fndecl, "noinline");
	DECL_UNINLINABLE(fndecl) = 1;
}

/*
 * noclone keeps IPA-SRA, IPA-CP and the splitter from making a copy with other
 * arguments, no_icf keeps it from becoming an alias or a tail of its twin, and
 * with its output forced it has callers that GCC does not know: its arguments
 * are what the ABI says, whatever the callers in this unit pass.
 */
static void keep(struct cgraph_node *node)
{
	make_noinline(node->decl);
	add_attribute(node->decl, "noclone");
	add_attribute(node->decl, "no_icf");
	node->mark_force_output();
}

static void set_out_of_line(struct cgraph_node *node, const struct kiln_setting *setting)
{
	tree fndecl = node->decl;

	if (lookup_attribute("always_inline", DECL_ATTRIBUTES(fndecl))) {
		warn_once(setting, fndecl,
			  "it is always_inline, and its callers count on its body");
	} else if (setting->what == KILN_KEEP) {
		keep(node);
		say(fndecl, setting, "kept");
	} else {
		make_noinline(fndecl);
		say(fndecl, setting, "not inlined");
	}
}

/* Does NODE call itself, through whatever functions of the unit? */
static bool is_recursive(struct cgraph_node *node)
{
	auto_vec<cgraph_node *> queue;
	hash_set<cgraph_node *> seen;

	queue.safe_push(node);
	while (!queue.is_empty()) {
		for (struct cgraph_edge *e = queue.pop()->callees; e; e = e->next_callee) {
			struct cgraph_node *callee = e->callee->ultimate_alias_target();

			if (callee == node)
				return true;
			if (callee->definition && !seen.add(callee))
				queue.safe_push(callee);
		}
	}
	return false;
}

/*
 * What the always_inline attribute sets, without the attribute: GCC inlines
 * where it can, and where it cannot there is a call and no error. Not in a
 * recursion, which without limits it would unroll for ever.
 */
static void set_inline(struct cgraph_node *node, const struct kiln_setting *setting)
{
	tree fndecl = node->decl;

	if (DECL_UNINLINABLE(fndecl)) {
		warn_once(setting, fndecl, "its source says noinline");
		return;
	}
	if (is_recursive(node)) {
		warn_once(setting, fndecl, "it is recursive, and there would be no end to it");
		return;
	}
	DECL_DISREGARD_INLINE_LIMITS(fndecl) = 1;
	say(fndecl, setting, "inlined whatever its size");
}

static void set_inlining(struct cgraph_node *node, const struct kiln_verdict *verdict)
{
	if (verdict->keep)
		set_out_of_line(node, verdict->keep);
	else if (verdict->noinline)
		set_out_of_line(node, verdict->noinline);
	else if (verdict->inlined)
		set_inline(node, verdict->inlined);
}

/* ---- the asm register guard ---------------------------------------------------------- */

/*
 * register unsigned long x asm("r10") = f(y);
 * asm volatile("syscall" : ... : "r"(x));
 *
 * A call that appears between the two because less is inlined clobbers x.
 */
static void see_declaration(void *gcc_data, void *)
{
	tree decl = (tree)gcc_data;

	if (!current_function_decl || !VAR_P(decl) || !DECL_HARD_REGISTER(decl))
		return;
	if (asm_register_functions && TREE_VALUE(asm_register_functions) == current_function_decl)
		return;
	asm_register_functions = tree_cons(NULL_TREE, current_function_decl,
					   asm_register_functions);
}

/* ---- all functions that are left when the call graph stands --------------------------- */

/* A function with a body. */
static bool is_body(struct cgraph_node *node)
{
	return node->definition && !node->alias && !kiln_is_thunk(node);
}

static bool may_be_inlined(struct cgraph_node *node)
{
	return is_body(node) && !DECL_UNINLINABLE(node->decl);
}

/* Adds NODE to those left alone, once; what follows from it is QUEUEd. */
static void add_left(struct cgraph_node *node, hash_set<tree> *left,
		     vec<cgraph_node *> *queue, const char *why)
{
	if (left->add(node->decl))
		return;
	queue->safe_push(node);
	if (config.verbose && why)
		diag_plain(KILN_NOTE, "left alone: %s, %s", name_of(node->decl), why);
}

/* Does it not matter to one caller of NODE's whether another one inlines it? */
static bool is_inlined_by_caller(struct cgraph_node *node)
{
	tree fndecl = node->decl;

	return lookup_attribute("always_inline", DECL_ATTRIBUTES(fndecl)) ||
	       is_header_inline(fndecl);
}

/* NODE's callers, theirs if those may be inlined in turn, and so on. */
static void find_outer_callers(struct cgraph_node *node, hash_set<cgraph_node *> *outer,
			       hash_set<tree> *left, vec<cgraph_node *> *queue)
{
	auto_vec<cgraph_node *> inner;

	inner.safe_push(node);
	while (!inner.is_empty()) {
		for (struct cgraph_edge *e = inner.pop()->callers; e; e = e->next_caller) {
			add_left(e->caller, left, queue,
				 "it may hold a call to what a function left alone may inline");
			if (may_be_inlined(e->caller) && !outer->add(e->caller))
				inner.safe_push(e->caller);
		}
	}
}

/*
 * What is left alone may swallow its callees: their calls become its calls.
 * QUEUE holds the functions to begin with.
 *
 * With OUTER, nothing in them may change at all. Whether a callee goes into one
 * depends on the callee's other callers, for GCC weighs what is gained once a
 * function is inlined everywhere; so those are left alone too. Not so for the
 * helpers in headers, which are called from everywhere: they are inlined caller
 * by caller.
 */
static void spread_left(hash_set<tree> *left, vec<cgraph_node *> *queue, bool outer)
{
	hash_set<cgraph_node *> seen;

	while (!queue->is_empty()) {
		struct cgraph_node *node = queue->pop();

		for (struct cgraph_edge *e = node->callees; e; e = e->next_callee) {
			struct cgraph_node *callee = e->callee->ultimate_alias_target();

			if (may_be_inlined(callee))
				add_left(callee, left, queue,
					 "it may be inlined into a function left alone");
		}
		if (outer && may_be_inlined(node) && !is_inlined_by_caller(node))
			find_outer_callers(node, &seen, left, queue);
	}
}

/* A rule that names a section is about code that may not call out of it. */
static void find_left_by_rule(hash_set<tree> *left)
{
	auto_vec<cgraph_node *> by_section, by_name;
	struct cgraph_node *node;

	FOR_EACH_FUNCTION (node) {
		if (!is_body(node))
			continue;
		const struct kiln_verdict *verdict = verdict_of(node->decl);
		if (!verdict->leave)
			continue;
		say(node->decl, verdict->leave, "left alone");
		add_left(node, left, kiln_rule_names(verdict->leave->rule, KILN_SECTION)
			 ? &by_section : &by_name, NULL);
	}
	spread_left(left, &by_section, true);
	spread_left(left, &by_name, false);
}

/*
 * An inline function takes its asm registers into its callers. Among callees
 * only those declared inline are counted on not to become calls; a static one
 * that GCC may inline by itself is a call in the source's own eyes.
 */
static void find_left_by_asm_registers(hash_set<tree> *left)
{
	auto_vec<cgraph_node *> callers, callees;

	for (tree item = asm_register_functions; item; item = TREE_CHAIN(item)) {
		struct cgraph_node *node = cgraph_node::get(TREE_VALUE(item));

		if (node && is_body(node))
			add_left(node, left, &callers, "it has asm register variables");
	}
	while (!callers.is_empty()) {
		struct cgraph_node *callee = callers.pop();

		callees.safe_push(callee);
		if (!DECL_DECLARED_INLINE_P(callee->decl) || !may_be_inlined(callee))
			continue;
		for (struct cgraph_edge *e = callee->callers; e; e = e->next_caller)
			add_left(e->caller, left, &callers,
				 "it may inline a function with asm register variables");
	}
	while (!callees.is_empty()) {
		struct cgraph_node *caller = callees.pop();

		for (struct cgraph_edge *e = caller->callees; e; e = e->next_callee) {
			struct cgraph_node *callee = e->callee->ultimate_alias_target();

			if (DECL_DECLARED_INLINE_P(callee->decl) && may_be_inlined(callee))
				add_left(callee, left, &callees,
					 "it may come between an asm register variable and its asm");
		}
	}
}

static const struct kiln_verdict *final_verdict(tree fndecl, hash_set<tree> *left)
{
	if (!left->contains(fndecl))
		return verdict_of(fndecl);
	struct kiln_function function = describe(fndecl);
	return checked(kiln_decider_left(config.decider, &function));
}

/* ---- the default node ------------------------------------------------------------------ */

static tree node_of(tree fndecl)
{
	tree node = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fndecl);

	return node ? node : optimization_default_node;
}

static tree most_common_node(void)
{
	hash_map<tree, unsigned> counts;
	struct cgraph_node *node;
	tree best = optimization_default_node;
	unsigned best_count = 0;

	FOR_EACH_FUNCTION (node) {
		if (!is_body(node))
			continue;
		unsigned *count = &counts.get_or_insert(node_of(node->decl));
		if (++*count > best_count) {
			best_count = *count;
			best = node_of(node->decl);
		}
	}
	return best;
}

static void set_default_node(void)
{
	tree common = most_common_node();
	struct cgraph_node *node;

	if (common == optimization_default_node)
		return;
	FOR_EACH_FUNCTION (node)
		if (is_body(node))
			DECL_FUNCTION_SPECIFIC_OPTIMIZATION(node->decl) = node_of(node->decl);
	real_default_node = optimization_default_node;
	optimization_default_node = common;
}

static void restore_default_node(void *, void *)
{
	if (real_default_node)
		optimization_default_node = real_default_node;
}

static bool functions_seen;

bool functions_were_seen(void)
{
	return functions_seen;
}

static void record_function(tree fndecl, const struct kiln_verdict *verdict, bool left)
{
	struct kiln_function function = describe(fndecl);
	struct kiln_record_how how = {};

	if (left) {
		const struct kiln_setting *leave =
			checked(kiln_decider_function(config.decider, &function))->leave;

		how.rule = leave ? leave->rule : NULL;
	}
	how.left = left;
	how.always_inline = lookup_attribute("always_inline", DECL_ATTRIBUTES(fndecl)) != NULL_TREE;
	inlining_number(fndecl, kiln_record_function(config.record, &function, verdict, &how));
}

static void keep_calls(tree fndecl, bool left)
{
	struct kiln_function function = describe(fndecl);
	struct kiln_calls calls;

	if (kiln_decider_calls(config.decider, &function, left, &calls))
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	if (calls.nr_rules)
		calls_keep(fndecl, &calls);
}

/* The rules for single calls, of those functions that have some. */
static void set_calls(hash_set<tree> *left)
{
	auto_vec<const char *> names;
	struct cgraph_node *node;

	calls_begin();
	FOR_EACH_FUNCTION (node) {
		if (!is_body(node))
			continue;
		keep_calls(node->decl, left->contains(node->decl));
		names.safe_push(name_of(node->decl));
	}
	if (config.record)
		calls_record(config.record, names.address(), names.length());
}

static void set_functions(void *, void *)
{
	hash_map<tree, tree> source_nodes;
	hash_set<tree> left;
	struct cgraph_node *node;
	unsigned nr_functions = 0, nr_with_flags = 0;

	functions_seen = true;
	for (tree item = early_functions; item; item = TREE_CHAIN(item))
		source_nodes.put(TREE_VALUE(item), TREE_PURPOSE(item));
	find_left_by_rule(&left);
	find_left_by_asm_registers(&left);
	FOR_EACH_FUNCTION (node) {
		if (!is_body(node))
			continue;
		const struct kiln_verdict *verdict = final_verdict(node->decl, &left);
		tree *source_node = source_nodes.get(node->decl);

		nr_functions++;
		nr_with_flags += !same_flags(verdict, unit_verdict);
		if (source_node || !is_as_unit(verdict))
			set_options(node->decl, verdict, source_node ? *source_node
				    : DECL_FUNCTION_SPECIFIC_OPTIMIZATION(node->decl));
		set_inlining(node, verdict);
		if (config.record)
			record_function(node->decl, verdict, left.contains(node->decl));
	}
	if (config.verbose)
		diag_plain(KILN_NOTE, "%u functions, %u of them with other flags than the unit",
			   nr_functions, nr_with_flags);
	if (kiln_decider_nr_call_rules(config.decider))
		set_calls(&left);
	if (config.record)
		inlining_begin(config.record);
	asm_register_functions = early_functions = NULL_TREE;
	if (nr_with_flags && !config.has_f_flags)
		set_default_node();
}

void functions_register(const char *plugin_name, const struct functions_config *new_config)
{
	config = *new_config;
	unit_verdict = kiln_decider_unit(config.decider);

	bool rules = kiln_decider_has_function_rules(config.decider);
	bool calls = kiln_decider_nr_call_rules(config.decider) > 0;

	if (!config.record && !rules && !calls && !unit_verdict->keep && !unit_verdict->noinline &&
	    !unit_verdict->inlined && !(unit_verdict->nr_flags && config.guard_asm_registers))
		return;
	register_callback(plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, roots);
	register_callback(plugin_name, PLUGIN_ALL_IPA_PASSES_START, set_functions, NULL);
	register_callback(plugin_name, PLUGIN_ALL_IPA_PASSES_END, restore_default_node, NULL);
	if (config.record)
		inlining_register(plugin_name);
	if (calls)
		calls_register(plugin_name, config.strict, config.verbose);
	if (rules && config.has_f_flags) {
		register_callback(plugin_name, PLUGIN_START_PARSE_FUNCTION, see_definition, NULL);
		gcc_set_current_function = targetm.set_current_function;
		targetm.set_current_function = set_current_function;
		target_expect_function_options();
	}
	if (config.guard_asm_registers)
		register_callback(plugin_name, PLUGIN_FINISH_DECL, see_declaration, NULL);
}
