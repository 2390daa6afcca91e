// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln experiment compare: two files of samples, and what can be said of them.
 */
#include "experiment.h"

#include <stdlib.h>
#include <string.h>

#include "comparison.h"

#define DEFAULT_ALPHA "0.05"

/* ---- warnings ---- */

static struct kiln_strbuf *add_warning(struct comparison *comparison)
{
	struct kiln_strbuf *warning = &comparison->warnings[comparison->nr_warnings++];

	kiln_strbuf_init(warning);
	return warning;
}

struct start {
	const mpq_t *started;
	bool is_b;
};

static int compare_starts(const void *a, const void *b)
{
	return mpq_cmp(*((const struct start *)a)->started, *((const struct start *)b)->started);
}

/* How often the arm changes from one run to the next; negative: memory ran out. */
static long count_changes(const struct comparison *comparison)
{
	size_t nr_a = comparison->a.nr_runs, nr_b = comparison->b.nr_runs;
	struct start *starts = (struct start *)calloc(nr_a + nr_b + 1, sizeof(*starts));
	long changes = 0;

	if (!starts)
		return -1;
	for (size_t i = 0; i < nr_a + nr_b; i++)
		starts[i] = (struct start){i < nr_a ? &comparison->a.runs[i].started
						    : &comparison->b.runs[i - nr_a].started,
					   i >= nr_a};
	qsort(starts, nr_a + nr_b, sizeof(*starts), compare_starts);
	for (size_t i = 1; i < nr_a + nr_b; i++)
		changes += starts[i].is_b != starts[i - 1].is_b;
	free(starts);
	return changes;
}

/* What runs tell of themselves, and of how many different things they tell. */
struct told {
	size_t started, governors, layouts; /* runs that have it */
	size_t nr_layouts[2];               /* different ones, of each arm */
	const char *governor;               /* one of them */
	bool same_governor;
};

static size_t count_layouts(const struct samples *samples)
{
	size_t count = 0;

	for (size_t i = 0; i < samples->nr_runs; i++) {
		bool is_new = samples->runs[i].layout;

		for (size_t j = 0; is_new && j < i; j++)
			is_new = samples->runs[j].layout != samples->runs[i].layout;
		count += is_new;
	}
	return count;
}

static void see_runs(const struct samples *samples, struct told *told)
{
	for (size_t i = 0; i < samples->nr_runs; i++) {
		const struct samples_run *run = &samples->runs[i];

		told->started += run->has_started;
		told->layouts += run->layout != NULL;
		told->governors += run->governor != NULL;
		if (!told->governor)
			told->governor = run->governor;
		else if (run->governor && strcmp(told->governor, run->governor))
			told->same_governor = false;
	}
}

static bool warn_of_order(struct comparison *comparison)
{
	size_t nr_a = comparison->a.nr_runs, nr_b = comparison->b.nr_runs;
	long changes = count_changes(comparison);

	if (changes >= 0 && (size_t)changes < (nr_a < nr_b ? nr_a : nr_b))
		kiln_strbuf_addf(
			add_warning(comparison),
			"the runs are not interleaved: they change between A and B %ld times "
			"only, so that a drift of the machine looks like an effect",
			changes);
	return changes >= 0;
}

static void warn_of_governor(struct comparison *comparison, const struct told *told)
{
	if (!told->same_governor)
		kiln_strbuf_adds(add_warning(comparison),
				 "not all runs had the same frequency governor");
	else if (strcmp(told->governor, "performance"))
		kiln_strbuf_addf(
			add_warning(comparison),
			"the frequency governor was '%s': clocks that change with the load "
			"look like an effect; use 'performance'",
			told->governor);
}

static void warn_of_layout(struct comparison *comparison, const struct told *told)
{
	if (told->nr_layouts[0] < 2 || told->nr_layouts[1] < 2)
		kiln_strbuf_adds(
			add_warning(comparison),
			"an arm has a single layout: where functions happen to lie looks like "
			"an effect; build each arm several times with its functions placed "
			"otherwise");
}

/* What programs print has no runs to tell of. */
static void add_untold(struct kiln_strbuf *untold, size_t runs, size_t nr_runs, const char *what)
{
	if (!nr_runs || runs < nr_runs)
		kiln_strbuf_addf(untold, "%s %s", untold->length ? "," : "", what);
}

static void warn_of_untold(struct comparison *comparison, const struct told *told, size_t nr_runs)
{
	struct kiln_strbuf untold, *warning;

	kiln_strbuf_init(&untold);
	add_untold(&untold, told->started, nr_runs, "the order of the runs (column started)");
	add_untold(&untold, told->governors, nr_runs, "the frequency governor (governor)");
	add_untold(&untold, told->layouts, nr_runs,
		   "how often the functions were placed otherwise (layout)");
	if (untold.length) {
		warning = add_warning(comparison);
		kiln_strbuf_addf(warning, "not told, and so not looked at:%s", untold.data);
	}
	kiln_strbuf_release(&untold);
}

static void warn_of_missing(struct comparison *comparison)
{
	size_t missing = comparison->a.nr_missing + comparison->b.nr_missing;

	if (missing)
		kiln_strbuf_addf(
			add_warning(comparison),
			"%zu value%s missing: if runs fail for what is measured, the rest is "
			"a choice",
			missing, missing == 1 ? " is" : "s are");
}

static void warn_of_few(struct comparison *comparison)
{
	const struct verdicts *verdicts = &comparison->verdicts;
	size_t least = verdict_least_runs(verdicts->count, comparison->alpha);

	for (size_t i = 0; i < verdicts->count; i++) {
		if (verdicts->list[i].a->nr_values < least ||
		    verdicts->list[i].b->nr_values < least) {
			kiln_strbuf_addf(
				add_warning(comparison),
				"a difference can be told among %zu metric%s from %zu runs "
				"of each arm on",
				verdicts->count, verdicts->count == 1 ? "" : "s", least);
			return;
		}
	}
}

static enum cli_status warn(struct comparison *comparison)
{
	struct told told = {.same_governor = true};
	size_t nr_runs = comparison->a.nr_runs + comparison->b.nr_runs;

	see_runs(&comparison->a, &told);
	see_runs(&comparison->b, &told);
	told.nr_layouts[0] = count_layouts(&comparison->a);
	told.nr_layouts[1] = count_layouts(&comparison->b);
	warn_of_few(comparison);
	warn_of_missing(comparison);
	if (nr_runs && told.started == nr_runs && !warn_of_order(comparison))
		return cli_no_memory();
	if (told.governor)
		warn_of_governor(comparison, &told);
	if (told.layouts)
		warn_of_layout(comparison, &told);
	warn_of_untold(comparison, &told, nr_runs);
	return CLI_OK;
}

/* ---- the command ---- */

static enum cli_status set_alpha(struct comparison *comparison, const char *text)
{
	if (samples_number(text, false, comparison->alpha) != strlen(text) ||
	    mpq_sgn(comparison->alpha) <= 0 || mpq_cmp_ui(comparison->alpha, 1, 1) >= 0)
		return cli_trouble("--alpha needs a number between 0 and 1, and not '%s'", text);
	return CLI_OK;
}

/* What only one of them has is not compared, and that is said. */
static void note_single(const struct samples *one, const struct samples *other)
{
	struct keep_entry **list = keep_table_sorted(&one->metrics);

	for (size_t i = 0; list && list[i]; i++) {
		const struct samples_metric *metric = (struct samples_metric *)list[i];
		const struct samples_metric *same = (struct samples_metric *)keep_table_find(
			&other->metrics, list[i]->text, list[i]->length);

		if (metric->nr_values && (!same || !same->nr_values))
			cli_note("'%s' is in '%s' alone: not compared", list[i]->text, one->path);
	}
	free(list);
}

static enum cli_status compare(struct comparison *comparison, const struct cli_args *args)
{
	enum cli_status status = set_alpha(comparison, args->alpha ? args->alpha : DEFAULT_ALPHA);

	if (status == CLI_OK && !strcmp(args->operands[0], "-") && !strcmp(args->operands[1], "-"))
		status = cli_trouble("only one of the two can be standard input");
	if (status == CLI_OK)
		status = samples_read(&comparison->a);
	if (status == CLI_OK)
		status = samples_read(&comparison->b);
	if (status != CLI_OK)
		return status;
	note_single(&comparison->a, &comparison->b);
	note_single(&comparison->b, &comparison->a);
	status = verdicts_make(&comparison->verdicts, &comparison->a, &comparison->b,
			       comparison->alpha, args->more);
	if (status == CLI_OK && !comparison->verdicts.count)
		status = cli_trouble(
			"'%s' and '%s' have no metric in common that was measured in both",
			comparison->a.path, comparison->b.path);
	return status == CLI_OK ? warn(comparison) : status;
}

static bool is_different(const struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->verdicts.count; i++) {
		if (comparison->verdicts.list[i].word <= VERDICT_SLOWER)
			return true;
	}
	return false;
}

static enum cli_status run_compare(const struct cli_args *args)
{
	struct comparison comparison = {.nr_warnings = 0};
	enum cli_status status;

	if (cli_check_outputs(args) != CLI_OK)
		return CLI_TROUBLE;
	mpq_init(comparison.alpha);
	samples_init(&comparison.a, args->operands[0]);
	samples_init(&comparison.b, args->operands[1]);
	status = compare(&comparison, args);
	if (status == CLI_OK)
		status = args->json  ? comparison_print_json(&comparison)
			 : args->csv ? comparison_print_csv(&comparison)
				     : comparison_print(&comparison);
	if (status == CLI_OK && args->exit_code && is_different(&comparison))
		status = CLI_DIFFERENT;
	verdicts_release(&comparison.verdicts);
	for (size_t i = 0; i < comparison.nr_warnings; i++)
		kiln_strbuf_release(&comparison.warnings[i]);
	samples_release(&comparison.a);
	samples_release(&comparison.b);
	mpq_clear(comparison.alpha);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("alpha", "NUMBER", alpha,
		  "how often to see an effect where there is none (0.05)"),
	CLI_SWITCH("csv", csv, "print comma-separated values"),
	CLI_SWITCH("exit-code", exit_code, "exit with 1 if a metric is faster or slower"),
	CLI_HELP,
	CLI_SWITCH("json", json, "print JSON"),
	CLI_VALUE("more", "GLOB,...", more, "metrics of which more is better"),
	CLI_END,
};

const struct cli_command experiment_compare = {
	.name = "experiment compare",
	.operands = "A B",
	.min_operands = 2,
	.max_operands = 2,
	.summary = "judge the samples of two arms, exactly",
	.details =
		"A and B have what was measured in the runs of each arm, as CSV with a first\n"
		"line of names, a column for a metric and a row for a run; or they are what\n"
		"hackbench, perf bench, schbench, stress-ng or sysbench printed, run after run.\n"
		"'-' is standard input. Each metric is judged by the exact test of Mann and\n"
		"Whitney, p being Holm's for all metrics together; the ratio and its interval\n"
		"are those of Hodges and Lehmann. Columns 'started' (seconds), 'governor' and\n"
		"'layout' tell of the runs and are no metrics. Less is better, unless the\n"
		"program measures a rate or --more says so.\n",
	.options = options,
	.run = run_compare,
};
