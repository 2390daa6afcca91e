// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

#define LONGEST_NAME 60

/* ---- what comes first ---- */

static void print_growth(int64_t before, int64_t after)
{
	printf("%" PRId64 " -> %" PRId64 "  %+" PRId64, before, after, after - before);
	if (before)
		printf(" (%+.1f %%)", 100.0 * (double)(after - before) / (double)before);
	putchar('\n');
}

static void print_sums(const struct report *report)
{
	const int64_t *total = report->total.counts;

	printf("%s\n", report->build->path);
	printf("  units              %" PRId64, total[REPORT_UNITS]);
	if (report->build->nr_missing)
		printf(", and %zu without a record: not in what follows",
		       report->build->nr_missing);
	if (report->build->nr_damaged)
		printf(", and %zu with a damaged one", report->build->nr_damaged);
	printf("\n  functions put out  %" PRId64 ": clones %" PRId64
	       ", with an mcount site %" PRId64 "\n",
	       total[REPORT_FUNCTIONS], total[REPORT_CLONES], total[REPORT_TRACEABLE]);
	printf("  by rules           %" PRId64 " kept; left alone, by rules or not, %" PRId64 "\n",
	       total[REPORT_KEPT], total[REPORT_LEFT]);
	printf("  calls inlined      %" PRId64 ": always_inline %" PRId64 ", early %" PRId64
	       ", by IPA %" PRId64 "\n",
	       total[REPORT_ALWAYS_INLINE] + total[REPORT_EARLY] + total[REPORT_IPA],
	       total[REPORT_ALWAYS_INLINE], total[REPORT_EARLY], total[REPORT_IPA]);
	printf("  calls refused      %" PRId64 "\n", total[REPORT_REFUSED]);
	printf("  size, GCC's guess  ");
	print_growth(total[REPORT_SIZE_BEFORE], total[REPORT_SIZE_AFTER]);
	if (report->largest_frame.length)
		printf("  largest frame      %" PRId64 " bytes: %s\n", total[REPORT_FRAME],
		       report->largest_frame.data);
}

/* Only where they differ: what all units have in common is no news. */
static void print_flags(const struct report *report)
{
	if (report->flags.count < 2)
		return;
	puts("\nflags that steer inlining differ");
	for (size_t i = 0; i < report->flags.count; i++)
		printf("  %zu unit%s  %s\n", report->sorted_flags[i]->units,
		       report->sorted_flags[i]->units == 1 ? "" : "s",
		       report->sorted_flags[i]->entry.text);
}

/* ---- the table ---- */

struct layout {
	const struct report *report;
	const struct report_column *columns;
	size_t nr_columns;
	int name;
	int widths[REPORT_NR_COUNTS];
};

static void widen(int *width, int length)
{
	if (length > *width)
		*width = length;
}

static void fit_row(struct layout *layout, const char *name, const struct report_row *row)
{
	size_t length = strlen(name);

	widen(&layout->name, length > LONGEST_NAME ? LONGEST_NAME : (int)length);
	for (size_t i = 0; i < layout->nr_columns; i++)
		widen(&layout->widths[i], snprintf(NULL, 0, "%" PRId64, row->counts[i]));
}

/* The reason for most of the row's refusals; NULL: there are none. */
static const struct report_reason *main_reason(const struct report *report,
					       const struct report_row *row)
{
	const struct report_reason *most = NULL;

	for (size_t i = 0; i < report->reasons.count; i++) {
		const struct report_reason *reason = report->sorted_reasons[i];

		if (report_refused(row, reason->number) >
		    (most ? report_refused(row, most->number) : 0))
			most = reason;
	}
	return most;
}

static void print_row(const struct layout *layout, const char *name, const struct report_row *row)
{
	const struct report_reason *most = NULL;

	printf("  %-*s", layout->name, name);
	for (size_t i = 0; i < layout->nr_columns; i++) {
		if (report_knows(layout->report, row, i))
			printf("  %*" PRId64, layout->widths[i], row->counts[i]);
		else
			printf("  %*s", layout->widths[i], "-");
	}
	if (layout->report->by != REPORT_REASON)
		most = main_reason(layout->report, row);
	if (most)
		printf("  %s %" PRId64, most->row.entry.text, report_refused(row, most->number));
	putchar('\n');
}

static void print_heads(const struct layout *layout)
{
	printf("  %-*s", layout->name, "");
	for (size_t i = 0; i < layout->nr_columns; i++)
		printf("  %*s", layout->widths[i], layout->columns[i].title);
	puts(layout->report->by == REPORT_REASON ? "" : "  refused most for");
}

static void print_table(const struct report *report)
{
	struct layout layout = {.report = report};
	char others[40];

	layout.columns = report_columns(report, &layout.nr_columns);
	snprintf(others, sizeof(others), "(%zu others)", report->nr_rows - report->nr_shown);
	for (size_t i = 0; i < layout.nr_columns; i++)
		widen(&layout.widths[i], (int)strlen(layout.columns[i].title));
	for (size_t i = 0; i < report->nr_shown; i++)
		fit_row(&layout, report->rows[i]->entry.text, report->rows[i]);
	fit_row(&layout, others, report_total(report));
	printf("\nby %s\n", report_by_names[report->by]);
	print_heads(&layout);
	for (size_t i = 0; i < report->nr_shown; i++)
		print_row(&layout, report->rows[i]->entry.text, report->rows[i]);
	if (report->nr_shown < report->nr_rows)
		print_row(&layout, others, &report->others);
	print_row(&layout, "total", report_total(report));
}

static void print_meanings(const struct report *report)
{
	if (report->by != REPORT_REASON)
		return;
	putchar('\n');
	for (size_t i = 0; i < report->nr_shown; i++) {
		const struct report_reason *reason = (const struct report_reason *)report->rows[i];
		const char *sentence = records_reason_sentence(reason->name);
		bool is_told = false;

		for (size_t k = 0; k < i; k++)
			is_told |= !strcmp(((const struct report_reason *)report->rows[k])->name,
					   reason->name);
		if (!is_told && sentence)
			printf("  %s: %s\n", reason->name, sentence);
	}
}

void report_print_text(const struct report *report)
{
	print_sums(report);
	print_flags(report);
	print_table(report);
	print_meanings(report);
}
