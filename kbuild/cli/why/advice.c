// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What would have a call decided otherwise. A rule is told only where the record's own
 * numbers, by the way that GCC compares them (ipa-inline.c), say that it does:
 *
 *	MAX_INLINE_INSNS_*	growth >= limit, of the caller that the call is in
 *	LARGE_FUNCTION_GROWTH	size with it > largest of the bodies + limit %, of the whole
 *	UNLIKELY_CALL...	growth > 0, and no limit: `inline` alone is beyond that
 *
 * The growth is that when the inliner was done. When it decided it may have been another
 * one, and hints such as a known constant may have multiplied the limit.
 */
#include "why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A growth beyond that is no estimate that a param could follow. */
#define MOST_GROWTH 1000000

/* Of calls from function to function: a chain that is longer is no kernel's. */
#define MOST_ROUNDS 100

/* ---- rules ---- */

/* CALLEE: of a rule for single calls; or NULL. */
static void add_rule(struct kiln_strbuf *sb, const struct records_unit *unit, unsigned function,
		     const char *callee, const struct kiln_setting *setting)
{
	const char *file = unit->unit.source ? unit->unit.source : unit->unit.object;
	const char *name = why_name_of(unit, function);
	struct kiln_strbuf file_glob, name_glob, call_glob;
	struct kiln_place places[3];
	struct kiln_rule rule = {.nr_settings = 1, .settings = setting, .places = places};

	kiln_strbuf_init(&file_glob);
	kiln_strbuf_init(&name_glob);
	kiln_strbuf_init(&call_glob);
	if (file) {
		cli_add_literal(&file_glob, file, strlen(file));
		places[rule.nr_places++] =
			(struct kiln_place){.kind = KILN_FILE, .glob = file_glob.data};
	}
	cli_add_literal(&name_glob, name, strlen(name));
	places[rule.nr_places++] = (struct kiln_place){.kind = KILN_FUNC, .glob = name_glob.data};
	if (callee) {
		cli_add_literal(&call_glob, callee, strlen(callee));
		places[rule.nr_places++] =
			(struct kiln_place){.kind = KILN_CALL, .glob = call_glob.data};
	}
	kiln_rule_write(&rule, sb);
	sb->failed |= file_glob.failed || name_glob.failed || call_glob.failed;
	kiln_strbuf_release(&file_glob);
	kiln_strbuf_release(&name_glob);
	kiln_strbuf_release(&call_glob);
}

static void add_param_rule(struct kiln_strbuf *sb, const struct records_unit *unit,
			   unsigned function, const char *param, long value)
{
	struct kiln_setting setting = {.what = KILN_FLAG};
	struct kiln_strbuf flag;

	kiln_strbuf_init(&flag);
	kiln_strbuf_addf(&flag, "--param=%s=%ld", param, value);
	setting.flag = flag.data;
	add_rule(sb, unit, function, NULL, &setting);
	sb->failed |= flag.failed;
	kiln_strbuf_release(&flag);
}

/* For the calls of the callee in the source that CALL stands in. */
static void add_call_rule(struct kiln_strbuf *sb, const struct records_unit *unit,
			  const struct records_call *call, enum kiln_what what)
{
	const struct kiln_setting setting = {.what = what};

	add_rule(sb, unit, unit->bodies[call->body].function,
		 why_name_of(unit, call->call.callee), &setting);
}

/* ---- what is known of the two ---- */

/* GCC holds what a function that is marked as cold calls for unlikely. */
static bool is_cold_section(const char *section)
{
	static const char *const sections[] = {".init.text", ".exit.text", ".text.unlikely"};

	for (size_t i = 0; section && i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (!strncmp(section, sections[i], strlen(sections[i])))
			return true;
	}
	return false;
}

static bool is_cold(const struct records_unit *unit, unsigned function)
{
	const struct records_body *body = &unit->bodies[function];

	return is_cold_section(records_source(unit, function)->section) ||
	       (body->has_code && is_cold_section(body->code.section));
}

/* What a limit's text says: "max-inline-insns-auto=15". False: it is none. */
static bool read_limit(const char *limit, int *ret_name_length, long *ret_value)
{
	const char *equals = limit ? strchr(limit, '=') : NULL;
	char *end;

	if (!equals || equals == limit)
		return false;
	*ret_name_length = (int)(equals - limit);
	*ret_value = strtol(equals + 1, &end, 10);
	return end != equals + 1 && !*end;
}

/* Whose params the limit is: the caller's, or those of what all of it is in. */
static unsigned owner_of(const struct records_unit *unit, const struct records_call *call)
{
	if (!strncmp(call->reason, "MAX_INLINE_INSNS_", 17))
		return unit->bodies[call->body].caller;
	return unit->bodies[call->body].root;
}

/* ---- sentences ---- */

const char *why_when(const struct records_unit *unit, const struct records_call *call)
{
	if (records_is_always_inline(records_source(unit, call->call.callee)))
		return "always_inline";
	return call->fate == RECORDS_EARLY ? "by the early inliner" : "by the IPA inliner";
}

void why_add_reason(struct kiln_strbuf *sb, const struct records_call *call)
{
	kiln_strbuf_addf(sb, "%s%s%s", call->reason, call->limit ? " " : "",
			 call->limit ? call->limit : "");
	if (call->call.has_growth)
		kiln_strbuf_addf(sb, ", estimated growth %d", call->call.growth);
}

/* Is the callee a part of what the call is in, already? */
static bool is_recursive(const struct records_unit *unit, const struct records_call *call)
{
	unsigned callee = records_origin(unit, call->call.callee), body = call->body;

	for (; unit->bodies[body].outer != body; body = unit->bodies[body].outer) {
		if (records_origin(unit, unit->bodies[body].function) == callee)
			return true;
	}
	return records_origin(unit, body) == callee;
}

/* Does a rule change what becomes of the calls in the source that CALL stands in? */
static bool takes_rules(const struct records_unit *unit, const struct records_call *call)
{
	return !records_source(unit, unit->bodies[call->body].function)->is_left;
}

static void add_inline_advice(struct kiln_strbuf *sb, const char *indent,
			      const struct records_unit *unit, const struct records_call *call,
			      const char *why)
{
	kiln_strbuf_addf(sb, "%s%s", indent, why);
	if (takes_rules(unit, call) && !is_recursive(unit, call)) {
		kiln_strbuf_addf(sb, "; this rule has it inlined:\n%s    ", indent);
		add_call_rule(sb, unit, call, KILN_INLINE);
	} else {
		kiln_strbuf_adds(sb, "\n");
	}
}

/* max-inline-insns-auto and -single */
static void add_size_advice(struct kiln_strbuf *sb, const char *indent,
			    const struct records_unit *unit, const struct records_call *call,
			    int name_length, long value)
{
	unsigned owner = owner_of(unit, call);
	long growth = call->call.growth;
	char param[64];

	if (growth < value) {
		add_inline_advice(
			sb, indent, unit, call,
			"the growth is below the limit by now, and was not when GCC decided");
		return;
	}
	if (!takes_rules(unit, call))
		return;
	if (is_cold(unit, owner) || is_cold(unit, unit->bodies[call->body].root)) {
		add_inline_advice(
			sb, indent, unit, call,
			"the caller is cold: beyond the limit the reason would be UNLIKELY_CALL");
		return;
	}
	kiln_strbuf_addf(sb, "%sthis rule has it inlined:\n%s    ", indent, indent);
	add_call_rule(sb, unit, call, KILN_INLINE);
	snprintf(param, sizeof(param), "%.*s", name_length, call->limit);
	kiln_strbuf_addf(sb, "%sby the estimate this one does, too, which holds for all calls in %s:\n%s    ",
			 indent, why_name_of(unit, owner), indent);
	add_param_rule(sb, unit, owner, param, growth + 1);
}

/* The largest of the bodies that are or would be in one: what the limit is a part of. */
static long largest_size(const struct records_unit *unit, const struct records_call *call)
{
	long largest = unit->bodies[call->call.callee].sizes.size;
	unsigned body = call->body;

	for (;;) {
		const struct records_body *function = &unit->bodies[unit->bodies[body].function];

		if (!unit->bodies[body].is_within && function->sizes.size > largest)
			largest = function->sizes.size;
		if (unit->bodies[body].outer == body)
			return largest;
		body = unit->bodies[body].outer;
	}
}

/* What all calls that are refused for the same reason would add to the same function. */
static long sum_growth(const struct records_unit *unit, const struct records_call *call,
		       size_t *ret_count)
{
	unsigned root = unit->bodies[call->body].root;
	long sum = 0;

	*ret_count = 0;
	for (size_t i = 0; i < unit->nr_calls; i++) {
		const struct records_call *other = &unit->calls[i];

		if (other->fate != RECORDS_REFUSED || strcmp(other->reason, call->reason) ||
		    unit->bodies[other->body].root != root || !other->call.has_growth)
			continue;
		sum += other->call.growth;
		++*ret_count;
	}
	return sum;
}

/*
 * Which call the inliner takes first is not in the record: with room for this one alone it
 * may take another one.
 */
static void add_growth_advice(struct kiln_strbuf *sb, const char *indent,
			      const struct records_unit *unit, const struct records_call *call,
			      long value)
{
	unsigned owner = owner_of(unit, call);
	const struct kiln_sizes *sizes = &unit->bodies[owner].sizes;
	size_t count;
	long largest = largest_size(unit, call), growth = sum_growth(unit, call, &count);
	long size = (long)sizes->size_after + growth;
	long wanted = largest > 0 ? ((size - largest) * 100 + largest - 1) / largest : 0;

	if (!sizes->is_left || wanted <= value || wanted > MOST_GROWTH) {
		kiln_strbuf_addf(sb, "%sthe sizes in the record do not tell by how much\n", indent);
		return;
	}
	kiln_strbuf_addf(
		sb, "%sby the estimate %s would be of size %ld with %s; this rule lets it:\n%s    ",
		indent, why_name_of(unit, owner), size,
		count > 1 ? "all calls that are refused for it" : "this call", indent);
	add_param_rule(sb, unit, owner, "large-function-growth", wanted);
}

static void add_limit_advice(struct kiln_strbuf *sb, const char *indent,
			     const struct records_unit *unit, const struct records_call *call)
{
	unsigned owner = owner_of(unit, call);
	int name_length;
	long value;

	if (!read_limit(call->limit, &name_length, &value) || !call->call.has_growth ||
	    call->call.growth > MOST_GROWTH)
		return;
	if (is_recursive(unit, call)) {
		kiln_strbuf_addf(sb, "%sbeyond the limit it would be recursive\n", indent);
		return;
	}
	if (records_source(unit, owner)->is_left) {
		kiln_strbuf_addf(
			sb, "%s%s is left alone: no rule changes its limits, unless with 'force'\n",
			indent, why_name_of(unit, owner));
		return;
	}
	if (!strncmp(call->reason, "MAX_INLINE_INSNS_", 17))
		add_size_advice(sb, indent, unit, call, name_length, value);
	else if (!strcmp(call->reason, "LARGE_FUNCTION_GROWTH_LIMIT"))
		add_growth_advice(sb, indent, unit, call, value);
	else
		kiln_strbuf_addf(
			sb,
			"%s%.*s decides, a param of %s; what would be beyond it is not in the "
			"record\n",
			indent, name_length, call->limit, why_name_of(unit, owner));
}

/* FUNCTION_NOT_INLINABLE */
static void add_keep_advice(struct kiln_strbuf *sb, const char *indent,
			    const struct why_policy *policy, const struct records_unit *unit,
			    unsigned callee)
{
	const struct records_body *body = records_source(unit, callee);
	bool is_kept = body->settings && records_has_word(body->settings, "keep");
	size_t length;

	if (!is_kept && !(body->settings && records_has_word(body->settings, "noinline"))) {
		kiln_strbuf_addf(sb, "%sno rule says so: its source decides\n", indent);
		return;
	}
	kiln_strbuf_addf(sb, "%sa rule decides: '%s'", indent, is_kept ? "keep" : "noinline");
	kiln_strbuf_adds(sb, " at ");
	length = sb->length;
	why_add_keeper(policy, unit, callee, sb);
	if (sb->length == length)
		kiln_strbuf_truncate(sb, length - 4);
	kiln_strbuf_adds(sb, "\n");
}

void why_add_advice(struct kiln_strbuf *sb, const char *indent, const struct why_policy *policy,
		    const struct records_unit *unit, const struct records_call *call)
{
	static const char *const unlimited[] = {"UNLIKELY_CALL", "NEVER_CALL",
						"NOT_DECLARED_INLINED"};
	const char *sentence = records_reason_sentence(call->reason);
	const struct records_ruled *ruled = records_rule_of(unit, call);

	kiln_strbuf_adds(sb, indent);
	why_add_reason(sb, call);
	kiln_strbuf_adds(sb, "\n");
	if (ruled && !strcmp(ruled->word, "noinline") && !ruled->why) {
		kiln_strbuf_addf(sb, "%sa rule for single calls decides: noinline\n", indent);
		return;
	}
	if (ruled && ruled->why)
		kiln_strbuf_addf(sb, "%sthe rule '%s' for this call cannot hold: %s\n", indent, ruled->word,
				 ruled->why);
	if (sentence)
		kiln_strbuf_addf(sb, "%s%s\n", indent, sentence);
	for (size_t i = 0; i < sizeof(unlimited) / sizeof(unlimited[0]); i++) {
		if (!strcmp(call->reason, unlimited[i]))
			add_inline_advice(sb, indent, unit, call, "no limit decides");
	}
	if (!strcmp(call->reason, "FUNCTION_NOT_INLINABLE"))
		add_keep_advice(sb, indent, policy, unit, call->call.callee);
	else
		add_limit_advice(sb, indent, unit, call);
}

void why_add_way_out(struct kiln_strbuf *sb, const char *indent, const struct records_unit *unit,
		     const struct records_call *call)
{
	const struct records_body *callee = records_source(unit, call->call.callee);

	if (records_is_always_inline(callee)) {
		kiln_strbuf_addf(sb, "%sno rule takes it out: its source says always_inline\n",
				 indent);
		return;
	}
	if (!takes_rules(unit, call))
		return;
	kiln_strbuf_addf(sb, "%sthis rule takes it out:\n%s    ", indent, indent);
	add_call_rule(sb, unit, call, KILN_NOINLINE);
}
