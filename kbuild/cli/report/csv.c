// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>

#include "report.h"

static void print_heads(const struct report *report)
{
	size_t count;
	const struct report_column *columns = report_columns(report, &count);

	printf("kind,%s", report_by_names[report->by]);
	for (size_t i = 0; i < count; i++)
		printf(",%s", columns[i].key);
	for (size_t i = 0; report->by != REPORT_REASON && i < report->reasons.count; i++) {
		putchar(',');
		cli_print_csv_string(report->sorted_reasons[i]->row.entry.text);
	}
	putchar('\n');
}

static void print_row(const struct report *report, const char *kind, const char *name,
		      const struct report_row *row)
{
	size_t count;

	report_columns(report, &count);
	printf("%s,", kind);
	cli_print_csv_string(name);
	for (size_t i = 0; i < count; i++) {
		putchar(',');
		if (report_knows(report, row, i))
			printf("%" PRId64, row->counts[i]);
	}
	for (size_t i = 0; report->by != REPORT_REASON && i < report->reasons.count; i++)
		printf(",%" PRId64, report_refused(row, report->sorted_reasons[i]->number));
	putchar('\n');
}

void report_print_csv(const struct report *report)
{
	print_heads(report);
	for (size_t i = 0; i < report->nr_shown; i++)
		print_row(report, "row", report->rows[i]->entry.text, report->rows[i]);
	if (report->nr_shown < report->nr_rows)
		print_row(report, "others", "", &report->others);
	print_row(report, "total", "", report_total(report));
}
