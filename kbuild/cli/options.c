// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "kiln/nearest.h"

#define MAX_OPTIONS 16

/* getopt_long's value of the first option; beyond that of every short one. */
#define FIRST_VALUE 256

static size_t count_options(const struct cli_command *command)
{
	size_t count = 0;

	while (count < MAX_OPTIONS && command->options[count].name)
		count++;
	return count;
}

/* LETTERS: getopt's, ending where the short options begin. */
static void fill_getopt(const struct cli_command *command, struct option *options, char *letters)
{
	letters += strlen(letters);
	for (size_t i = 0; i < count_options(command); i++) {
		options[i].name = command->options[i].name;
		options[i].has_arg = command->options[i].value ? required_argument : no_argument;
		options[i].val = FIRST_VALUE + (int)i;
		if (!command->options[i].letter)
			continue;
		*letters++ = command->options[i].letter;
		if (command->options[i].value)
			*letters++ = ':';
	}
	*letters = '\0';
}

/* The option that getopt_long's VALUE stands for; NULL: it is none. */
static const struct cli_option *find_option(const struct cli_command *command, int value)
{
	if (value >= FIRST_VALUE)
		return &command->options[value - FIRST_VALUE];
	for (size_t i = 0; value > 0 && i < count_options(command); i++) {
		if (command->options[i].letter == value)
			return &command->options[i];
	}
	return NULL;
}

/* False: a value was given before, and one of the two would be lost. */
static bool set(const struct cli_option *option, const char *value, struct cli_args *args)
{
	char *field = (char *)args + option->offset;
	const char *before;

	if (!option->value) {
		*(bool *)field = true;
		return true;
	}
	memcpy(&before, field, sizeof(before));
	memcpy(field, &value, sizeof(value));
	if (before)
		cli_trouble("option '--%s' was given twice", option->name);
	return !before;
}

static const char *nearest_option(const struct cli_command *command, const char *name)
{
	const char *names[MAX_OPTIONS + 1] = {NULL};

	for (size_t i = 0; i < count_options(command); i++)
		names[i] = command->options[i].name;
	return kiln_nearest(name, names);
}

/* WORD is the option with its dashes, and perhaps a value after it. */
static void say_unknown(const struct cli_command *command, const char *word)
{
	const char *space = command->name ? " " : "";
	const char *nearest;
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word, "="), word);
	nearest = nearest_option(command, name + strspn(name, "-"));
	if (nearest)
		cli_trouble("unknown option '%s'; did you mean '--%s'?", name, nearest);
	else
		cli_trouble("unknown option '%s'; 'kiln help%s%s' lists what there is", name, space,
			    command->name ? command->name : "");
}

/* FAULT is what getopt_long returned for the option WORD. */
static void say_fault(const struct cli_command *command, int fault, const char *word)
{
	const char letter[] = {'-', (char)optopt, '\0'};
	const struct cli_option *option = find_option(command, optopt);

	if (!option) {
		say_unknown(command, optopt ? letter : word);
		return;
	}
	if (fault == ':')
		cli_trouble("option '--%s' needs a value: --%s=%s", option->name, option->name,
			    option->value);
	else
		cli_trouble("option '--%s' takes no value", option->name);
}

static bool check_operands(const struct cli_command *command, const struct cli_args *args)
{
	if (args->help || args->version)
		return true;
	if (args->nr_operands < command->min_operands)
		cli_trouble("too few arguments; usage: kiln %s %s", command->name,
			    command->operands);
	else if (command->max_operands >= 0 && args->nr_operands > command->max_operands)
		cli_trouble("unexpected argument '%s'; usage: kiln %s %s",
			    args->operands[command->max_operands], command->name,
			    command->operands);
	else
		return true;
	return false;
}

bool cli_parse(const struct cli_command *command, bool stop_at_operand, int argc, char **argv,
	       struct cli_args *ret_args)
{
	struct option options[MAX_OPTIONS + 1] = {{NULL, 0, NULL, 0}};
	char letters[2 * MAX_OPTIONS + 3];
	const struct cli_option *option;
	int value;

	snprintf(letters, sizeof(letters), "%s", stop_at_operand ? "+:" : ":");
	fill_getopt(command, options, letters);
	*ret_args = (struct cli_args){.help = false};
	optind = 0; /* glibc: begin anew, with these flags */
	opterr = 0;
	while ((value = getopt_long(argc, argv, letters, options, NULL)) != -1) {
		option = value == '?' || value == ':' ? NULL : find_option(command, value);
		if (!option)
			break;
		if (!set(option, optarg, ret_args))
			return false;
	}
	if (value != -1) {
		say_fault(command, value, argv[optind - 1]);
		return false;
	}
	ret_args->operands = argv + optind;
	ret_args->nr_operands = argc - optind;
	return check_operands(command, ret_args);
}

static void print_option(const struct cli_option *option)
{
	char left[60], letter[] = {'-', option->letter, ' ', '\0'};
	const char *value = option->value ? option->value : "";
	int length;

	length = snprintf(left, sizeof(left), "--%s%s%s", option->name, *value ? "=" : "", value);
	if (option->letter)
		snprintf(left + length, sizeof(left) - (size_t)length, ", %s%s", letter, value);
	printf("  %-18s %s\n", left, option->help);
}

void cli_print_help(const struct cli_command *command)
{
	const char *name = command->name ? command->name : "";

	printf("usage: kiln %s%s[OPTION...] %s\n\nkiln%s%s: %s.\n%s\n", name, *name ? " " : "",
	       command->operands, *name ? " " : "", name, command->summary, command->details);
	for (const struct cli_option *option = command->options; option->name; option++)
		print_option(option);
}
