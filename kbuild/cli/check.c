// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln check: is a policy well formed, and, with a compiler, does GCC accept
 * each flag where it stands?
 */
#include "cli.h"

#include <stdio.h>

static void print_count(size_t count, const char *what)
{
	printf("%zu %s%s", count, what, count == 1 ? "" : "s");
}

static void print_summary(const struct kiln_policy *policy, const char *cc)
{
	size_t nr_files = kiln_policy_nr_files(policy);

	print_count(kiln_policy_nr_rules(policy), "rule");
	if (nr_files) {
		fputs(" in ", stdout);
		print_count(nr_files, "file");
	}
	if (cc)
		printf(": fine, and '%s' accepts every flag\n", cc);
	else
		puts(": well formed; GCC was not asked about the flags (--cc=CC has that done)");
}

static enum cli_status run(const struct cli_args *args)
{
	struct kiln_policy *policy;
	enum cli_status status;

	if (args->plugin && !args->cc)
		return cli_trouble("--plugin is of use only with --cc=CC");
	status = cli_load(args->operands, args->nr_operands, &policy);
	if (status != CLI_OK)
		return status;
	if (args->cc)
		status = cli_judge(args->cc, args->plugin, NULL, args->operands, args->nr_operands);
	if (status == CLI_OK && !args->quiet)
		print_summary(policy, args->cc);
	kiln_policy_free(policy);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("cc", "CC", cc, "have this GCC judge every flag too"),
	CLI_HELP,
	CLI_VALUE("plugin", "FILE", plugin, "the plugin to do it with (looked for)"),
	CLI_SWITCH("quiet", quiet, "print nothing when all is well"),
	CLI_END,
};

const struct cli_command cli_check = {
	.name = "check",
	.operands = "POLICY...",
	.min_operands = 1,
	.max_operands = -1,
	.summary = "find the mistakes of a policy",
	.details = "Several policies are read in turn as one, as the plugin does. The exit status\n"
		   "is 0 when all is well, 1 when the policy has errors, 2 when it could not be\n"
		   "checked.\n",
	.options = options,
	.run = run,
};
