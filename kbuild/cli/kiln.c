// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln: the command around the plugin. Picks the subcommand and runs it.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "kiln/nearest.h"

const struct cli_command *const cli_commands[] = {
	&cli_check,     &cli_diff,   &cli_explain, &cli_flags, &cli_help,
	&cli_integrate, &cli_keep,   &cli_make,    &cli_native, &cli_pack,
	&cli_policies,  &cli_replay, &cli_report,  &cli_why,   NULL,
};

#define NR_COMMANDS (sizeof(cli_commands) / sizeof(cli_commands[0]) - 1)

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_SWITCH("version", version, "print the version and do nothing else"),
	CLI_END,
};

/* The command itself, for its own options before the subcommand's name. */
static const struct cli_command kiln = {
	.name = NULL,
	.operands = "COMMAND [ARGUMENT...]",
	.max_operands = -1,
	.summary = "GCC flags per function and subsystem of a Linux kernel",
	.details = "",
	.options = options,
};

static const char *nearest_command(const char *name)
{
	const char *names[NR_COMMANDS + 1] = {NULL};

	for (size_t i = 0; i < NR_COMMANDS; i++)
		names[i] = cli_commands[i]->name;
	return kiln_nearest(name, names);
}

const struct cli_command *cli_find_command(const char *name)
{
	const char *nearest;

	for (size_t i = 0; i < NR_COMMANDS; i++) {
		if (strcmp(cli_commands[i]->name, name) == 0)
			return cli_commands[i];
	}
	nearest = nearest_command(name);
	if (nearest)
		cli_trouble("unknown command '%s'; did you mean '%s'?", name, nearest);
	else
		cli_trouble("unknown command '%s'; 'kiln help' lists what there is", name);
	return NULL;
}

static void print_overview(void)
{
	cli_print_help(&kiln);
	puts("\ncommands:");
	for (size_t i = 0; i < NR_COMMANDS; i++)
		printf("  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
	puts("\n'kiln help COMMAND' tells more of each; kiln(1) has the policy language.");
}

static enum cli_status print_help(const struct cli_args *args)
{
	const struct cli_command *command;

	if (!args->nr_operands) {
		print_overview();
		return CLI_OK;
	}
	command = cli_find_command(args->operands[0]);
	if (!command)
		return CLI_TROUBLE;
	cli_print_help(command);
	return CLI_OK;
}

static const struct cli_option help_options[] = {
	CLI_HELP,
	CLI_END,
};

const struct cli_command cli_help = {
	.name = "help",
	.operands = "[COMMAND]",
	.max_operands = 1,
	.summary = "tell how a command is used",
	.details = "",
	.options = help_options,
	.run = print_help,
};

static enum cli_status run_command(int argc, char **argv)
{
	const struct cli_command *command = cli_find_command(argv[0]);
	struct cli_args args;

	if (!command || !cli_parse(command, command->stop_at_operand, argc, argv, &args))
		return CLI_TROUBLE;
	if (args.help) {
		cli_print_help(command);
		return CLI_OK;
	}
	return command->run(&args);
}

static enum cli_status run(int argc, char **argv)
{
	struct cli_args args;

	if (!cli_parse(&kiln, true, argc, argv, &args))
		return CLI_TROUBLE;
	if (args.help) {
		print_overview();
		return CLI_OK;
	}
	if (args.version) {
		puts("kiln " KILN_VERSION);
		return CLI_OK;
	}
	if (!args.nr_operands)
		return cli_trouble("which command? 'kiln help' lists what there is");
	return run_command(args.nr_operands, args.operands);
}

int main(int argc, char **argv)
{
	return cli_finish_output(run(argc, argv));
}
