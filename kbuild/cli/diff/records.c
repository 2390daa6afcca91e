// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What GCC decided, by the records of both builds: include/kiln/decisions.h. Calls
 * are joined by unit, caller and callee, names being those of the source: a function
 * that was inlined into another calls what it calls in its own source.
 */
#include "diff.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../records/records.h"

#define INIT_TEXT ".init.text"

struct reader {
	struct diff *diff;
	enum diff_side side;
	struct diff_unit *unit;
	struct records_unit record;
	struct kiln_strbuf key;
	bool failed;
};

/* ---- decisions ---- */

/* Of the function that a body is, or is a copy of. */
static const char *name_of(const struct reader *reader, unsigned body)
{
	const struct records_body *bodies = reader->record.bodies;

	return bodies[bodies[body].function].name;
}

/* "fs/open.o do_sys_open do_sys_openat2" */
static struct diff_edge *find_edge(struct reader *reader, unsigned body, unsigned callee)
{
	const char *caller = name_of(reader, body), *called = name_of(reader, callee);

	kiln_strbuf_reset(&reader->key);
	kiln_strbuf_addf(&reader->key, "%s%s%.*s %.*s", reader->unit->entry.text,
			 *reader->unit->entry.text ? " " : "",
			 (int)keep_name_length(caller, strlen(caller)), caller,
			 (int)keep_name_length(called, strlen(called)), called);
	if (reader->key.failed) {
		reader->failed = true;
		return NULL;
	}
	return (struct diff_edge *)keep_table_add(&reader->diff->edges, reader->key.data,
						  reader->key.length);
}

/* Is it a part of the function itself that was split off and is back? */
static bool is_own_part(const struct reader *reader, const struct records_call *call)
{
	const char *caller = name_of(reader, call->body);
	const char *callee = name_of(reader, call->call.callee);
	size_t length = keep_name_length(callee, strlen(callee));

	return callee[length] && keep_name_length(caller, strlen(caller)) == length &&
	       !memcmp(caller, callee, length);
}

static void see_call(struct reader *reader, const struct records_call *call)
{
	struct diff_edge *edge;

	if (call->fate == RECORDS_REFUSED || is_own_part(reader, call))
		return;
	edge = find_edge(reader, call->body, call->call.callee);
	if (!edge)
		return;
	if (call->fate == RECORDS_EARLY)
		edge->early[reader->side]++;
	else
		edge->ipa[reader->side]++;
}

static void see_frame(struct reader *reader, const char *name, long bytes)
{
	struct diff_frame *frame;

	if (bytes < 0)
		return;
	frame = diff_add_frame(reader->diff, reader->unit->entry.text, name);
	if (!frame)
		return;
	frame->is_known[reader->side] = true;
	frame->bytes[reader->side] = (unsigned long)bytes;
}

static void see_code(struct reader *reader, const struct records_body *body)
{
	struct diff_symbol *symbol = diff_add_symbol(reader->diff, body->name);
	bool is_init = body->code.section && !strcmp(body->code.section, INIT_TEXT);

	see_frame(reader, body->name, body->code.frame);
	if (!symbol)
		return;
	symbol->function->sides[reader->side].recorded++;
	symbol->sides[reader->side].is_recorded_traceable |= body->code.traceable && !is_init;
}

static void see_flags(struct reader *reader, const char *flags)
{
	const struct keep_entry *entry = keep_table_add(&reader->diff->flags, flags, strlen(flags));

	if (entry)
		reader->unit->flags[reader->side] = entry->text;
}

static void see(struct reader *reader)
{
	const struct records_unit *record = &reader->record;

	if (record->flags)
		see_flags(reader, record->flags);
	for (size_t i = 0; i < record->nr_calls; i++)
		see_call(reader, &record->calls[i]);
	for (size_t i = 0; i < record->nr_bodies; i++) {
		if (record->bodies[i].has_code)
			see_code(reader, &record->bodies[i]);
	}
}

/* ---- files ---- */

/* Of another version, or empty: what the symbols tell can do without. */
static void note_foreign(struct reader *reader, const char *path)
{
	if (!reader->diff->nr_foreign_records[reader->side]++)
		cli_note("'%s' is no record of this version of Kiln: such are passed over", path);
}

static enum cli_status read_text(struct reader *reader, const char *path)
{
	struct records_fault fault;

	if (records_unit_read(&reader->record, &fault))
		return cli_no_memory();
	if (fault.why && fault.line <= 1) {
		note_foreign(reader, path);
		return CLI_OK;
	}
	if (fault.why)
		return cli_trouble("'%s' is damaged, or of another version of Kiln: line %u: %s",
				   path, fault.line, fault.why);
	see(reader);
	reader->diff->nr_records[reader->side]++;
	return reader->failed ? cli_no_memory() : CLI_OK;
}

enum cli_status diff_read_record(struct diff *diff, enum diff_side side, const char *path,
				 const char *unit)
{
	struct reader reader = {.diff = diff, .side = side};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum cli_status status;

	if (fd < 0)
		return cli_trouble("'%s' cannot be read: %s", path, strerror(errno));
	reader.unit = (struct diff_unit *)keep_table_add(&diff->units, unit, strlen(unit));
	kiln_strbuf_init(&reader.key);
	records_unit_init(&reader.record);
	if (!reader.unit)
		status = cli_no_memory();
	else if (kiln_strbuf_read_fd(&reader.record.text, fd))
		status = cli_trouble("'%s' cannot be read: %s", path, strerror(errno));
	else
		status = read_text(&reader, path);
	records_unit_release(&reader.record);
	kiln_strbuf_release(&reader.key);
	close(fd);
	return status;
}

/* ---- what differs ---- */

/* How many units differ in the same flags. */
struct pair {
	struct keep_entry entry;
	const char *flags[DIFF_SIDES];
	size_t units;
};

static bool has_word(const char *words, const char *word, size_t length)
{
	while (*words) {
		size_t this_length = strcspn(words, " ");

		if (this_length == length && !memcmp(words, word, length))
			return true;
		words += this_length + (words[this_length] == ' ');
	}
	return false;
}

/* The words of FLAGS that OTHERS do not have; "-": there are none. */
static const char *own_words(struct diff_report *report, const char *flags, const char *others)
{
	struct kiln_strbuf own;
	const char *kept;

	kiln_strbuf_init(&own);
	while (*flags) {
		size_t length = strcspn(flags, " ");

		if (!has_word(others, flags, length))
			kiln_strbuf_addf(&own, "%s%.*s", own.length ? " " : "", (int)length, flags);
		flags += length + (flags[length] == ' ');
	}
	report->failed |= own.failed;
	kept = diff_keep_string(report, "%s", own.length ? own.data : "-");
	kiln_strbuf_release(&own);
	return kept;
}

static void add_pair(struct diff_report *report, struct keep_table *pairs,
		     const struct diff_unit *unit)
{
	const char *a = unit->flags[DIFF_A], *b = unit->flags[DIFF_B];
	const char *key;
	struct pair *pair;

	/* Equal ones are one string. */
	if (!a || !b || a == b)
		return;
	key = diff_keep_string(report, "%s\n%s", own_words(report, a, b), own_words(report, b, a));
	pair = (struct pair *)keep_table_add(pairs, key, strlen(key));
	if (!pair)
		return;
	pair->flags[DIFF_A] = own_words(report, a, b);
	pair->flags[DIFF_B] = own_words(report, b, a);
	pair->units++;
}

void diff_compare_flags(const struct diff *diff, struct diff_report *report)
{
	struct keep_table pairs;
	struct keep_entry **list;

	keep_table_init(&pairs, sizeof(struct pair));
	for (size_t i = 0; i < diff->units.nr_slots; i++) {
		if (diff->units.slots[i])
			add_pair(report, &pairs, (const struct diff_unit *)diff->units.slots[i]);
	}
	list = keep_table_sorted(&pairs);
	report->failed |= pairs.failed || !list;
	for (size_t i = 0; list && list[i]; i++) {
		const struct pair *pair = (const struct pair *)list[i];

		diff_add_texts(report,
			       diff_keep_string(report, "flags of %zu unit%s", pair->units,
						pair->units == 1 ? "" : "s"),
			       pair->flags[DIFF_A], pair->flags[DIFF_B]);
	}
	free(list);
	keep_table_release(&pairs);
}

/* Those that are in one build alone; early ones or those of IPA. */
static void compare_edges(const struct diff *diff, struct diff_report *report, const char *key,
			  const char *title, bool early, enum diff_side side)
{
	struct diff_section *section = diff_add_section(report, key, title, false);

	for (size_t i = 0; i < diff->edges.nr_slots; i++) {
		const struct diff_edge *edge = (const struct diff_edge *)diff->edges.slots[i];
		const size_t *counts = edge ? early ? edge->early : edge->ipa : NULL;

		if (edge && counts[side] && !counts[!side])
			diff_add_numbers(report, edge->entry.text, (int64_t)counts[DIFF_A],
					 (int64_t)counts[DIFF_B]);
	}
	diff_sort(section);
}

/* ---- predictions ---- */

/* Adds those that symbols and records tell different things of; what records say are gone. */
static size_t compare_gone(const struct diff *diff, struct diff_report *report)
{
	size_t predicted = 0;

	for (size_t i = 0; i < diff->functions.nr_slots; i++) {
		const struct diff_function *function =
			(const struct diff_function *)diff->functions.slots[i];
		bool is_there, is_predicted;

		if (!function || !function->sides[DIFF_A].recorded ||
		    !function->sides[DIFF_A].symbols)
			continue;
		is_there = function->sides[DIFF_B].symbols;
		is_predicted = function->sides[DIFF_B].recorded;
		predicted += !is_predicted;
		if (is_there != is_predicted)
			diff_add_texts(report, function->entry.text, is_there ? "there" : "gone",
				       is_predicted ? "there" : "gone");
	}
	return predicted;
}

static const char *trace_word(bool is_traceable)
{
	return is_traceable ? "traceable" : "lost to tracers";
}

/* The same for what tracers lose. */
static size_t compare_lost(const struct diff *diff, struct diff_report *report)
{
	size_t predicted = 0;

	for (size_t i = 0; i < diff->symbols.nr_slots; i++) {
		const struct diff_symbol *symbol =
			(const struct diff_symbol *)diff->symbols.slots[i];
		bool is, is_predicted;

		if (!symbol || !symbol->sides[DIFF_A].is_traceable ||
		    !symbol->sides[DIFF_A].is_recorded_traceable)
			continue;
		is = symbol->sides[DIFF_B].is_traceable;
		is_predicted = symbol->sides[DIFF_B].is_recorded_traceable;
		predicted += !is_predicted;
		if (is != is_predicted)
			diff_add_texts(report, symbol->entry.text, trace_word(is),
				       trace_word(is_predicted));
	}
	return predicted;
}

static void compare_predictions(const struct diff *diff, struct diff_report *report)
{
	struct diff_section *section = diff_add_section(report, "mispredicted", "", true);
	size_t gone = compare_gone(diff, report), lost = 0;

	if (diff->has_sites[DIFF_A] && diff->has_sites[DIFF_B])
		lost = compare_lost(diff, report);
	section->title =
		diff_keep_string(report,
				 "by the records %zu functions are gone and %zu lost to tracers; "
				 "the symbols (left) say otherwise",
				 gone, lost);
	diff_sort(section);
}

void diff_compare_records(const struct diff *diff, struct diff_report *report)
{
	struct diff_section *section;

	if (!diff->nr_records[DIFF_A] || !diff->nr_records[DIFF_B]) {
		section = diff_add_section(report, "inlined_gained", "what was inlined", false);
		section->note = "not known without the records of both builds";
		return;
	}
	compare_edges(diff, report, "inlined_gained", "calls inlined by IPA in B alone", false,
		      DIFF_B);
	compare_edges(diff, report, "inlined_lost", "calls inlined by IPA in A alone", false,
		      DIFF_A);
	compare_edges(diff, report, "early_gained", "calls inlined early in B alone", true, DIFF_B);
	compare_edges(diff, report, "early_lost", "calls inlined early in A alone", true, DIFF_A);
	compare_predictions(diff, report);
}
