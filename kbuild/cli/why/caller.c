// SPDX-License-Identifier: GPL-2.0-or-later
#include "why.h"

#include <stdio.h>
#include <string.h>

/* So many of those that a function was inlined into are named. */
#define NR_CALLERS 5

/* ---- names and places ---- */

const char *why_name_of(const struct records_unit *unit, unsigned function)
{
	return records_source(unit, function)->name;
}

void why_add_place(struct kiln_strbuf *sb, const struct records_unit *unit,
		   const struct records_call *call)
{
	unsigned function = unit->bodies[call->body].function;
	const char *file = records_source(unit, function)->file;

	kiln_strbuf_adds(sb, file ? file : unit->name);
	if (call->call.line)
		kiln_strbuf_addf(sb, ":%u", call->call.line);
}

bool why_is_used(const struct records_unit *unit, unsigned function)
{
	const struct records_body *body = &unit->bodies[function];

	if (body->has_sizes || body->has_code || body->is_merged)
		return true;
	for (size_t i = 0; i < unit->nr_calls; i++) {
		const struct records_call *call = &unit->calls[i];

		if (call->call.callee == function || unit->bodies[call->body].root == function)
			return true;
	}
	return false;
}

/* ---- the function itself ---- */

static void print_sizes(const struct records_body *body)
{
	if (!body->has_sizes)
		return;
	if (body->sizes.is_left)
		printf("  size, GCC's guess: %d before the IPA inliner, %d after it\n",
		       body->sizes.size, body->sizes.size_after);
	else
		printf("  size, GCC's guess: %d before the IPA inliner, which left nothing of it\n",
		       body->sizes.size);
}

static void print_code(const struct records_body *body)
{
	const struct kiln_code *code = &body->code;

	if (!body->has_code) {
		puts("  put out: no, nothing but what was inlined is left of it");
		return;
	}
	printf("  put out: in %s", code->section ? code->section : ".text");
	if (code->frame >= 0)
		printf(", a frame of %ld bytes%s", code->frame,
		       code->is_dynamic ? code->is_bounded ? " at most" : " and more" : "");
	printf(", %s mcount site%s\n", code->traceable ? "with an" : "without an",
	       code->has_cold ? ", with a .cold part" : "");
}

static void print_clones(const struct records_unit *unit, unsigned function)
{
	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		const struct records_body *body = &unit->bodies[i];

		if (body->clone_kind && body->origin == function && i != function)
			printf("  clone (%s): %s\n", body->clone_kind, body->name);
	}
}

/* Where it went itself; calls in one function come one after the other. */
static void print_callers(const struct records_unit *unit, unsigned function)
{
	unsigned last = function;
	size_t count = 0;

	for (size_t i = 0; i < unit->nr_calls; i++) {
		const struct records_call *call = &unit->calls[i];
		unsigned root = unit->bodies[call->body].root;

		if (call->fate == RECORDS_REFUSED || call->call.callee != function ||
		    root == last || root == function)
			continue;
		last = root;
		if (count++ < NR_CALLERS)
			printf("%s%s", count == 1 ? "  itself inlined into: " : ", ",
			       unit->bodies[root].name);
	}
	if (count > NR_CALLERS)
		printf(" and %zu more", count - NR_CALLERS);
	if (count)
		putchar('\n');
}

static void print_function(const struct records_unit *unit, unsigned function)
{
	const struct records_body *body = &unit->bodies[function];

	if (body->clone_kind)
		printf("  a clone (%s) of %s\n", body->clone_kind, unit->bodies[body->origin].name);
	if (body->is_merged && body->twin != function)
		printf("  merged with %s, which is the same code\n", unit->bodies[body->twin].name);
	else if (body->is_merged)
		puts("  merged with a function that is gone");
	print_sizes(body);
	print_code(body);
	print_clones(unit, function);
	print_callers(unit, function);
}

/* ---- its calls ---- */

/* " in do_open in path_openat": what the call's body is in, without the root. */
static void add_bodies(struct kiln_strbuf *sb, const struct records_unit *unit, unsigned body)
{
	const char *word = " in ";

	for (; unit->bodies[body].outer != body; body = unit->bodies[body].outer) {
		kiln_strbuf_addf(sb, "%s%s", word, unit->bodies[unit->bodies[body].function].name);
		word = " <- ";
	}
}

static size_t count_calls(const struct records_unit *unit, unsigned function, bool refused)
{
	size_t count = 0;

	for (size_t i = 0; i < unit->nr_calls; i++)
		count += (unit->calls[i].fate == RECORDS_REFUSED) == refused &&
			 unit->bodies[unit->calls[i].body].root == function;
	return count;
}

static bool print_calls(const struct records_unit *unit, unsigned function, bool refused)
{
	struct kiln_strbuf line;
	bool failed = false;

	kiln_strbuf_init(&line);
	for (size_t i = 0; i < unit->nr_calls && !failed; i++) {
		const struct records_call *call = &unit->calls[i];

		if ((call->fate == RECORDS_REFUSED) != refused ||
		    unit->bodies[call->body].root != function)
			continue;
		kiln_strbuf_reset(&line);
		kiln_strbuf_adds(&line, "    ");
		why_add_place(&line, unit, call);
		kiln_strbuf_addf(&line, "  %s", unit->bodies[call->call.callee].name);
		add_bodies(&line, unit, call->body);
		kiln_strbuf_adds(&line, "  ");
		if (refused)
			why_add_reason(&line, call);
		else
			kiln_strbuf_adds(&line, why_when(unit, call));
		failed = line.failed;
		puts(line.data);
	}
	kiln_strbuf_release(&line);
	return !failed;
}

bool why_print_caller(const struct why_policy *policy, const struct records_unit *unit,
		      unsigned function)
{
	printf("%s: %s\n", unit->name, unit->bodies[function].name);
	if (!why_print_settings(policy, unit, function))
		return false;
	print_function(unit, function);
	printf("  calls inlined: %zu\n", count_calls(unit, function, false));
	if (!print_calls(unit, function, false))
		return false;
	printf("  calls refused: %zu\n", count_calls(unit, function, true));
	return print_calls(unit, function, true);
}
