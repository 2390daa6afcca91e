// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln: the command around the plugin. Picks the subcommand and runs it.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "kiln/nearest.h"

/* Sorted by name. */
static const struct cli_command *const commands[] = {
	&cli_check,     &cli_diff,   &cli_experiment, &cli_explain, &cli_flags, &cli_help,
	&cli_integrate, &cli_keep,   &cli_make,       &cli_native,  &cli_pack,  &cli_policies,
	&cli_replay,    &cli_report, &cli_why,        NULL,
};

#define MAX_COMMANDS 32

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
	.verbs = commands,
};

/* What is typed: "compare" of "experiment compare". */
static const char *last_word(const struct cli_command *command)
{
	const char *space = strrchr(command->name, ' ');

	return space ? space + 1 : command->name;
}

/* The one of LIST called NAME; NULL: none is, which was said with the nearest. PARENT has the list.
 */
static const struct cli_command *find_command(const struct cli_command *parent, const char *name)
{
	const char *names[MAX_COMMANDS + 1] = {NULL};
	const char *nearest, *kind = parent->name ? parent->name : "command";

	for (size_t i = 0; parent->verbs[i] && i < MAX_COMMANDS; i++) {
		names[i] = last_word(parent->verbs[i]);
		if (strcmp(names[i], name) == 0)
			return parent->verbs[i];
	}
	nearest = kiln_nearest(name, names);
	if (nearest)
		cli_trouble("unknown %s '%s'; did you mean '%s'?", kind, name, nearest);
	else
		cli_trouble("unknown %s '%s'; 'kiln help%s%s' lists what there is", kind, name,
			    parent->name ? " " : "", parent->name ? parent->name : "");
	return NULL;
}

static void print_commands(const struct cli_command *parent)
{
	puts("\ncommands:");
	for (size_t i = 0; parent->verbs[i]; i++)
		printf("  %-10s %s\n", last_word(parent->verbs[i]), parent->verbs[i]->summary);
}

static void print_help_of(const struct cli_command *command)
{
	cli_print_help(command);
	if (command->verbs)
		print_commands(command);
}

static void print_overview(void)
{
	print_help_of(&kiln);
	puts("\n'kiln help COMMAND' tells more of each; kiln(1) has the policy language.");
}

static enum cli_status print_help(const struct cli_args *args)
{
	const struct cli_command *command = &kiln;

	if (!args->nr_operands) {
		print_overview();
		return CLI_OK;
	}
	for (int i = 0; i < args->nr_operands; i++) {
		if (!command->verbs)
			return cli_trouble(
				"unexpected argument '%s'; usage: kiln help [COMMAND...]",
				args->operands[i]);
		command = find_command(command, args->operands[i]);
		if (!command)
			return CLI_TROUBLE;
	}
	print_help_of(command);
	return CLI_OK;
}

static const struct cli_option help_options[] = {
	CLI_HELP,
	CLI_END,
};

const struct cli_command cli_help = {
	.name = "help",
	.operands = "[COMMAND...]",
	.max_operands = -1,
	.summary = "tell how a command is used",
	.details = "",
	.options = help_options,
	.run = print_help,
};

/* Of PARENT, the command whose name ARGV begins with. */
static enum cli_status run_command(const struct cli_command *parent, int argc, char **argv)
{
	const struct cli_command *command = find_command(parent, argv[0]);
	struct cli_args args;

	if (!command || !cli_parse(command, command->stop_at_operand, argc, argv, &args))
		return CLI_TROUBLE;
	if (args.help) {
		print_help_of(command);
		return CLI_OK;
	}
	return command->verbs ? run_command(command, args.nr_operands, args.operands)
			      : command->run(&args);
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
	return run_command(&kiln, args.nr_operands, args.operands);
}

int main(int argc, char **argv)
{
	return cli_finish_output(run(argc, argv));
}
