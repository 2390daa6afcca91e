// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln policies: the built-in policies, by name and by text.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>

#include "kiln/builtin.h"
#include "kiln/nearest.h"

/* Names that a misspelt one is compared with; there are fewer policies. */
#define MAX_NAMES 64

#define LICENSE_TAG "SPDX-License-Identifier:"

/* The text of a comment line without '#' and blanks; NULL: LINE is none. */
static const char *comment(const char *line)
{
	return *line == '#' ? line + strspn(line, "# \t") : NULL;
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

/* The first comment line of a policy that has words about it. */
static const char *first_comment(const char *text)
{
	const char *words;

	for (; (words = comment(text)); text = next_line(text)) {
		if (*words != '\n' && strncmp(words, LICENSE_TAG, strlen(LICENSE_TAG)))
			return words;
	}
	return NULL;
}

/* Bytes of the sentence that WORDS begin with, as far as its line goes. */
static size_t sentence_length(const char *words, bool *ret_ended)
{
	size_t line = strcspn(words, "\n");

	for (size_t i = 0; i < line; i++) {
		*ret_ended = words[i] == '.' && (i + 1 == line || words[i + 1] == ' ');
		if (*ret_ended)
			return i + 1;
	}
	return line;
}

/* The first sentence of the comment at the top, on one line. */
static void print_sentence(const char *text)
{
	const char *words = first_comment(text);
	bool ended = false;

	while (words && *words != '\n' && !ended) {
		printf("%.*s", (int)sentence_length(words, &ended), words);
		words = comment(next_line(words));
		if (words && *words != '\n' && !ended)
			putchar(' ');
	}
	putchar('\n');
}

static enum cli_status print_list(void)
{
	for (const struct kiln_builtin *builtin = kiln_builtins; builtin->name; builtin++) {
		printf("%s\t", builtin->name);
		print_sentence(builtin->text);
	}
	return CLI_OK;
}

static enum cli_status refuse(const char *name)
{
	const char *names[MAX_NAMES + 1] = {NULL};
	const char *nearest;

	for (size_t i = 0; i < MAX_NAMES && kiln_builtins[i].name; i++)
		names[i] = kiln_builtins[i].name;
	nearest = kiln_nearest(name, names);
	if (nearest)
		return cli_trouble("no built-in policy is called '%s'; did you mean '%s'?", name,
				   nearest);
	return cli_trouble("no built-in policy is called '%s'; 'kiln policies' lists them", name);
}

static enum cli_status run(const struct cli_args *args)
{
	const struct kiln_builtin *builtin;

	if (!args->nr_operands)
		return print_list();
	builtin = kiln_builtin_find(args->operands[0]);
	if (!builtin)
		return refuse(args->operands[0]);
	fwrite(builtin->text, 1, builtin->length, stdout);
	return CLI_OK;
}

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_END,
};

const struct cli_command cli_policies = {
	.name = "policies",
	.operands = "[NAME]",
	.max_operands = 1,
	.summary = "list the built-in policies, or print one",
	.details = "",
	.options = options,
	.run = run,
};
