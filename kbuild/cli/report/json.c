// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

static void print_or_null(const char *text)
{
	if (text)
		cli_print_json_string(text);
	else
		fputs("null", stdout);
}

/* The two parts of a reason's name. */
static void print_name(const struct report_reason *reason)
{
	fputs("\"reason\": ", stdout);
	cli_print_json_string(reason->name);
	fputs(", \"limit\": ", stdout);
	print_or_null(reason->limit);
}

static void print_refused(const struct report *report, const struct report_row *row)
{
	bool is_first = true;

	fputs(", \"refused_by\": [", stdout);
	for (size_t i = 0; i < report->reasons.count; i++) {
		const struct report_reason *reason = report->sorted_reasons[i];
		int64_t calls = report_refused(row, reason->number);

		if (!calls)
			continue;
		fputs(is_first ? "{" : ", {", stdout);
		is_first = false;
		print_name(reason);
		printf(", \"calls\": %" PRId64 "}", calls);
	}
	putchar(']');
}

/* Its name, and what it means. */
static void print_reason(const struct report_reason *reason)
{
	print_name(reason);
	fputs(", \"means\": ", stdout);
	print_or_null(records_reason_sentence(reason->name));
	fputs(", ", stdout);
}

static void print_counts(const struct report *report, const struct report_row *row)
{
	size_t count;
	const struct report_column *columns = report_columns(report, &count);

	for (size_t i = 0; i < count; i++) {
		printf("%s\"%s\": ", i ? ", " : "", columns[i].key);
		if (report_knows(report, row, i))
			printf("%" PRId64, row->counts[i]);
		else
			fputs("null", stdout);
	}
	if (report->by != REPORT_REASON)
		print_refused(report, row);
}

static void print_row(const struct report *report, const struct report_row *row)
{
	putchar('{');
	if (report->by == REPORT_REASON) {
		print_reason((const struct report_reason *)row);
	} else {
		fputs("\"name\": ", stdout);
		cli_print_json_string(row->entry.text);
		fputs(", ", stdout);
	}
	print_counts(report, row);
	putchar('}');
}

static void print_flags(const struct report *report)
{
	fputs(",\n  \"flags\": [", stdout);
	for (size_t i = 0; i < report->flags.count; i++) {
		fputs(i ? ",\n    {\"flags\": " : "\n    {\"flags\": ", stdout);
		cli_print_json_string(report->sorted_flags[i]->entry.text);
		printf(", \"units\": %zu}", report->sorted_flags[i]->units);
	}
	putchar(']');
}

void report_print_json(const struct report *report)
{
	fputs("{\n  \"build\": ", stdout);
	cli_print_json_string(report->build->path);
	printf(",\n  \"units\": %zu,\n  \"missing_records\": %zu,\n  \"damaged_records\": %zu",
	       report->build->nr_units, report->build->nr_missing, report->build->nr_damaged);
	fputs(",\n  \"largest_frame\": ", stdout);
	if (report->largest_frame.length)
		cli_print_json_string(report->largest_frame.data);
	else
		fputs("null", stdout);
	print_flags(report);
	printf(",\n  \"by\": \"%s\",\n  \"rows\": [", report_by_names[report->by]);
	for (size_t i = 0; i < report->nr_shown; i++) {
		fputs(i ? ",\n    " : "\n    ", stdout);
		print_row(report, report->rows[i]);
	}
	printf("],\n  \"nr_others\": %zu,\n  \"others\": {", report->nr_rows - report->nr_shown);
	print_counts(report, &report->others);
	fputs("},\n  \"total\": {", stdout);
	print_counts(report, report_total(report));
	fputs("}\n}\n", stdout);
}
