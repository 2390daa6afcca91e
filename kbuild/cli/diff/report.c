// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A report is a list of sections, a section a list of rows: a name and what each
 * build has for it. All three outputs are made of that alone.
 */
#include "diff.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void diff_report_init(struct diff_report *report, const struct diff *diff)
{
	*report = (struct diff_report){.paths = {diff->paths[DIFF_A], diff->paths[DIFF_B]}};
	keep_table_init(&report->strings, sizeof(struct keep_entry));
}

void diff_report_release(struct diff_report *report)
{
	for (size_t i = 0; i < report->nr_sections; i++)
		free(report->sections[i].rows);
	keep_table_release(&report->strings);
}

struct diff_section *diff_add_section(struct diff_report *report, const char *key,
				      const char *title, bool is_text)
{
	struct diff_section *section = &report->sections[report->nr_sections++];

	*section = (struct diff_section){.key = key, .title = title, .is_text = is_text};
	return section;
}

static void add_row(struct diff_report *report, const struct diff_row *row)
{
	struct diff_section *section = &report->sections[report->nr_sections - 1];
	size_t capacity = section->capacity ? section->capacity * 2 : 16;

	if (section->nr_rows == section->capacity) {
		struct diff_row *grown =
			(struct diff_row *)realloc(section->rows, capacity * sizeof(*grown));

		if (!grown) {
			report->failed = true;
			return;
		}
		section->rows = grown;
		section->capacity = capacity;
	}
	section->rows[section->nr_rows++] = *row;
}

void diff_add_numbers(struct diff_report *report, const char *name, int64_t a, int64_t b)
{
	add_row(report, &(struct diff_row){.name = name, .numbers = {a, b}});
}

void diff_add_texts(struct diff_report *report, const char *name, const char *a, const char *b)
{
	add_row(report, &(struct diff_row){.name = name, .texts = {a, b}});
}

const char *diff_keep_string(struct diff_report *report, const char *format, ...)
{
	struct keep_entry *entry;
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	entry = length < 0 ? NULL : keep_table_add(&report->strings, text, (size_t)length);
	if (length >= 0)
		free(text);
	if (!entry)
		report->failed = true;
	return entry ? entry->text : "";
}

/* ---- order ---- */

static int64_t change_of(const struct diff_row *row)
{
	return row->numbers[DIFF_B] - row->numbers[DIFF_A];
}

/* The largest change first, whichever way. */
static int by_change(const void *a, const void *b)
{
	const struct diff_row *one = (const struct diff_row *)a;
	const struct diff_row *other = (const struct diff_row *)b;
	int64_t first = llabs(change_of(one)), second = llabs(change_of(other));

	if (first != second)
		return first > second ? -1 : 1;
	return strcmp(one->name, other->name);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct diff_row *)a)->name, ((const struct diff_row *)b)->name);
}

void diff_sort(const struct diff_section *section)
{
	if (section->nr_rows)
		qsort(section->rows, section->nr_rows, sizeof(*section->rows),
		      section->is_text ? by_name : by_change);
}

/* ---- what of it is shown ---- */

static size_t nr_shown(const struct diff_report *report, const struct diff_section *section)
{
	if (section->is_complete || !report->top || section->nr_rows < report->top)
		return section->nr_rows;
	return report->top;
}

/* ---- text ---- */

static int length_of(int64_t number)
{
	return snprintf(NULL, 0, "%" PRId64, number);
}

static int longest_name(const struct diff_section *section, size_t shown)
{
	size_t longest = 0;

	for (size_t i = 0; i < shown; i++) {
		size_t length = strlen(section->rows[i].name);

		longest = length > longest ? length : longest;
	}
	return longest > 60 ? 60 : (int)longest;
}

static int longest_number(const struct diff_section *section, size_t shown, enum diff_side side)
{
	int longest = 1;

	for (size_t i = 0; i < shown; i++) {
		int length = length_of(section->rows[i].numbers[side]);

		longest = length > longest ? length : longest;
	}
	return longest;
}

static void print_change(const struct diff_row *row)
{
	int64_t a = row->numbers[DIFF_A], change = row->numbers[DIFF_B] - a;

	printf("  %+" PRId64, change);
	if (a && change)
		printf(" (%+.1f %%)", 100.0 * (double)change / (double)a);
	putchar('\n');
}

static void print_numbers(const struct diff_section *section, size_t shown)
{
	int name = longest_name(section, shown);
	int a = longest_number(section, shown, DIFF_A), b = longest_number(section, shown, DIFF_B);

	for (size_t i = 0; i < shown; i++) {
		const struct diff_row *row = &section->rows[i];

		printf("  %-*s  %*" PRId64 "  %*" PRId64, name, row->name, a, row->numbers[DIFF_A],
		       b, row->numbers[DIFF_B]);
		print_change(row);
	}
}

static void print_texts(const struct diff_section *section, size_t shown)
{
	int name = longest_name(section, shown);

	for (size_t i = 0; i < shown; i++) {
		const struct diff_row *row = &section->rows[i];

		printf("  %-*s  %s -> %s\n", name, row->name, row->texts[DIFF_A],
		       row->texts[DIFF_B]);
	}
}

static void print_section(const struct diff_report *report, const struct diff_section *section)
{
	size_t shown = nr_shown(report, section);

	printf("\n%s", section->title);
	if (section->note)
		printf(": %s\n", section->note);
	else if (section->is_complete)
		putchar('\n');
	else
		printf(": %zu\n", section->nr_rows);
	if (section->is_text)
		print_texts(section, shown);
	else
		print_numbers(section, shown);
	if (shown < section->nr_rows)
		printf("  ... and %zu more\n", section->nr_rows - shown);
}

void diff_print_text(const struct diff_report *report)
{
	printf("A  %s\nB  %s\n", report->paths[DIFF_A], report->paths[DIFF_B]);
	for (size_t i = 0; i < report->nr_sections; i++)
		print_section(report, &report->sections[i]);
}

/* ---- JSON ---- */

static void print_json_row(const struct diff_section *section, const struct diff_row *row)
{
	fputs("{\"name\": ", stdout);
	cli_print_json_string(row->name);
	for (int side = 0; side < DIFF_SIDES; side++) {
		printf(", \"%c\": ", 'a' + side);
		if (section->is_text)
			cli_print_json_string(row->texts[side]);
		else
			printf("%" PRId64, row->numbers[side]);
	}
	putchar('}');
}

static void print_json_section(const struct diff_report *report, const struct diff_section *section)
{
	size_t shown = nr_shown(report, section);

	printf(",\n  \"%s\": ", section->key);
	if (section->note) {
		fputs("null", stdout);
		return;
	}
	putchar('[');
	for (size_t i = 0; i < shown; i++) {
		fputs(i ? ",\n    " : "\n    ", stdout);
		print_json_row(section, &section->rows[i]);
	}
	fputs(shown ? "\n  ]" : "]", stdout);
}

void diff_print_json(const struct diff_report *report)
{
	fputs("{\n  \"a\": ", stdout);
	cli_print_json_string(report->paths[DIFF_A]);
	fputs(",\n  \"b\": ", stdout);
	cli_print_json_string(report->paths[DIFF_B]);
	for (size_t i = 0; i < report->nr_sections; i++)
		print_json_section(report, &report->sections[i]);
	fputs("\n}\n", stdout);
}

/* ---- CSV, as RFC 4180 has it ---- */

static void print_csv_row(const struct diff_section *section, const struct diff_row *row)
{
	const int64_t *numbers = row->numbers;

	printf("%s,", section->key);
	cli_print_csv_string(row->name);
	putchar(',');
	if (section->is_text) {
		cli_print_csv_string(row->texts[DIFF_A]);
		putchar(',');
		cli_print_csv_string(row->texts[DIFF_B]);
		puts(",");
		return;
	}
	printf("%" PRId64 ",%" PRId64 ",%" PRId64 "\n", numbers[DIFF_A], numbers[DIFF_B],
	       numbers[DIFF_B] - numbers[DIFF_A]);
}

void diff_print_csv(const struct diff_report *report)
{
	puts("section,name,a,b,difference");
	for (size_t i = 0; i < report->nr_sections; i++) {
		const struct diff_section *section = &report->sections[i];

		for (size_t k = 0; k < nr_shown(report, section); k++)
			print_csv_row(section, &section->rows[k]);
	}
}
