// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What differs between two builds, a section for each question. The bytes of the
 * functions that are gone, gained, grown and shrunk add up to the difference of the
 * totals, and so do those of the directories.
 */
#include "diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const clone_kinds[] = {"constprop", "isra", "lto_priv", "part"};

#define NR_KINDS (sizeof(clone_kinds) / sizeof(clone_kinds[0]))

void diff_init(struct diff *diff, const char *const *paths)
{
	*diff = (struct diff){.paths = {paths[DIFF_A], paths[DIFF_B]}};
	keep_table_init(&diff->functions, sizeof(struct diff_function));
	keep_table_init(&diff->symbols, sizeof(struct diff_symbol));
	keep_table_init(&diff->directories, sizeof(struct diff_directory));
	keep_table_init(&diff->frames, sizeof(struct diff_frame));
	keep_table_init(&diff->units, sizeof(struct diff_unit));
	keep_table_init(&diff->edges, sizeof(struct diff_edge));
	keep_table_init(&diff->flags, sizeof(struct keep_entry));
	for (int side = 0; side < DIFF_SIDES; side++)
		diff_identity_init(&diff->identities[side]);
}

void diff_release(struct diff *diff)
{
	keep_table_release(&diff->functions);
	keep_table_release(&diff->symbols);
	keep_table_release(&diff->directories);
	keep_table_release(&diff->frames);
	keep_table_release(&diff->units);
	keep_table_release(&diff->edges);
	keep_table_release(&diff->flags);
	for (int side = 0; side < DIFF_SIDES; side++)
		diff_identity_release(&diff->identities[side]);
}

bool diff_failed(const struct diff *diff)
{
	return diff->functions.failed || diff->symbols.failed || diff->directories.failed ||
	       diff->frames.failed || diff->units.failed || diff->edges.failed ||
	       diff->flags.failed;
}

/* ---- what the builds are made with ---- */

/* All that occur, in a fixed order. */
static const char *join(struct diff_report *report, const struct keep_table *table)
{
	struct keep_entry **list = keep_table_sorted(table);
	struct kiln_strbuf text;
	const char *joined;

	kiln_strbuf_init(&text);
	for (size_t i = 0; list && list[i]; i++)
		kiln_strbuf_addf(&text, "%s%s", i ? "; " : "", list[i]->text);
	report->failed |= !list || text.failed;
	joined = diff_keep_string(report, "%s", text.length ? text.data : "none");
	kiln_strbuf_release(&text);
	free(list);
	return joined;
}

static void compare_tables(struct diff_report *report, const char *name, const struct keep_table *a,
			   const struct keep_table *b)
{
	const char *one = join(report, a), *other = join(report, b);

	if (strcmp(one, other))
		diff_add_texts(report, name, one, other);
}

static void compare_identities(const struct diff *diff, struct diff_report *report)
{
	const struct diff_identity *a = &diff->identities[DIFF_A], *b = &diff->identities[DIFF_B];
	struct diff_section *section;

	section = diff_add_section(report, "made_with",
				   a->notes.count ? "made with the same compiler and policy"
						  : "made with the same compiler",
				   true);
	section->is_complete = true;
	compare_tables(report, "machine", &a->machines, &b->machines);
	compare_tables(report, "compiler", &a->compilers, &b->compilers);
	compare_tables(report, "Kiln", &a->notes, &b->notes);
	diff_compare_flags(diff, report);
	if (section->nr_rows)
		section->title = "NOT made with the same";
	diff_compare_config(report, a->config.data, b->config.data);
}

/* ---- sums ---- */

struct sums {
	int64_t functions, symbols, traceable, clones[NR_KINDS];
};

static size_t kind_index(const char *kind)
{
	size_t index = 0;

	while (index < NR_KINDS - 1 && strcmp(clone_kinds[index], kind))
		index++;
	return index;
}

static void sum_symbols(const struct diff *diff, enum diff_side side, struct sums *sums)
{
	for (size_t i = 0; i < diff->symbols.nr_slots; i++) {
		const struct diff_symbol *symbol =
			(const struct diff_symbol *)diff->symbols.slots[i];

		if (!symbol || !symbol->sides[side].count)
			continue;
		sums->symbols += (int64_t)symbol->sides[side].count;
		sums->traceable += symbol->sides[side].is_traceable;
		if (symbol->clone_kind)
			sums->clones[kind_index(symbol->clone_kind)]++;
	}
}

static struct sums sum(const struct diff *diff, enum diff_side side)
{
	struct sums sums = {.functions = 0};

	for (size_t i = 0; i < diff->functions.nr_slots; i++) {
		const struct diff_function *function =
			(const struct diff_function *)diff->functions.slots[i];

		sums.functions += function && function->sides[side].symbols;
	}
	sum_symbols(diff, side, &sums);
	return sums;
}

static void compare_sums(const struct diff *diff, struct diff_report *report)
{
	struct sums a = sum(diff, DIFF_A), b = sum(diff, DIFF_B);

	diff_add_section(report, "totals", "totals", false)->is_complete = true;
	diff_add_numbers(report, "function text, bytes", (int64_t)diff->bytes[DIFF_A],
			 (int64_t)diff->bytes[DIFF_B]);
	diff_add_numbers(report, "functions of the source", a.functions, b.functions);
	diff_add_numbers(report, "function symbols", a.symbols, b.symbols);
	for (size_t i = 0; i < NR_KINDS; i++) {
		if (a.clones[i] || b.clones[i])
			diff_add_numbers(report,
					 diff_keep_string(report, "clones: %s", clone_kinds[i]),
					 a.clones[i], b.clones[i]);
	}
	if (diff->has_sites[DIFF_A] || diff->has_sites[DIFF_B])
		diff_add_numbers(report, "traceable functions", a.traceable, b.traceable);
}

static void compare_directories(const struct diff *diff, struct diff_report *report)
{
	struct diff_section *section =
		diff_add_section(report, "directories", "function text by directory", false);

	if (!diff->has_origins[DIFF_A] || !diff->has_origins[DIFF_B]) {
		section->note = "not known from a linked file alone; give the build directories";
		return;
	}
	for (size_t i = 0; i < diff->directories.nr_slots; i++) {
		const struct diff_directory *directory =
			(const struct diff_directory *)diff->directories.slots[i];

		if (directory)
			diff_add_numbers(report, directory->entry.text,
					 (int64_t)directory->bytes[DIFF_A],
					 (int64_t)directory->bytes[DIFF_B]);
	}
	diff_sort(section);
}

/* ---- functions ---- */

typedef bool function_test(const struct diff_function *function);

static bool is_gone(const struct diff_function *function)
{
	return function->sides[DIFF_A].symbols && !function->sides[DIFF_B].symbols;
}

static bool is_gained(const struct diff_function *function)
{
	return !function->sides[DIFF_A].symbols && function->sides[DIFF_B].symbols;
}

static bool is_grown(const struct diff_function *function)
{
	return function->sides[DIFF_A].symbols && function->sides[DIFF_B].symbols &&
	       function->sides[DIFF_B].bytes > function->sides[DIFF_A].bytes;
}

static bool is_shrunk(const struct diff_function *function)
{
	return function->sides[DIFF_A].symbols && function->sides[DIFF_B].symbols &&
	       function->sides[DIFF_B].bytes < function->sides[DIFF_A].bytes;
}

static void compare_functions(const struct diff *diff, struct diff_report *report, const char *key,
			      const char *title, function_test *test)
{
	struct diff_section *section = diff_add_section(report, key, title, false);

	for (size_t i = 0; i < diff->functions.nr_slots; i++) {
		const struct diff_function *function =
			(const struct diff_function *)diff->functions.slots[i];

		if (function && test(function))
			diff_add_numbers(report, function->entry.text,
					 (int64_t)function->sides[DIFF_A].bytes,
					 (int64_t)function->sides[DIFF_B].bytes);
	}
	diff_sort(section);
}

/* ---- clones ---- */

/* "clones gained (3 constprop, 1 isra)" */
static const char *clones_title(struct diff_report *report, const char *title, const size_t *counts)
{
	const char *text = title;

	for (size_t i = 0; i < NR_KINDS; i++) {
		if (counts[i])
			text = diff_keep_string(report, "%s%s%zu %s", text,
						text == title ? " (" : ", ", counts[i],
						clone_kinds[i]);
	}
	return text == title ? title : diff_keep_string(report, "%s)", text);
}

/* Those that SIDE has and the other has not. */
static void compare_clones(const struct diff *diff, struct diff_report *report, const char *key,
			   const char *title, enum diff_side side)
{
	struct diff_section *section = diff_add_section(report, key, title, true);
	size_t counts[NR_KINDS] = {0};

	for (size_t i = 0; i < diff->symbols.nr_slots; i++) {
		const struct diff_symbol *symbol =
			(const struct diff_symbol *)diff->symbols.slots[i];
		const char *kind = symbol ? symbol->clone_kind : NULL;

		if (!kind || !symbol->sides[side].count || symbol->sides[!side].count)
			continue;
		counts[kind_index(kind)]++;
		diff_add_texts(report, symbol->entry.text, side == DIFF_A ? kind : "-",
			       side == DIFF_A ? "-" : kind);
	}
	section->title = clones_title(report, title, counts);
	diff_sort(section);
}

static bool is_only_clones(const struct diff_function *function, enum diff_side side)
{
	return function->sides[side].clones && !function->sides[side].plain;
}

const char *diff_state(const struct diff_function *function, enum diff_side side)
{
	if (is_only_clones(function, side))
		return "only clones";
	if (function->sides[side].plain)
		return function->sides[side].clones ? "cloned" : "plain";
	return function->sides[side].symbols ? "only a part" : "absent";
}

static void compare_only_clones(const struct diff *diff, struct diff_report *report)
{
	struct diff_section *section = diff_add_section(
		report, "only_clones", "functions that are there only as clones now", true);

	for (size_t i = 0; i < diff->functions.nr_slots; i++) {
		const struct diff_function *function =
			(const struct diff_function *)diff->functions.slots[i];

		if (function && function->sides[DIFF_A].plain && is_only_clones(function, DIFF_B))
			diff_add_texts(report, function->entry.text, diff_state(function, DIFF_A),
				       diff_state(function, DIFF_B));
	}
	diff_sort(section);
}

/* ---- tracers ---- */

static const char *trace_state(const struct diff_symbol *symbol, enum diff_side side)
{
	if (symbol->sides[side].is_traceable)
		return "traceable";
	if (symbol->sides[side].count)
		return "no site";
	return symbol->function->sides[side].symbols ? diff_state(symbol->function, side)
						     : "absent";
}

static void compare_traceable(const struct diff *diff, struct diff_report *report, const char *key,
			      const char *title, enum diff_side side)
{
	struct diff_section *section = diff_add_section(report, key, title, true);

	if (!diff->has_sites[DIFF_A] && !diff->has_sites[DIFF_B])
		section->note = "not known: no build has mcount sites";
	else if (!diff->has_sites[DIFF_A])
		section->note = "not known: A has no mcount sites";
	else if (!diff->has_sites[DIFF_B])
		section->note = "not known: B has no mcount sites";
	for (size_t i = 0; !section->note && i < diff->symbols.nr_slots; i++) {
		const struct diff_symbol *symbol =
			(const struct diff_symbol *)diff->symbols.slots[i];

		if (symbol && symbol->sides[side].is_traceable &&
		    !symbol->sides[!side].is_traceable)
			diff_add_texts(report, symbol->entry.text, trace_state(symbol, DIFF_A),
				       trace_state(symbol, DIFF_B));
	}
	diff_sort(section);
}

/* ---- frames ---- */

static void compare_frames(const struct diff *diff, struct diff_report *report)
{
	struct diff_section *section =
		diff_add_section(report, "frames", "stack frames that grew, bytes", false);

	if (!diff->frames.count)
		section->note = "not known: no records, and no files of -fstack-usage";
	for (size_t i = 0; i < diff->frames.nr_slots; i++) {
		const struct diff_frame *frame = (const struct diff_frame *)diff->frames.slots[i];

		if (frame && frame->is_known[DIFF_A] && frame->is_known[DIFF_B] &&
		    frame->bytes[DIFF_B] > frame->bytes[DIFF_A])
			diff_add_numbers(report, frame->entry.text, (int64_t)frame->bytes[DIFF_A],
					 (int64_t)frame->bytes[DIFF_B]);
	}
	diff_sort(section);
}

/* ---- all ---- */

static bool row_differs(const struct diff_section *section, const struct diff_row *row)
{
	if (section->is_text)
		return strcmp(row->texts[DIFF_A], row->texts[DIFF_B]) != 0;
	return row->numbers[DIFF_A] != row->numbers[DIFF_B];
}

static bool differs(const struct diff_report *report)
{
	for (size_t i = 0; i < report->nr_sections; i++) {
		const struct diff_section *section = &report->sections[i];

		for (size_t k = 0; k < section->nr_rows; k++) {
			if (row_differs(section, &section->rows[k]))
				return true;
		}
	}
	return false;
}

enum cli_status diff_compare(const struct diff *diff, const struct keep_names *kept,
			     struct diff_report *report, bool *ret_differs)
{
	compare_identities(diff, report);
	compare_sums(diff, report);
	compare_directories(diff, report);
	compare_functions(diff, report, "gone", "functions gone", is_gone);
	compare_functions(diff, report, "gained", "functions gained", is_gained);
	compare_only_clones(diff, report);
	compare_clones(diff, report, "clones_gained", "clones gained", DIFF_B);
	compare_clones(diff, report, "clones_lost", "clones lost", DIFF_A);
	compare_traceable(diff, report, "traceable_lost", "functions that tracers lose", DIFF_A);
	compare_traceable(diff, report, "traceable_gained", "functions that tracers gain", DIFF_B);
	diff_compare_kept(diff, kept, report);
	compare_functions(diff, report, "grown", "functions that grew, bytes", is_grown);
	compare_functions(diff, report, "shrunk", "functions that shrank, bytes", is_shrunk);
	compare_frames(diff, report);
	diff_compare_records(diff, report);
	*ret_differs = differs(report);
	return report->failed || report->strings.failed ? cli_no_memory() : CLI_OK;
}
