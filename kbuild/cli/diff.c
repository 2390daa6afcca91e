// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln diff: two builds of a kernel, compared by their symbols.
 */
#include "diff/diff.h"

#define DEFAULT_POLICY "keep"

static enum cli_status read_builds(struct diff *diff)
{
	enum cli_status status = diff_read_build(diff, DIFF_A);

	if (status == CLI_OK)
		status = diff_read_build(diff, DIFF_B);
	return status == CLI_OK && diff_failed(diff) ? cli_no_memory() : status;
}

static void print(const struct diff_report *report, const struct cli_args *args)
{
	if (args->json)
		diff_print_json(report);
	else if (args->csv)
		diff_print_csv(report);
	else
		diff_print_text(report);
}

static enum cli_status report(const struct diff *diff, const struct keep_names *kept, size_t top,
			      const struct cli_args *args)
{
	struct diff_report report;
	enum cli_status status;
	bool differs;

	diff_report_init(&report, diff);
	report.top = top;
	status = diff_compare(diff, kept, &report, &differs);
	if (status == CLI_OK)
		print(&report, args);
	if (status == CLI_OK && differs && args->exit_code)
		status = CLI_DIFFERENT;
	diff_report_release(&report);
	return status;
}

static enum cli_status compare(const struct cli_args *args, const struct keep_names *kept,
			       size_t top)
{
	const char *paths[DIFF_SIDES] = {args->operands[0], args->operands[1]};
	enum cli_status status;
	struct diff diff;

	diff_init(&diff, paths);
	status = read_builds(&diff);
	if (status == CLI_OK)
		status = report(&diff, kept, top, args);
	diff_release(&diff);
	return status;
}

static enum cli_status run(const struct cli_args *args)
{
	struct keep_names kept;
	enum cli_status status;
	size_t top;

	if (cli_check_outputs(args) != CLI_OK)
		return CLI_TROUBLE;
	status = cli_parse_top(args, &top);
	if (status != CLI_OK)
		return status;
	keep_names_init(&kept);
	status = keep_read_file(args->keep ? args->keep : DEFAULT_POLICY, &kept);
	if (status == CLI_OK && keep_names_failed(&kept))
		status = cli_no_memory();
	if (status == CLI_OK)
		status = compare(args, &kept, top);
	keep_names_release(&kept);
	return status;
}

static const struct cli_option options[] = {
	CLI_SWITCH("csv", csv, "print comma-separated values"),
	CLI_SWITCH("exit-code", exit_code, "exit with 1 if the builds differ"),
	CLI_HELP,
	CLI_SWITCH("json", json, "print JSON"),
	CLI_VALUE("keep", "FILE", keep, "what is to be kept: a policy or a list; 'keep'"),
	CLI_VALUE("top", "N", top, "list at most so many of each kind; 0: all"),
	CLI_END,
};

const struct cli_command cli_diff = {
	.name = "diff",
	.operands = "A B",
	.min_operands = 2,
	.max_operands = 2,
	.summary = "compare two builds of a kernel by their symbols",
	.details =
		"A and B are a kernel (vmlinux), a module or an object file each, or the "
		"directory\n"
		"of a build, made with whatever compiler. First comes whether they were made with\n"
		"the same compiler, policy and configuration, then what B has of A's functions.\n"
		"Without --top 20 of each kind are listed, and all with --csv and --json.\n"
		"The exit status is 0 even if they differ, 2 when it could not be told.\n",
	.options = options,
	.run = run,
};
