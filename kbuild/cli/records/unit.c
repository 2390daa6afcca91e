// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	struct kiln_record_visitor visitor;
	struct records_unit *unit;
	bool failed; /* no memory */
};

void records_unit_init(struct records_unit *unit)
{
	*unit = (struct records_unit){.settings = ""};
	kiln_strbuf_init(&unit->text);
}

void records_unit_release(struct records_unit *unit)
{
	kiln_strbuf_release(&unit->text);
	free(unit->bodies);
	free(unit->calls);
	free(unit->ruled);
	records_unit_init(unit);
}

/* Room for one more of COUNT items; they may have moved. NULL: no memory. */
static void *make_room(struct reading *reading, void *items, size_t count, size_t *capacity,
		       size_t item_size)
{
	size_t wanted = *capacity ? *capacity * 2 : 256;
	void *grown;

	if (count < *capacity)
		return items;
	grown = realloc(items, wanted * item_size);
	if (grown)
		*capacity = wanted;
	else
		reading->failed = true;
	return grown;
}

/* A function for now. NULL: no memory. */
static struct records_body *add_body(struct reading *reading)
{
	struct records_unit *unit = reading->unit;
	unsigned number = (unsigned)unit->nr_bodies;
	struct records_body *body;
	void *room = make_room(reading, unit->bodies, unit->nr_bodies, &unit->bodies_capacity,
			       sizeof(unit->bodies[0]));

	if (!room)
		return NULL;
	unit->bodies = (struct records_body *)room;
	body = &unit->bodies[unit->nr_bodies++];
	*body = (struct records_body){.function = number,
				      .outer = number,
				      .root = number,
				      .caller = number,
				      .origin = number,
				      .twin = number};
	return body;
}

static void add_call(struct reading *reading, const struct records_call *call)
{
	struct records_unit *unit = reading->unit;
	void *room = make_room(reading, unit->calls, unit->nr_calls, &unit->calls_capacity,
			       sizeof(unit->calls[0]));

	if (!room)
		return;
	unit->calls = (struct records_call *)room;
	unit->calls[unit->nr_calls++] = *call;
}

static void visit(struct kiln_record_visitor *visitor, const struct kiln_unit *unit,
		  const struct kiln_function *function, const char *settings, bool left)
{
	struct reading *reading = (struct reading *)(void *)visitor;
	struct records_body *body;

	reading->unit->unit = *unit;
	if (!function) {
		reading->unit->settings = settings;
		return;
	}
	body = add_body(reading);
	if (!body)
		return;
	body->name = function->name;
	body->file = function->file;
	body->section = function->section;
	body->is_copied = function->is_copied;
	body->settings = settings;
	body->is_left = left;
	body->how = visitor->how;
}

static void see_name(struct reading *reading, const struct kiln_decision *decision)
{
	struct records_body *body = add_body(reading);

	if (!body)
		return;
	body->name = decision->text;
	body->how = "-";
}

/* What a copy is a copy of may itself be called by the number of a copy, in a bad record. */
static void see_copy(struct reading *reading, const struct kiln_decision *decision, bool is_within)
{
	struct records_body *body = add_body(reading);

	if (!body)
		return;
	body->function = reading->unit->bodies[decision->call.callee].function;
	body->outer = decision->body;
	body->root = reading->unit->bodies[decision->body].root;
	body->caller = is_within ? reading->unit->bodies[decision->body].caller : body->function;
	body->line = decision->call.line;
	body->is_within = is_within;
}

static void see_call(struct reading *reading, const struct kiln_decision *decision,
		     enum records_fate fate)
{
	struct records_call call = {
		.fate = fate,
		.body = decision->body,
		.copy = decision->number,
		.call = decision->call,
		.reason = decision->text,
		.limit = decision->limit,
	};

	call.call.callee = reading->unit->bodies[decision->call.callee].function;
	add_call(reading, &call);
}

static void see_ruled(struct reading *reading, const struct kiln_decision *decision)
{
	struct records_unit *unit = reading->unit;
	void *room = make_room(reading, unit->ruled, unit->nr_ruled, &unit->ruled_capacity,
			       sizeof(unit->ruled[0]));

	if (!room)
		return;
	unit->ruled = (struct records_ruled *)room;
	unit->ruled[unit->nr_ruled++] = (struct records_ruled){
		unit->bodies[decision->number].function, unit->bodies[decision->other].function,
		decision->text, decision->why};
}

static void decide(struct kiln_record_visitor *visitor, const struct kiln_decision *decision)
{
	struct reading *reading = (struct reading *)(void *)visitor;
	struct records_body *bodies = reading->unit->bodies;

	if (reading->failed)
		return;
	switch (decision->kind) {
	case KILN_DECIDED_FLAGS:
		reading->unit->flags = decision->text;
		break;
	case KILN_DECIDED_NAME:
		see_name(reading, decision);
		break;
	case KILN_DECIDED_CLONE:
		bodies[decision->number].origin = decision->other;
		bodies[decision->number].clone_kind = decision->text;
		break;
	case KILN_DECIDED_MERGED:
		bodies[decision->number].is_merged = true;
		bodies[decision->number].twin = decision->other;
		break;
	case KILN_DECIDED_EARLY:
		see_call(reading, decision, RECORDS_EARLY);
		break;
	case KILN_DECIDED_WITHIN:
		see_copy(reading, decision, true);
		break;
	case KILN_DECIDED_INLINED:
		see_call(reading, decision, RECORDS_IPA);
		see_copy(reading, decision, false);
		break;
	case KILN_DECIDED_REFUSED:
		see_call(reading, decision, RECORDS_REFUSED);
		break;
	case KILN_DECIDED_RULED:
		see_ruled(reading, decision);
		break;
	case KILN_DECIDED_SIZE:
		bodies[decision->number].has_sizes = true;
		bodies[decision->number].sizes = decision->sizes;
		break;
	case KILN_DECIDED_CODE:
		bodies[decision->number].has_code = true;
		bodies[decision->number].code = decision->code;
		break;
	}
}

static bool is_function(const struct records_unit *unit, unsigned number)
{
	return unit->bodies[number].outer == number;
}

/* No line that tells of a function tells of a copy: the plugin writes no such. */
static bool is_consistent(const struct records_unit *unit)
{
	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		const struct records_body *body = &unit->bodies[i];

		if (is_function(unit, i)
			    ? !is_function(unit, body->origin) || !is_function(unit, body->twin)
			    : body->has_sizes || body->has_code || body->clone_kind ||
				      body->is_merged)
			return false;
	}
	return true;
}

int records_unit_read(struct records_unit *unit, struct records_fault *ret_fault)
{
	struct reading reading = {.visitor = {.visit = visit, .decide = decide}, .unit = unit};
	enum kiln_record_state state;

	unit->nr_bodies = unit->nr_calls = unit->nr_ruled = 0;
	unit->unit = (struct kiln_unit){.arch = NULL};
	unit->settings = "";
	unit->flags = NULL;
	*ret_fault = (struct records_fault){.why = NULL};
	if (kiln_record_visit(unit->text.data, unit->text.length, &reading.visitor, &state) ||
	    reading.failed)
		return -1;
	if (state == KILN_RECORD_BAD)
		*ret_fault = (struct records_fault){reading.visitor.line, reading.visitor.why};
	else if (!is_consistent(unit))
		*ret_fault = (struct records_fault){
			reading.visitor.line, "a line before this one takes a copy for a function"};
	unit->name = unit->unit.source ? unit->unit.source : unit->unit.object;
	return 0;
}

bool records_is_always_inline(const struct records_body *function)
{
	return function->how && strchr(function->how, 'a');
}

/* Of a bad record, where clones are clones of each other. */
#define LONGEST_CHAIN 32

unsigned records_origin(const struct records_unit *unit, unsigned function)
{
	for (int i = 0; i < LONGEST_CHAIN && unit->bodies[function].origin != function; i++)
		function = unit->bodies[function].origin;
	return function;
}

const struct records_body *records_source(const struct records_unit *unit, unsigned function)
{
	return &unit->bodies[records_origin(unit, function)];
}

const struct records_ruled *records_rule_of(const struct records_unit *unit,
					    const struct records_call *call)
{
	unsigned caller = records_origin(unit, unit->bodies[call->body].function);
	unsigned callee = records_origin(unit, call->call.callee);

	for (size_t i = 0; i < unit->nr_ruled; i++) {
		if (unit->ruled[i].caller == caller && unit->ruled[i].callee == callee)
			return &unit->ruled[i];
	}
	return NULL;
}

bool records_has_word(const char *settings, const char *word)
{
	size_t length = strlen(word);

	for (const char *p = settings; *p; p += strcspn(p, " "), p += *p == ' ') {
		if (!strncmp(p, word, length) && (!p[length] || p[length] == ' '))
			return true;
	}
	return false;
}
