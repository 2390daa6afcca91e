// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "calls.h"
#include "diag.h"
#include "inlining.h"
#include "passes.h"
#include "kiln/decisions.h"
#include "kiln/glob.h"

static bool strict, verbose;
static struct kiln_record *record;

/* By DECL_UID, of functions for whose calls there are rules. */
typedef hash_map<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>, struct kiln_calls> calls_map;
static calls_map *calls_of;
static vec<tree> callers;	/* in the order in which they were shown */

void calls_keep(tree fndecl, const struct kiln_calls *calls)
{
	size_t size = calls->nr_rules * sizeof(calls->rules[0]);
	struct kiln_calls copy = { (const struct kiln_rule *const *)xmemdup(calls->rules, size, size),
				   calls->nr_rules };

	if (!calls_of)
		calls_of = new calls_map;
	calls_of->put(DECL_UID(fndecl), copy);
	callers.safe_push(fndecl);
}

void calls_record(struct kiln_record *new_record, const char *const *names, size_t nr_names)
{
	record = new_record;
	for (unsigned i = 0; i < callers.length(); i++)
		kiln_record_calls(record, inlining_number_of(callers[i]),
				  calls_of->get(DECL_UID(callers[i])), names, nr_names);
}

/* ---- whose call it is ----------------------------------------------------------------- */

/* IPA clones: TREE_PURPOSE, and TREE_VALUE: what it is a clone of. That may be gone by then. */
static tree clones;
static hash_map<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>, tree> *origins;	/* by DECL_UID */

static struct ggc_root_tab roots[] = {
	{ &clones, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB
};

/* What a clone or a part of a function is made of. */
static tree source_of(tree fndecl)
{
	tree *origin = origins ? origins->get(DECL_UID(fndecl)) : NULL;
	tree other = origin ? *origin : DECL_ABSTRACT_ORIGIN(fndecl);

	return other && TREE_CODE(other) == FUNCTION_DECL ? other : fndecl;
}

static void see_clone(struct cgraph_node *from, struct cgraph_node *to, void *)
{
	if (!calls_of || from->decl == to->decl)
		return;
	if (!origins)
		origins = new hash_map<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>, tree>;
	clones = tree_cons(to->decl, source_of(from->decl), clones);
	origins->put(DECL_UID(to->decl), TREE_VALUE(clones));
}

/* The function that is called, be it by an alias: what has a body has a name that records know. */
static tree callee_of(struct cgraph_edge *e)
{
	return source_of(e->callee->ultimate_alias_target()->decl);
}

/*
 * The function in whose source the call stands. When GCC splits a function, its head goes
 * where the call was, and calls the rest, the part: that is the same call still.
 */
static tree caller_of(struct cgraph_edge *e)
{
	tree block = e->call_stmt ? inlining_block_of(gimple_block(e->call_stmt)) : NULL_TREE;
	tree callee = callee_of(e);

	while (block && callee != e->callee->decl && source_of(BLOCK_ABSTRACT_ORIGIN(block)) == callee)
		block = inlining_block_of(BLOCK_SUPERCONTEXT(block));
	return source_of(block ? BLOCK_ABSTRACT_ORIGIN(block) : e->caller->decl);
}

/* What a rule says of the call; NULL: nothing. */
static const struct kiln_setting *rule_for(struct cgraph_edge *e)
{
	struct kiln_calls *calls = calls_of->get(DECL_UID(caller_of(e)));

	return calls ? kiln_calls_find(calls, IDENTIFIER_POINTER(DECL_NAME(callee_of(e)))) : NULL;
}

/* ---- what cannot hold ------------------------------------------------------------------- */

static bool has_attribute(tree fndecl, const char *name)
{
	return lookup_attribute(name, DECL_ATTRIBUTES(fndecl)) != NULL_TREE;
}

/* An attribute that GCC wants caller and callee to agree on; it checks others in other ways. */
static bool attributes_differ(tree caller, tree callee)
{
	static const char *const names[] = { "optimize", "no_stack_protector", "stack_protect",
					     "no_profile_instrument_function" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (has_attribute(caller, names[i]) != has_attribute(callee, names[i]))
			return true;
	return false;
}

/* Flags that change what a statement means. */
static bool meanings_differ(tree caller, tree callee)
{
#define DIFFERS(flag) (opts_for_fn(caller)->x_##flag != opts_for_fn(callee)->x_##flag)
	return DIFFERS(flag_wrapv) || DIFFERS(flag_trapv) || DIFFERS(flag_rounding_math) ||
	       DIFFERS(flag_trapping_math) || DIFFERS(flag_unsafe_math_optimizations) ||
	       DIFFERS(flag_finite_math_only) || DIFFERS(flag_signaling_nans) ||
	       DIFFERS(flag_signed_zeros) ||
	       kiln_complex_method(opts_for_fn(caller)) !=
		       kiln_complex_method(opts_for_fn(callee)) ||
	       DIFFERS(flag_associative_math) || DIFFERS(flag_reciprocal_math) ||
	       DIFFERS(flag_fp_int_builtin_inexact) || DIFFERS(flag_errno_math) ||
	       DIFFERS(flag_non_call_exceptions) || DIFFERS(flag_exceptions) ||
	       DIFFERS(optimize_debug);
#undef DIFFERS
}

static bool sanitizers_differ(tree caller, tree callee)
{
	static const unsigned flags[] = { SANITIZE_ADDRESS, SANITIZE_THREAD, SANITIZE_UNDEFINED };

	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (sanitize_flags_p(flags[i], caller) != sanitize_flags_p(flags[i], callee))
			return true;
	return kiln_sanitize_coverage_p(caller) != kiln_sanitize_coverage_p(callee);
}

/* Is CALLEE one of the bodies around the call? */
static bool is_recursive(struct cgraph_edge *e, struct cgraph_node *callee)
{
	struct cgraph_node *node = e->caller;

	while (node->inlined_to && node->decl != callee->decl)
		node = node->callers->caller;
	return node->decl == callee->decl;
}

/* Why GCC could not inline the call, be it told to or not; NULL: it can. */
static const char *why_not_inline(struct cgraph_edge *e)
{
	enum availability availability;
	struct cgraph_node *callee = e->callee->ultimate_alias_target(&availability, e->caller);
	struct cgraph_node *root = e->caller->inlined_to ? e->caller->inlined_to : e->caller;
	ipa_fn_summary *summary = ipa_fn_summaries ? ipa_fn_summaries->get(callee) : NULL;

	if (!callee->definition || kiln_is_thunk(callee) || !summary || e->speculative)
		return "it has no body here";
	if (availability <= AVAIL_INTERPOSABLE)
		return "another definition may take its place when the program is linked";
	if (has_attribute(callee->decl, "noinline"))
		return "a rule or its source says keep or noinline";
	if (DECL_UNINLINABLE(callee->decl) || !summary->inlinable)
		return "its body is of a kind that GCC never inlines";
	if (is_recursive(e, callee))
		return "it is recursive";
	if (!targetm.target_option.can_inline_p(root->decl, callee->decl))
		return "it is compiled for another CPU";
	if (attributes_differ(root->decl, callee->decl))
		return "the two have different attributes";
	if (meanings_differ(root->decl, callee->decl))
		return "the two have different flags, and statements mean something else in one of them";
	if (sanitizers_differ(root->decl, callee->decl))
		return "the two are sanitized differently";
	if (e->call_stmt_cannot_inline_p)
		return "the arguments are not those that it takes";
	if (cgraph_inline_failed_type(e->inline_failed) == CIF_FINAL_ERROR)
		return cgraph_inline_failed_string(e->inline_failed);
	return NULL;
}

static const char *why_not_noinline(struct cgraph_edge *e)
{
	return has_attribute(e->callee->ultimate_alias_target()->decl, "always_inline")
		? "it is always_inline, and its callers count on its body" : NULL;
}

/* ---- what became of a rule ------------------------------------------------------------- */

/* Of a pair of functions. */
struct outcome {
	tree caller, callee;	/* compared, never looked at later */
	const char *why;	/* NULL: the rule holds */
};

static vec<outcome> outcomes;

static void say(tree caller, tree callee, const struct kiln_setting *setting, const char *why)
{
	const char *from = IDENTIFIER_POINTER(DECL_NAME(caller));
	const char *to = IDENTIFIER_POINTER(DECL_NAME(callee));

	if (why && (strict || verbose))
		diag_setting(strict ? KILN_ERROR : KILN_NOTE, setting,
			     "'%s' cannot hold for the calls of '%s' in '%s': %s",
			     kiln_what_name(setting->what), to, from, why);
	else if (!why && verbose)
		diag_setting(KILN_NOTE, setting, "calls of %s in %s: %s", to, from,
			     kiln_what_name(setting->what));
}

/* The first time that it is seen of a pair of functions, or that it cannot hold there. */
static void see_outcome(struct cgraph_edge *e, const struct kiln_setting *setting, const char *why)
{
	tree caller = caller_of(e), callee = callee_of(e);

	for (unsigned i = 0; i < outcomes.length(); i++) {
		const outcome *known = &outcomes[i];

		if (known->caller == caller && known->callee == callee && known->why == why)
			return;
	}
	outcome added = { caller, callee, why };
	outcomes.safe_push(added);
	say(caller, callee, setting, why);
	/* Where there is no body there is nothing to decide, and nothing in the record. */
	if (record && e->callee->ultimate_alias_target()->definition)
		kiln_record_ruled(record, inlining_number_of(caller), inlining_number_of(callee),
				  setting->what, why);
}

/* ---- before the inliners ------------------------------------------------------------------ */

/* Marks the call if a rule says noinline. GCC looks at no call that failed for good. */
static void mark(struct cgraph_edge *e)
{
	const struct kiln_setting *setting = e->inline_failed ? rule_for(e) : NULL;
	const char *why;

	if (!setting || setting->what != KILN_NOINLINE)
		return;
	why = why_not_noinline(e);
	if (why)
		see_outcome(e, setting, why);
	else
		e->inline_failed = CIF_FUNCTION_NOT_INLINABLE;
}

/*
 * GCC makes the edges of a function anew around its early passes, so that each function
 * is marked when it comes to the early inliner.
 */
static void see_early(void)
{
	if (!calls_of)
		return;
	for (struct cgraph_edge *e = cgraph_node::get(cfun->decl)->callees; e; e = e->next_callee)
		mark(e);
}

/* A call in a body that is inlined: GCC may look at it at once. */
static void see_duplicate(struct cgraph_edge *from, struct cgraph_edge *to, void *)
{
	const struct kiln_setting *setting;

	if (!calls_of || !to->inline_failed || !from->callee || !to->callee)
		return;
	setting = rule_for(from);
	if (setting && setting->what == KILN_NOINLINE && !why_not_noinline(from))
		to->inline_failed = CIF_FUNCTION_NOT_INLINABLE;
}

static bool is_literal(const struct kiln_rule *rule)
{
	for (unsigned i = 0; i < rule->nr_places; i++)
		if ((rule->places[i].kind == KILN_FUNC || rule->places[i].kind == KILN_CALL) &&
		    !kiln_glob_is_literal(rule->places[i].glob))
			return false;
	return true;
}

static void settle_call(struct cgraph_edge *e)
{
	const struct kiln_setting *setting = rule_for(e);
	const char *why;

	if (!setting)
		return;
	if (!e->callee->ultimate_alias_target()->definition) {
		/* One with patterns may be meant for other units. */
		if (setting->what == KILN_INLINE && is_literal(setting->rule))
			see_outcome(e, setting, "it has no body here");
		return;
	}
	why = setting->what == KILN_INLINE ? why_not_inline(e) : why_not_noinline(e);
	see_outcome(e, setting, why);
	if (why)
		return;
	if (setting->what == KILN_NOINLINE)
		e->inline_failed = CIF_FUNCTION_NOT_INLINABLE;
	else
		inline_call(e, true, NULL, NULL, true);
}

/* Callees first: what is inlined brings along what was inlined there. */
static void settle(struct cgraph_node *node, hash_set<cgraph_node *> *seen)
{
	if (!node->definition || node->alias || node->inlined_to || seen->add(node))
		return;
	for (struct cgraph_edge *e = node->callees; e; e = e->next_callee)
		settle(e->callee->ultimate_alias_target(), seen);
	for (struct cgraph_edge *e = node->callees; e; e = e->next_callee)
		if (e->inline_failed)
			settle_call(e);
}

static void see_ipa(void)
{
	hash_set<cgraph_node *> seen;
	struct cgraph_node *node;

	if (!calls_of)
		return;
	FOR_EACH_FUNCTION (node)
		settle(node, &seen);
}

void calls_begin(void)
{
	symtab->add_edge_duplication_hook(see_duplicate, NULL);
	symtab->add_cgraph_duplication_hook(see_clone, NULL);
}

void calls_register(const char *plugin_name, bool new_strict, bool new_verbose)
{
	strict = new_strict;
	verbose = new_verbose;
	passes_add_gimple(plugin_name, "kiln-calls-early", see_early, "einline");
	register_callback(plugin_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, roots);
	passes_add_ipa(plugin_name, "kiln-calls", see_ipa, "inline", true);
}
