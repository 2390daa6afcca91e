// SPDX-License-Identifier: GPL-2.0-or-later
/* What became of the functions that are to be kept, as `kiln keep --check --plain` tells it. */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

#include "kiln/glob.h"

struct kept {
	const struct keep_names *names;
	const char **globs;
	size_t nr_globs;
};

static bool find_globs(struct kept *kept)
{
	kept->globs = (const char **)calloc(kept->names->table.count + 1, sizeof(*kept->globs));
	for (size_t i = 0; kept->globs && i < kept->names->table.nr_slots; i++) {
		const struct keep_name *name =
			(const struct keep_name *)kept->names->table.slots[i];

		if (name && name->is_glob && keep_name_counts(name))
			kept->globs[kept->nr_globs++] = name->entry.text;
	}
	return kept->globs != NULL;
}

static bool is_kept(const struct kept *kept, const struct keep_entry *function)
{
	const struct keep_name *name = (const struct keep_name *)keep_table_find(
		&kept->names->table, function->text, function->length);

	if (name && !name->is_glob && keep_name_counts(name))
		return true;
	for (size_t i = 0; i < kept->nr_globs; i++) {
		if (kiln_glob_match(kept->globs[i], function->text))
			return true;
	}
	return false;
}

/* Is it no plain function in B, and something else in A? */
static bool is_lost(const struct diff_function *function)
{
	const char *a = diff_state(function, DIFF_A), *b = diff_state(function, DIFF_B);

	return strcmp(b, "plain") && strcmp(a, b);
}

static void compare_kept(const struct diff *diff, const struct kept *kept,
			 struct diff_report *report)
{
	struct diff_section *section = diff_add_section(report, "kept", "", true);
	size_t count = 0;

	for (size_t i = 0; i < diff->functions.nr_slots; i++) {
		const struct diff_function *function =
			(const struct diff_function *)diff->functions.slots[i];

		if (!function || !function->sides[DIFF_A].symbols ||
		    !is_kept(kept, &function->entry))
			continue;
		count++;
		if (is_lost(function))
			diff_add_texts(report, function->entry.text, diff_state(function, DIFF_A),
				       diff_state(function, DIFF_B));
	}
	section->title = diff_keep_string(
		report, "functions to keep, lost or cloned of %zu that A has", count);
	diff_sort(section);
}

void diff_compare_kept(const struct diff *diff, const struct keep_names *names,
		       struct diff_report *report)
{
	struct kept kept = {.names = names};

	if (find_globs(&kept))
		compare_kept(diff, &kept, report);
	else
		report->failed = true;
	free(kept.globs);
}
