// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln report: what GCC inlined in a build and what it refused, by its records.
 */
#include "report/html.h"

#include <string.h>

#include "kiln/nearest.h"

static enum cli_status parse_by(const char *name, enum report_by *ret_by)
{
	const char *nearest;

	*ret_by = REPORT_DIRECTORY;
	for (int i = 0; name && report_by_names[i]; i++) {
		if (!strcmp(report_by_names[i], name)) {
			*ret_by = (enum report_by)i;
			return CLI_OK;
		}
	}
	if (!name)
		return CLI_OK;
	nearest = kiln_nearest(name, report_by_names);
	if (nearest)
		return cli_trouble("there is no --by=%s; did you mean '%s'?", name, nearest);
	return cli_trouble("there is no --by=%s; it is directory, file, function or reason", name);
}

static void print(const struct report *report, const struct cli_args *args)
{
	if (args->json)
		report_print_json(report);
	else if (args->csv)
		report_print_csv(report);
	else
		report_print_text(report);
}

static enum cli_status report_build(struct records_build *build, enum report_by by, size_t top,
				    const struct cli_args *args)
{
	struct report report;
	enum cli_status status = report_gather(&report, build, by);

	if (status == CLI_OK)
		status = report_arrange(&report, top);
	if (status == CLI_OK) {
		print(&report, args);
		records_say_gaps(build);
	}
	report_release(&report);
	return status == CLI_OK && build->nr_damaged ? CLI_TROUBLE : status;
}

static enum cli_status write_page(const struct cli_args *args)
{
	struct records_build build, other = {.path = NULL};
	bool has_other = args->nr_operands > 1;
	enum cli_status status = records_find(&build, args->operands[0]);

	if (status == CLI_OK && has_other)
		status = records_find(&other, args->operands[1]);
	if (status == CLI_OK)
		status = html_write(args->html, args->title, &build, has_other ? &other : NULL);
	if (status == CLI_OK && (build.nr_damaged || other.nr_damaged))
		status = CLI_TROUBLE;
	records_release(&build);
	records_release(&other);
	return status;
}

static enum cli_status check_outputs(const struct cli_args *args)
{
	if (args->json + args->csv + (args->html != NULL) > 1)
		return cli_trouble("--json, --csv and --html are different outputs: choose one");
	if (args->html && (args->by || args->top))
		return cli_trouble("--%s is for tables: the page of --html has all of them",
				   args->by ? "by" : "top");
	if (args->title && !args->html)
		return cli_trouble("--title is the title of a page: --html=FILE writes one");
	if (args->nr_operands > 1 && !args->html)
		return cli_trouble("two builds are for --html=FILE; 'kiln diff' compares them as "
				   "text");
	return CLI_OK;
}

static enum cli_status run(const struct cli_args *args)
{
	struct records_build build;
	enum cli_status status = check_outputs(args);
	enum report_by by;
	size_t top;

	if (status != CLI_OK)
		return status;
	if (args->html)
		return write_page(args);
	status = parse_by(args->by, &by);
	if (status == CLI_OK)
		status = cli_parse_top(args, &top);
	if (status != CLI_OK)
		return status;
	status = records_find(&build, args->operands[0]);
	if (status == CLI_OK)
		status = report_build(&build, by, top, args);
	records_release(&build);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("by", "WHAT", by, "directory (without this option), file, function or reason"),
	CLI_SWITCH("csv", csv, "print comma-separated values"),
	CLI_HELP,
	CLI_VALUE("html", "FILE", html, "write a page for a browser, with all there is to tell"),
	CLI_SWITCH("json", json, "print JSON"),
	CLI_VALUE("title", "TEXT", title, "the page's title, instead of the build's name"),
	CLI_VALUE("top", "N", top, "list at most so many rows; 0: all"),
	CLI_END,
};

const struct cli_command cli_report = {
	.name = "report",
	.operands = "BUILD [OTHER]",
	.min_operands = 1,
	.max_operands = 2,
	.summary = "tell what a build inlined and what it refused",
	.details =
		"BUILD is the directory of a build with records, as 'kiln make' has it, or an\n"
		"object. Calls inlined are those that the source says are always_inline, others "
		"by\n"
		"the early inliner, and by the IPA inliner. Rows, with what is not shown as one,\n"
		"add up to the total. Those come first in which inlining changed the size most,\n"
		"reasons with most calls. Without --top 20 rows are listed, and all with --csv "
		"and\n"
		"--json. With --html, FILE is one page that needs nothing else; of two builds it\n"
		"shows what differs. The exit status is 2 if a record is damaged: the rest is\n"
		"reported.\n",
	.options = options,
	.run = run,
};
