// SPDX-License-Identifier: GPL-2.0-or-later
#include "report.h"

#include <stdlib.h>
#include <string.h>

const char *const report_by_names[] = {
	[REPORT_DIRECTORY] = "directory",
	[REPORT_FILE] = "file",
	[REPORT_FUNCTION] = "function",
	[REPORT_REASON] = "reason",
	NULL,
};

static const struct report_column columns[REPORT_NR_COUNTS] = {
	[REPORT_UNITS] = {.key = "units", .title = "units"},
	[REPORT_FUNCTIONS] = {.key = "functions", .title = "functions"},
	[REPORT_CLONES] = {.key = "clones", .title = "clones"},
	[REPORT_TRACEABLE] = {.key = "traceable", .title = "traceable"},
	[REPORT_KEPT] = {.key = "kept", .title = "kept"},
	[REPORT_LEFT] = {.key = "left", .title = "left"},
	[REPORT_ALWAYS_INLINE] = {.key = "always_inline", .title = "always"},
	[REPORT_EARLY] = {.key = "early", .title = "early"},
	[REPORT_IPA] = {.key = "ipa", .title = "IPA"},
	[REPORT_REFUSED] = {.key = "refused", .title = "refused"},
	[REPORT_SIZE_BEFORE] = {.key = "size_before", .title = "before"},
	[REPORT_SIZE_AFTER] = {.key = "size_after", .title = "after"},
	[REPORT_FRAME] = {.key = "frame", .title = "frame", .is_largest = true},
};

static const struct report_column reason_columns[REPORT_NR_REASON_COUNTS] = {
	[REPORT_REASON_CALLS] = {.key = "calls", .title = "calls"},
	[REPORT_REASON_FUNCTIONS] = {.key = "functions", .title = "functions"},
	[REPORT_REASON_UNITS] = {.key = "units", .title = "units"},
	[REPORT_REASON_ESTIMATES] = {.key = "estimates", .title = "estimates"},
	[REPORT_REASON_LEAST] = {.key = "least_growth", .title = "least", .is_least = true},
	[REPORT_REASON_MOST] = {.key = "most_growth", .title = "most", .is_largest = true},
};

const struct report_column *report_columns(const struct report *report, size_t *ret_count)
{
	bool by_reason = report->by == REPORT_REASON;

	*ret_count = by_reason ? (size_t)REPORT_NR_REASON_COUNTS : (size_t)REPORT_NR_COUNTS;
	return by_reason ? reason_columns : columns;
}

static bool adds_up(const struct report *report, size_t column)
{
	if (report->by == REPORT_REASON)
		return column != REPORT_REASON_UNITS && column != REPORT_REASON_FUNCTIONS;
	return report->by != REPORT_FUNCTION || column != REPORT_UNITS;
}

bool report_knows(const struct report *report, const struct report_row *row, size_t column)
{
	if (row == &report->others && !adds_up(report, column))
		return false;
	return report->by != REPORT_REASON || column <= REPORT_REASON_ESTIMATES ||
	       row->counts[REPORT_REASON_ESTIMATES];
}

const struct report_row *report_total(const struct report *report)
{
	return report->by == REPORT_REASON ? &report->reasons_total : &report->total;
}

/* ---- order ---- */

static int compare_numbers(int64_t a, int64_t b)
{
	return a > b ? -1 : a < b;
}

static int64_t change_of(const struct report_row *row)
{
	return llabs(row->counts[REPORT_SIZE_AFTER] - row->counts[REPORT_SIZE_BEFORE]);
}

static int by_change(const void *a, const void *b)
{
	const struct report_row *one = *(const struct report_row *const *)a;
	const struct report_row *other = *(const struct report_row *const *)b;
	int order = compare_numbers(change_of(one), change_of(other));

	return order ? order : strcmp(one->entry.text, other->entry.text);
}

/* The first count: of a reason the calls. */
static int by_first(const void *a, const void *b)
{
	const struct report_row *one = *(const struct report_row *const *)a;
	const struct report_row *other = *(const struct report_row *const *)b;
	int order = compare_numbers(one->counts[0], other->counts[0]);

	return order ? order : strcmp(one->entry.text, other->entry.text);
}

static int by_units(const void *a, const void *b)
{
	const struct report_flags *one = *(const struct report_flags *const *)a;
	const struct report_flags *other = *(const struct report_flags *const *)b;
	int order = compare_numbers((int64_t)one->units, (int64_t)other->units);

	return order ? order : strcmp(one->entry.text, other->entry.text);
}

/* NULL: no memory. Entries are what their tables hold. */
static void *arrange(const struct keep_table *table, int (*compare)(const void *, const void *))
{
	struct keep_entry **list = keep_table_sorted(table);

	if (list)
		qsort(list, table->count, sizeof(struct keep_entry *), compare);
	return list;
}

/* ---- how much of it ---- */

static bool add_refused(struct report_row *sum, const struct report_row *row)
{
	int64_t *grown;

	if (row->nr_refused > sum->nr_refused) {
		grown = (int64_t *)realloc(sum->refused, row->nr_refused * sizeof(*grown));
		if (!grown)
			return false;
		memset(grown + sum->nr_refused, 0,
		       (row->nr_refused - sum->nr_refused) * sizeof(*grown));
		sum->refused = grown;
		sum->nr_refused = row->nr_refused;
	}
	for (size_t i = 0; i < row->nr_refused; i++)
		sum->refused[i] += row->refused[i];
	return true;
}

static void add_count(const struct report_column *column, int64_t *sum, int64_t count,
		      bool is_first)
{
	if (!column->is_largest && !column->is_least)
		*sum += count;
	else if (is_first || (column->is_largest ? count > *sum : count < *sum))
		*sum = count;
}

static bool add_row(const struct report *report, struct report_row *sum,
		    const struct report_row *row, bool is_first)
{
	size_t count;
	const struct report_column *column = report_columns(report, &count);

	/* Of a reason without an estimate the growths are none. */
	is_first |= report->by == REPORT_REASON && !sum->counts[REPORT_REASON_ESTIMATES];
	for (size_t i = 0; i < count; i++) {
		if (report_knows(report, row, i))
			add_count(&column[i], &sum->counts[i], row->counts[i], is_first);
	}
	return add_refused(sum, row);
}

enum cli_status report_arrange(struct report *report, size_t top)
{
	const struct keep_table *table =
		report->by == REPORT_REASON ? &report->reasons : &report->table;
	bool added = true;

	report->rows = (const struct report_row **)arrange(
		table, report->by == REPORT_REASON ? by_first : by_change);
	report->sorted_reasons = (const struct report_reason **)arrange(&report->reasons, by_first);
	report->sorted_flags = (const struct report_flags **)arrange(&report->flags, by_units);
	if (!report->rows || !report->sorted_reasons || !report->sorted_flags)
		return cli_no_memory();
	report->nr_rows = table->count;
	report->nr_shown = top && top < report->nr_rows ? top : report->nr_rows;
	for (size_t i = report->nr_shown; added && i < report->nr_rows; i++)
		added = add_row(report, &report->others, report->rows[i], i == report->nr_shown);
	return added ? CLI_OK : cli_no_memory();
}
