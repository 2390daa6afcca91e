// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln report: what GCC inlined in a build and what it refused, by its records.
 */
#include "report/report.h"

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

static enum cli_status run(const struct cli_args *args)
{
	struct records_build build;
	enum cli_status status;
	enum report_by by;
	size_t top;

	if (args->json && args->csv)
		return cli_trouble("--json and --csv are two outputs: choose one");
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
	CLI_SWITCH("json", json, "print JSON"),
	CLI_VALUE("top", "N", top, "list at most so many rows; 0: all"),
	CLI_END,
};

const struct cli_command cli_report = {
	.name = "report",
	.operands = "BUILD",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "tell what a build inlined and what it refused",
	.details =
		"BUILD is the directory of a build with records, as 'kiln make' has it, or an\n"
		"object. Calls inlined are those that the source says are always_inline, others "
		"by\n"
		"the early inliner, and by the IPA inliner. Rows, with what is not shown as one,\n"
		"add up to the total. Those come first in which inlining changed the size most,\n"
		"reasons with most calls. Without --top 20 rows are listed, and all with --csv "
		"and\n"
		"--json. The exit status is 2 if a record is damaged: the rest is reported.\n",
	.options = options,
	.run = run,
};
