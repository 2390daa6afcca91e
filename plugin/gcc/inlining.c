// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "inlining.h"
#include "passes.h"
#include "kiln/decisions.h"

static struct kiln_record *record;	/* NULL: its functions are not known yet */
static struct cgraph_edge_hook_list *removal_hook;

/* ---- numbers ---------------------------------------------------------------------- */

/* By DECL_UID, which is never given twice: a declaration that is gone may be. */
typedef hash_map<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>, unsigned> number_map;
static number_map *numbers;

static const char *assembler_name(tree fndecl)
{
	const char *name = IDENTIFIER_POINTER(DECL_ASSEMBLER_NAME_SET_P(fndecl)
					      ? DECL_ASSEMBLER_NAME(fndecl) : DECL_NAME(fndecl));

	return name + (*name == '*');
}

void inlining_number(tree fndecl, unsigned number)
{
	if (!numbers)
		numbers = new number_map;
	numbers->put(DECL_UID(fndecl), number);
}

unsigned inlining_number_of(tree fndecl)
{
	unsigned *number = numbers->get(DECL_UID(fndecl));

	if (number)
		return *number;
	unsigned added = kiln_record_name(record, assembler_name(fndecl));
	inlining_number(fndecl, added);
	return added;
}

/* ---- where a call stands ------------------------------------------------------------ */

static unsigned line_of(location_t location)
{
	int line = LOCATION_LOCUS(location) > BUILTINS_LOCATION ? LOCATION_LINE(location) : 0;

	return line > 0 ? line : 0;
}

static struct kiln_call call_of(struct cgraph_edge *e)
{
	struct kiln_call call = {};

	call.callee = inlining_number_of(e->callee->decl);
	call.line = e->call_stmt ? line_of(gimple_location(e->call_stmt)) : 0;
	return call;
}

/*
 * Inside an inlined body, BLOCKs tell which one:
 *
 *	{ BLOCK		of the function
 *	  { BLOCK	BLOCK_ABSTRACT_ORIGIN: the inlined function,
 *	    ...		BLOCK_SOURCE_LOCATION: the call that it stands for
 *
 * GCC 10 without -g keeps few of them.
 */
tree inlining_block_of(tree block)
{
	for (; block && TREE_CODE(block) == BLOCK; block = BLOCK_SUPERCONTEXT(block)) {
		tree origin = BLOCK_ABSTRACT_ORIGIN(block);

		if (origin && TREE_CODE(origin) == FUNCTION_DECL &&
		    inlined_function_outer_scope_p(block))
			return block;
	}
	return NULL_TREE;
}

/* The copies that the early inliner left in one body, as far as something happens in them. */
struct places {
	unsigned body;
	hash_map<tree, unsigned> copies;	/* by block */
};

static unsigned copy_of(places *places, tree block)
{
	tree outer = inlining_block_of(BLOCK_SUPERCONTEXT(block));
	unsigned *known = places->copies.get(block);
	struct kiln_call call = {};

	if (known)
		return *known;
	unsigned body = outer ? copy_of(places, outer) : places->body;
	call.callee = inlining_number_of(BLOCK_ABSTRACT_ORIGIN(block));
	call.line = line_of(BLOCK_SOURCE_LOCATION(block));
	unsigned copy = kiln_record_copy(record, body, &call, true);
	places->copies.put(block, copy);
	return copy;
}

/* The body that the call stands in. */
static unsigned body_of(places *places, struct cgraph_edge *e)
{
	tree block = e->call_stmt ? inlining_block_of(gimple_block(e->call_stmt)) : NULL_TREE;

	return block ? copy_of(places, block) : places->body;
}

/* ---- the early inliner --------------------------------------------------------------- */

struct early_call {
	unsigned body;
	unsigned order;
	struct kiln_call call;
};

static vec<early_call> early_calls;

/*
 * An edge that is marked as inlined goes once the callee's body is in place. The call
 * may stand in a body that was put in before: GCC inlines nothing but always_inline
 * functions into an always_inline one, and the rest where that one went.
 */
static void see_removed_edge(struct cgraph_edge *e, void *)
{
	static places *places;
	unsigned function;

	if (e->inline_failed || !record)
		return;
	function = inlining_number_of(e->caller->decl);
	if (!places || places->body != function) {
		delete places;
		places = new struct places;
		places->body = function;
	}
	early_call early = { body_of(places, e), early_calls.length(), call_of(e) };
	early_calls.safe_push(early);
}

static int by_body(const void *a, const void *b)
{
	const early_call *one = (const early_call *)a, *two = (const early_call *)b;

	if (one->body != two->body)
		return one->body < two->body ? -1 : 1;
	return one->order < two->order ? -1 : one->order > two->order;
}

static void record_early(void)
{
	auto_vec<kiln_call> calls;

	early_calls.qsort(by_body);
	for (unsigned i = 0; i < early_calls.length(); i++) {
		calls.safe_push(early_calls[i].call);
		if (i + 1 < early_calls.length() && early_calls[i + 1].body == early_calls[i].body)
			continue;
		kiln_record_early(record, early_calls[i].body, calls.address(), calls.length());
		calls.truncate(0);
	}
	early_calls.release();
}

/* ---- clones and twins ------------------------------------------------------------------ */

static void record_clone(tree fndecl, tree origin_decl)
{
	const char *name = assembler_name(fndecl), *origin = assembler_name(origin_decl);
	size_t length = strlen(origin);
	unsigned clone = inlining_number_of(fndecl);

	if (!strncmp(name, origin, length) && name[length])
		name += length + 1;
	char *kind = xstrndup(name, strcspn(name, "."));
	kiln_record_clone(record, clone, inlining_number_of(origin_decl), kind);
	free(kind);
}

/* IPA passes make clones without bodies. The inliner's copies have their origin's declaration. */
static void see_duplicate(struct cgraph_node *from, struct cgraph_node *to, void *)
{
	if (record && from->decl != to->decl)
		record_clone(to->decl, from->decl);
}

/* One with a body: a part of a function that was split. */
static void see_inserted(struct cgraph_node *node, void *)
{
	tree origin = DECL_ABSTRACT_ORIGIN(node->decl);

	if (record && origin && TREE_CODE(origin) == FUNCTION_DECL && origin != node->decl)
		record_clone(node->decl, origin);
}

/* ICF made it an alias, or a function that only calls its twin. */
static void see_merged(struct cgraph_node *node)
{
	struct cgraph_node *twin = NULL;

	if (!node->icf_merged)
		return;
	if (node->alias)
		twin = node->ultimate_alias_target();
	else if (kiln_is_thunk(node) && node->callees)
		twin = node->callees->callee->ultimate_alias_target();
	if (twin)
		kiln_record_merged(record, inlining_number_of(node->decl),
				   inlining_number_of(twin->decl));
}

/* ---- the IPA inliner ------------------------------------------------------------------- */

struct sized_function {
	unsigned number;
	struct kiln_sizes sizes;
};

static vec<sized_function> sized_functions;
static number_map *sized_places;	/* by DECL_UID: where in sized_functions */

static bool is_body(struct cgraph_node *node)
{
	return node->definition && !node->alias && !kiln_is_thunk(node) && !node->inlined_to &&
	       ipa_fn_summaries && ipa_size_summaries && ipa_fn_summaries->get(node) &&
	       ipa_size_summaries->get(node);
}

/* Times are beyond any int where loops are deep. */
static int to_int(sreal number)
{
	return number > sreal(INT_MAX) ? INT_MAX : (int)number.to_int();
}

static void see_before(void)
{
	struct cgraph_node *node;

	if (!record)
		return;
	/* From here on edges that are marked go with functions that are inlined everywhere. */
	symtab->remove_edge_removal_hook(removal_hook);
	record_early();
	sized_places = new number_map;
	FOR_EACH_FUNCTION (node) {
		see_merged(node);
		if (!is_body(node))
			continue;
		sized_function function = { inlining_number_of(node->decl), {} };
		function.sizes.size = ipa_size_summaries->get(node)->size;
		function.sizes.time = to_int(ipa_fn_summaries->get(node)->time);
		sized_places->put(DECL_UID(node->decl), sized_functions.length());
		sized_functions.safe_push(function);
	}
}

static void see_size_after(struct cgraph_node *node)
{
	unsigned *place = sized_places->get(DECL_UID(node->decl));

	if (!place)
		return;
	struct kiln_sizes *sizes = &sized_functions[*place].sizes;
	sizes->is_left = true;
	sizes->size_after = ipa_size_summaries->get(node)->size;
	sizes->time_after = to_int(ipa_fn_summaries->get(node)->time);
}

static void record_sizes(void)
{
	for (unsigned i = 0; i < sized_functions.length(); i++)
		kiln_record_size(record, sized_functions[i].number, &sized_functions[i].sizes);
	sized_functions.release();
	delete sized_places;
}

struct limit {
	const char *param;	/* NULL: none */
	int value;
};

/* A refusal's reason names the param; which function's it is, ipa-inline.c says. */
static limit limit_of(struct cgraph_edge *e)
{
	tree caller = e->caller->decl;
	tree root = e->caller->inlined_to ? e->caller->inlined_to->decl : caller;

	switch (e->inline_failed) {
	case CIF_MAX_INLINE_INSNS_SINGLE_LIMIT:
		return { "max-inline-insns-single", opt_for_fn(caller, param_max_inline_insns_single) };
	case CIF_MAX_INLINE_INSNS_AUTO_LIMIT:
		return { "max-inline-insns-auto", opt_for_fn(caller, param_max_inline_insns_auto) };
	case CIF_LARGE_FUNCTION_GROWTH_LIMIT:
		return { "large-function-growth", opt_for_fn(root, param_large_function_growth) };
	case CIF_LARGE_STACK_FRAME_GROWTH_LIMIT:
		return { "large-stack-frame-growth", opt_for_fn(root, param_stack_frame_growth) };
	case CIF_INLINE_UNIT_GROWTH_LIMIT:
		return { "inline-unit-growth", opt_for_fn(root, param_inline_unit_growth) };
	default:
		return { NULL, 0 };
	}
}

/* The names of enum cgraph_inline_failed_t, as GCC makes it. */
static const char *const reasons[] = {
#undef DEFCIFCODE
#define DEFCIFCODE(code, type, string) #code,
#include "cif-code.def"
#undef DEFCIFCODE
};

/* What was given as a reason so far; a place in it is a number in the record. */
struct reason {
	enum cgraph_inline_failed_t code;
	int value;
};

static vec<reason> known_reasons;

static unsigned reason_of(struct cgraph_edge *e)
{
	limit limit = limit_of(e);
	unsigned i;

	for (i = 0; i < known_reasons.length(); i++)
		if (known_reasons[i].code == e->inline_failed && known_reasons[i].value == limit.value)
			return i;
	reason added = { e->inline_failed, limit.value };
	known_reasons.safe_push(added);
	return kiln_record_reason(record, reasons[e->inline_failed], limit.param, limit.value);
}

struct refused_call {
	unsigned body;
	unsigned reason;
	unsigned order;
	struct kiln_call call;
};

static int by_reason(const void *a, const void *b)
{
	const refused_call *one = (const refused_call *)a, *two = (const refused_call *)b;

	if (one->body != two->body)
		return one->body < two->body ? -1 : 1;
	if (one->reason != two->reason)
		return one->reason < two->reason ? -1 : 1;
	return one->order < two->order ? -1 : one->order > two->order;
}

static void record_refused(vec<refused_call> *refused)
{
	auto_vec<kiln_call> calls;

	refused->qsort(by_reason);
	for (unsigned i = 0; i < refused->length(); i++) {
		const refused_call *one = &(*refused)[i], *next = one + 1;

		calls.safe_push(one->call);
		if (i + 1 < refused->length() && next->body == one->body &&
		    next->reason == one->reason)
			continue;
		kiln_record_refused(record, one->body, one->reason, calls.address(), calls.length());
		calls.truncate(0);
	}
}

/*
 * The inliner forgets its estimates when it is done. This one is made by the same
 * function of GCC's, of what caller and callee became since.
 */
static void estimate_growth_of(struct cgraph_edge *e, struct kiln_call *call)
{
	struct cgraph_node *callee = e->callee->ultimate_alias_target();
	struct cgraph_node *root = e->caller->inlined_to ? e->caller->inlined_to : e->caller;

	if (cgraph_inline_failed_type(e->inline_failed) == CIF_FINAL_ERROR || !callee->analyzed ||
	    !ipa_call_summaries || !ipa_call_summaries->get(e) || !ipa_fn_summaries->get(callee) ||
	    !ipa_fn_summaries->get(root))
		return;
	call->has_growth = true;
	call->growth = estimate_edge_growth(e);
}

static void see_refused(places *places, struct cgraph_edge *e, vec<refused_call> *refused)
{
	struct cgraph_node *callee = e->callee->ultimate_alias_target();

	if (!callee->definition || callee->alias)
		return;
	refused_call one = { body_of(places, e), reason_of(e), refused->length(), call_of(e) };
	estimate_growth_of(e, &one.call);
	refused->safe_push(one);
}

/* What was decided of the calls in one body, which may be a copy, and in the copies there. */
static void see_body(struct cgraph_node *node, unsigned body)
{
	auto_vec<refused_call> refused;
	places places;

	places.body = body;
	for (struct cgraph_edge *e = node->callees; e; e = e->next_callee)
		if (e->inline_failed)
			see_refused(&places, e, &refused);
	record_refused(&refused);
	for (struct cgraph_edge *e = node->callees; e; e = e->next_callee) {
		if (e->inline_failed)
			continue;
		struct kiln_call call = call_of(e);
		see_body(e->callee, kiln_record_copy(record, body_of(&places, e), &call, false));
	}
}

static void see_after(void)
{
	struct cgraph_node *node;

	if (!record)
		return;
	FOR_EACH_FUNCTION (node) {
		if (!is_body(node))
			continue;
		see_body(node, inlining_number_of(node->decl));
		see_size_after(node);
	}
	record_sizes();
}

/* ---- what was put out ------------------------------------------------------------------- */

/* As GCC's output_stack_usage() adds it up. */
static void measure_frame(struct kiln_code *code)
{
	HOST_WIDE_INT pushed = 0;

	code->frame = -1;
	if (!cfun->su || current_function_static_stack_size < 0)
		return;
	code->frame = current_function_static_stack_size;
	if (maybe_ne(current_function_pushed_stack_size, 0)) {
		code->is_dynamic = true;
		code->is_bounded = current_function_pushed_stack_size.is_constant(&pushed);
		code->frame += code->is_bounded ? pushed
			: constant_lower_bound(current_function_pushed_stack_size);
	}
	if (current_function_allocates_dynamic_stack_space) {
		bool bounded = !current_function_has_unbounded_dynamic_stack_size;

		code->is_bounded = bounded && (code->is_bounded || !code->is_dynamic);
		code->is_dynamic = true;
		code->frame += current_function_dynamic_stack_size;
	}
}

static const char *section_name(tree fndecl)
{
	section *section = function_section(fndecl);

	return SECTION_STYLE(section) == SECTION_NAMED ? section->named.name : NULL;
}

static void see_code(void)
{
	struct kiln_code code = {};

	if (!record)
		return;
	measure_frame(&code);
	code.traceable = crtl->profile || kiln_patch_area_size() > 0;
	code.has_cold = crtl->has_bb_partition;
	code.section = section_name(current_function_decl);
	kiln_record_code(record, inlining_number_of(current_function_decl), &code);
}

/* ---- what steers the inliner --------------------------------------------------------------- */

/* On or off at -O2 in GCC 10 to 16. */
static const struct {
	enum opt_code code;
	bool on;
} steering_flags[] = {
	{ OPT_fconserve_stack, false },
	{ OPT_fearly_inlining, true },
	{ OPT_finline, true },
	{ OPT_finline_functions, true },
	{ OPT_finline_functions_called_once, true },
	{ OPT_finline_small_functions, true },
	{ OPT_findirect_inlining, true },
	{ OPT_fipa_cp, true },
	{ OPT_fipa_cp_clone, false },
	{ OPT_fipa_icf, true },
	{ OPT_fipa_icf_functions, true },
	{ OPT_fipa_profile, true },
	{ OPT_fipa_sra, true },
	{ OPT_fkeep_inline_functions, false },
	{ OPT_fkeep_static_functions, false },
	{ OPT_fpartial_inlining, true },
	{ OPT_freorder_functions, true },
	{ OPT_ftoplevel_reorder, true },
	{ OPT_fwhole_program, false },
};

static void add_flags(struct kiln_strbuf *sb)
{
	for (size_t i = 0; i < ARRAY_SIZE(steering_flags); i++) {
		const struct cl_option *option = &cl_options[steering_flags[i].code];
		const int *value = (const int *)option_flag_var(steering_flags[i].code, &global_options);

		if (!value)
			continue;
		bool on = option->var_type == CLVC_EQUAL ? *value == option->var_value : *value != 0;
		if (on != steering_flags[i].on)
			kiln_strbuf_addf(sb, " -f%s%s", on ? "" : "no-", option->opt_text + 2);
	}
	if (flag_live_patching)
		kiln_strbuf_addf(sb, " -flive-patching=%s",
				 flag_live_patching == LIVE_PATCHING_INLINE_ONLY_STATIC
				 ? "inline-only-static" : "inline-clone");
}

static bool steers(const char *param)
{
	static const char *const parts[] = { "inline", "inlining", "large-", "ipa-", "comdat-sharing" };

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (strstr(param, parts[i]))
			return true;
	return false;
}

/* What GCC begins with is what -O2 has. */
static void add_params(struct kiln_strbuf *sb)
{
	for (size_t i = 0; i < cl_options_count; i++) {
		const struct cl_option *option = &cl_options[i];

		if (!(option->flags & CL_PARAMS) || option->var_type != KILN_CLVC_INTEGER ||
		    !steers(option->opt_text))
			continue;
		const int *value = (const int *)option_flag_var(i, &global_options);
		const int *first = (const int *)option_flag_var(i,
				(struct gcc_options *)&global_options_init);
		if (value && first && *value != *first)
			kiln_strbuf_addf(sb, " %s%d", option->opt_text, *value);
	}
}

static void record_flags(void)
{
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	kiln_strbuf_addf(&sb, optimize_size ? "-Os" : "-O%d", optimize);
	add_flags(&sb);
	add_params(&sb);
	kiln_record_flags(record, sb.data);
	record->text.failed |= sb.failed;
	kiln_strbuf_release(&sb);
}

void inlining_begin(struct kiln_record *new_record)
{
	record = new_record;
	/* Not any earlier: a precompiled header brings another symbol table. */
	removal_hook = symtab->add_edge_removal_hook(see_removed_edge, NULL);
	symtab->add_cgraph_duplication_hook(see_duplicate, NULL);
	symtab->add_cgraph_insertion_hook(see_inserted, NULL);
	kiln_record_decisions(record);
	record_flags();
}

void inlining_register(const char *plugin_name)
{
	passes_add_ipa(plugin_name, "kiln-before", see_before, "inline", true);
	passes_add_ipa(plugin_name, "kiln-after", see_after, "inline", false);
	/* Computed, and not printed: -fstack-usage is another variable. */
	flag_stack_usage_info = true;
	passes_add_rtl(plugin_name, "kiln-code", see_code, "final");
}
