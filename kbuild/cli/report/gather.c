// SPDX-License-Identifier: GPL-2.0-or-later
#include "report.h"

#include <stdlib.h>
#include <string.h>

struct gatherer {
	struct records_reader reader;
	struct report *report;
	const struct records_unit *unit;
	struct report_row *unit_row; /* of its directory or file */
	struct report_row **rows;    /* of its functions, by their numbers */
	size_t rows_capacity;
	struct kiln_strbuf key;
	size_t nr_functions; /* that were seen, in all units */
	bool failed;
};

/* ---- rows ---- */

static void add_directory(struct kiln_strbuf *sb, const char *name)
{
	const char *slash = strrchr(name, '/');

	if (slash)
		kiln_strbuf_add(sb, name, (size_t)(slash - name) + 1);
	else
		kiln_strbuf_adds(sb, "./");
}

/* NULL: no memory. */
static struct report_row *find_row(struct gatherer *gatherer, struct keep_table *table)
{
	struct keep_entry *entry = NULL;

	if (!gatherer->key.failed)
		entry = keep_table_add(table, gatherer->key.data, gatherer->key.length);
	gatherer->failed |= !entry;
	return (struct report_row *)entry;
}

static void count_unit(struct gatherer *gatherer, struct report_row *row, int column)
{
	size_t unit = gatherer->report->build->nr_units;

	if (row->last_unit == unit)
		return;
	row->last_unit = unit;
	row->counts[column]++;
}

static void find_unit_row(struct gatherer *gatherer)
{
	const char *name = gatherer->unit->name;

	gatherer->unit_row = NULL;
	kiln_strbuf_reset(&gatherer->key);
	switch (gatherer->report->by) {
	case REPORT_DIRECTORY:
		add_directory(&gatherer->key, name);
		break;
	case REPORT_FILE:
		kiln_strbuf_adds(&gatherer->key, name);
		break;
	default:
		return;
	}
	gatherer->unit_row = find_row(gatherer, &gatherer->report->table);
	if (gatherer->unit_row)
		count_unit(gatherer, gatherer->unit_row, REPORT_UNITS);
}

static struct report_row *find_function_row(struct gatherer *gatherer, unsigned function)
{
	struct report_row **row = &gatherer->rows[function];

	if (*row)
		return *row;
	kiln_strbuf_reset(&gatherer->key);
	kiln_strbuf_addf(&gatherer->key, "%s:%s", gatherer->unit->name,
			 gatherer->unit->bodies[function].name);
	*row = find_row(gatherer, &gatherer->report->table);
	if (*row)
		count_unit(gatherer, *row, REPORT_UNITS);
	return *row;
}

/* Of the table in question; NULL: it has none for functions, or no memory. */
static struct report_row *row_of(struct gatherer *gatherer, unsigned function)
{
	if (gatherer->report->by == REPORT_FUNCTION)
		return find_function_row(gatherer, function);
	return gatherer->unit_row;
}

static void count(struct gatherer *gatherer, unsigned function, enum report_count column,
		  int64_t number)
{
	struct report_row *row = row_of(gatherer, function);

	if (row)
		row->counts[column] += number;
	gatherer->report->total.counts[column] += number;
}

/* ---- functions ---- */

static void see_frame(struct gatherer *gatherer, unsigned function, int64_t bytes)
{
	struct report *report = gatherer->report;
	struct report_row *row = row_of(gatherer, function);
	const struct records_unit *unit = gatherer->unit;

	if (row && bytes > row->counts[REPORT_FRAME])
		row->counts[REPORT_FRAME] = bytes;
	if (bytes <= report->total.counts[REPORT_FRAME])
		return;
	report->total.counts[REPORT_FRAME] = bytes;
	kiln_strbuf_reset(&report->largest_frame);
	kiln_strbuf_addf(&report->largest_frame, "%s:%s", unit->name, unit->bodies[function].name);
	gatherer->failed |= report->largest_frame.failed;
}

static void see_code(struct gatherer *gatherer, unsigned function, const struct records_body *body)
{
	count(gatherer, function, REPORT_FUNCTIONS, 1);
	if (body->clone_kind)
		count(gatherer, function, REPORT_CLONES, 1);
	if (body->code.traceable)
		count(gatherer, function, REPORT_TRACEABLE, 1);
	see_frame(gatherer, function, body->code.frame);
}

static void see_function(struct gatherer *gatherer, unsigned function)
{
	const struct records_body *body = &gatherer->unit->bodies[function];

	if (body->outer != function)
		return;
	if (body->has_code)
		see_code(gatherer, function, body);
	if (body->has_sizes)
		count(gatherer, function, REPORT_SIZE_BEFORE, body->sizes.size);
	if (body->has_sizes && body->sizes.is_left)
		count(gatherer, function, REPORT_SIZE_AFTER, body->sizes.size_after);
	if (body->settings && records_has_word(body->settings, "keep"))
		count(gatherer, function, REPORT_KEPT, 1);
	if (body->is_left)
		count(gatherer, function, REPORT_LEFT, 1);
}

/* ---- calls ---- */

static struct report_reason *find_reason(struct gatherer *gatherer, const struct records_call *call)
{
	struct report *report = gatherer->report;
	size_t count = report->reasons.count;
	struct report_reason *reason;

	kiln_strbuf_reset(&gatherer->key);
	kiln_strbuf_addf(&gatherer->key, "%s%s%s", call->reason, call->limit ? " " : "",
			 call->limit ? call->limit : "");
	reason = (struct report_reason *)find_row(gatherer, &report->reasons);
	if (!reason || reason->name)
		return reason;
	reason->number = count;
	reason->name = strdup(call->reason);
	reason->limit = call->limit ? strdup(call->limit) : NULL;
	gatherer->failed |= !reason->name || (call->limit && !reason->limit);
	return reason;
}

static void count_refused(struct gatherer *gatherer, struct report_row *row, size_t number)
{
	size_t nr = number + 8;
	int64_t *grown;

	if (number >= row->nr_refused) {
		grown = (int64_t *)realloc(row->refused, nr * sizeof(*grown));
		if (!grown) {
			gatherer->failed = true;
			return;
		}
		memset(grown + row->nr_refused, 0, (nr - row->nr_refused) * sizeof(*grown));
		row->refused = grown;
		row->nr_refused = nr;
	}
	row->refused[number]++;
}

static void see_growth(struct report_row *row, int64_t growth)
{
	int64_t *counts = row->counts;

	if (!counts[REPORT_REASON_ESTIMATES] || growth < counts[REPORT_REASON_LEAST])
		counts[REPORT_REASON_LEAST] = growth;
	if (!counts[REPORT_REASON_ESTIMATES] || growth > counts[REPORT_REASON_MOST])
		counts[REPORT_REASON_MOST] = growth;
	counts[REPORT_REASON_ESTIMATES]++;
}

static void count_reason(struct gatherer *gatherer, struct report_row *row, unsigned root,
			 const struct kiln_call *call)
{
	size_t function = gatherer->nr_functions + root + 1;

	row->counts[REPORT_REASON_CALLS]++;
	count_unit(gatherer, row, REPORT_REASON_UNITS);
	if (call->has_growth)
		see_growth(row, call->growth);
	if (row->last_function == function)
		return;
	/* A function's refusals come one after the other. */
	row->last_function = function;
	row->counts[REPORT_REASON_FUNCTIONS]++;
}

static void see_refused(struct gatherer *gatherer, const struct records_call *call, unsigned root)
{
	struct report_reason *reason = find_reason(gatherer, call);
	struct report_row *row = row_of(gatherer, root);

	if (gatherer->failed)
		return;
	count(gatherer, root, REPORT_REFUSED, 1);
	count_refused(gatherer, &gatherer->report->total, reason->number);
	if (row)
		count_refused(gatherer, row, reason->number);
	count_reason(gatherer, &reason->row, root, &call->call);
	count_reason(gatherer, &gatherer->report->reasons_total, root, &call->call);
}

static void see_call(struct gatherer *gatherer, const struct records_call *call)
{
	const struct records_unit *unit = gatherer->unit;
	unsigned root = unit->bodies[call->body].root;

	if (call->fate == RECORDS_REFUSED)
		see_refused(gatherer, call, root);
	else if (records_is_always_inline(&unit->bodies[call->call.callee]))
		count(gatherer, root, REPORT_ALWAYS_INLINE, 1);
	else
		count(gatherer, root, call->fate == RECORDS_EARLY ? REPORT_EARLY : REPORT_IPA, 1);
}

/* ---- units ---- */

static void see_flags(struct gatherer *gatherer)
{
	const char *flags = gatherer->unit->flags ? gatherer->unit->flags : "not known";
	struct report_flags *entry = (struct report_flags *)keep_table_add(&gatherer->report->flags,
									   flags, strlen(flags));

	gatherer->failed |= !entry;
	if (entry)
		entry->units++;
}

static bool prepare(struct gatherer *gatherer, const struct records_unit *unit)
{
	if (unit->nr_bodies > gatherer->rows_capacity) {
		size_t capacity = unit->nr_bodies * 2;
		struct report_row **grown =
			(struct report_row **)realloc(gatherer->rows, capacity * sizeof(*grown));

		if (!grown)
			return false;
		gatherer->rows = grown;
		gatherer->rows_capacity = capacity;
	}
	if (unit->nr_bodies)
		memset(gatherer->rows, 0, unit->nr_bodies * sizeof(struct report_row *));
	return true;
}

static enum cli_status see(struct records_reader *reader, const struct records_unit *unit)
{
	struct gatherer *gatherer = (struct gatherer *)(void *)reader;

	if (!prepare(gatherer, unit))
		return cli_no_memory();
	gatherer->unit = unit;
	find_unit_row(gatherer);
	gatherer->report->total.counts[REPORT_UNITS]++;
	see_flags(gatherer);
	for (unsigned i = 0; i < unit->nr_bodies; i++)
		see_function(gatherer, i);
	for (size_t i = 0; i < unit->nr_calls; i++)
		see_call(gatherer, &unit->calls[i]);
	gatherer->nr_functions += unit->nr_bodies;
	return gatherer->failed ? cli_no_memory() : CLI_OK;
}

enum cli_status report_gather(struct report *report, struct records_build *build, enum report_by by)
{
	struct gatherer gatherer = {.reader = {see}, .report = report};
	enum cli_status status;

	*report = (struct report){.build = build, .by = by};
	keep_table_init(&report->table, sizeof(struct report_row));
	keep_table_init(&report->reasons, sizeof(struct report_reason));
	keep_table_init(&report->flags, sizeof(struct report_flags));
	kiln_strbuf_init(&report->largest_frame);
	kiln_strbuf_init(&gatherer.key);
	status = records_read(build, &gatherer.reader);
	kiln_strbuf_release(&gatherer.key);
	free(gatherer.rows);
	return status;
}

int64_t report_refused(const struct report_row *row, size_t number)
{
	return number < row->nr_refused ? row->refused[number] : 0;
}

static void release_rows(struct keep_table *table)
{
	for (size_t i = 0; i < table->nr_slots; i++) {
		if (table->slots[i])
			free(((struct report_row *)table->slots[i])->refused);
	}
}

void report_release(struct report *report)
{
	for (size_t i = 0; i < report->reasons.nr_slots; i++) {
		struct report_reason *reason = (struct report_reason *)report->reasons.slots[i];

		if (reason) {
			free(reason->name);
			free(reason->limit);
		}
	}
	release_rows(&report->table);
	keep_table_release(&report->table);
	keep_table_release(&report->reasons);
	keep_table_release(&report->flags);
	kiln_strbuf_release(&report->largest_frame);
	free(report->total.refused);
	free(report->others.refused);
	free(report->rows);
	free(report->sorted_reasons);
	free(report->sorted_flags);
}
