// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell.h"

#include <stdlib.h>
#include <string.h>

/* Combinations of values that one text may stand for; more are passed over. */
#define MAX_COMBINATIONS 64
#define MAX_VALUES       32
#define MAX_REFERENCES   32

struct variable {
	struct keep_entry entry;
	struct keep_table values;
};

void shell_vars_init(struct keep_vars *vars, const struct keep_vars *outer)
{
	keep_table_init(&vars->table, sizeof(struct variable));
	vars->outer = outer;
}

void shell_vars_release(struct keep_vars *vars)
{
	for (size_t i = 0; i < vars->table.nr_slots; i++) {
		if (vars->table.slots[i])
			keep_table_release(&((struct variable *)vars->table.slots[i])->values);
	}
	keep_table_release(&vars->table);
}

void keep_vars_free(struct keep_vars *vars)
{
	if (!vars)
		return;
	shell_vars_release(vars);
	free(vars);
}

static struct variable *add_variable(struct keep_vars *vars, const char *name, size_t length)
{
	struct variable *variable;

	variable = (struct variable *)keep_table_add(&vars->table, name, length);
	if (variable && !variable->values.entry_size)
		keep_table_init(&variable->values, sizeof(struct keep_entry));
	return variable;
}

void shell_vars_add(struct keep_vars *vars, const char *name, size_t length)
{
	add_variable(vars, name, length);
}

void shell_vars_add_value(struct keep_vars *vars, const char *name, size_t name_length,
			  const char *value)
{
	struct variable *variable = add_variable(vars, name, name_length);

	if (!variable || variable->values.count >= MAX_VALUES)
		return;
	if (!keep_table_add(&variable->values, value, strlen(value)))
		vars->table.failed = true;
}

static const struct variable *find_variable(const struct keep_vars *vars, const char *name,
					    size_t length)
{
	for (; vars; vars = vars->outer) {
		const struct variable *variable =
			(struct variable *)keep_table_find(&vars->table, name, length);

		if (variable)
			return variable;
	}
	return NULL;
}

/* ---- texts with variables in them ---- */

struct expansion {
	const struct keep_vars *vars;
	struct shell_user *user;
	struct kiln_strbuf text;
	unsigned left; /* combinations */
};

static void expand_rest(struct expansion *expansion, const char *rest);

static void expand_with(struct expansion *expansion, const char *value, const char *rest)
{
	size_t length = expansion->text.length;

	kiln_strbuf_adds(&expansion->text, value);
	expand_rest(expansion, rest);
	kiln_strbuf_truncate(&expansion->text, length);
}

/* REST begins after SHELL_VAR_BEGIN. */
static void expand_variable(struct expansion *expansion, const char *rest)
{
	static const char unknown[] = {SHELL_UNKNOWN, '\0'};
	const char *end = strchr(rest, SHELL_VAR_END);
	const struct variable *variable =
		find_variable(expansion->vars, rest, (size_t)(end - rest));

	if (!variable || !variable->values.count) {
		expand_with(expansion, unknown, end + 1);
		return;
	}
	for (size_t i = 0; i < variable->values.nr_slots && expansion->left; i++) {
		const struct keep_entry *value = variable->values.slots[i];

		if (value)
			expand_with(expansion, value->text, end + 1);
	}
}

static void expand_rest(struct expansion *expansion, const char *rest)
{
	const char *variable = strchr(rest, SHELL_VAR_BEGIN);
	size_t length = expansion->text.length;

	kiln_strbuf_add(&expansion->text, rest,
			variable ? (size_t)(variable - rest) : strlen(rest));
	if (variable) {
		expand_variable(expansion, variable + 1);
	} else if (expansion->left) {
		expansion->left--;
		expansion->user->take(expansion->user, expansion->text.data);
	}
	kiln_strbuf_truncate(&expansion->text, length);
}

static unsigned count_references(const char *template_text)
{
	unsigned count = 0;

	for (; *template_text; template_text++)
		count += *template_text == SHELL_VAR_BEGIN;
	return count;
}

bool shell_vars_expand(const struct keep_vars *vars, const char *template_text,
		       struct shell_user *user)
{
	struct expansion expansion = {.vars = vars, .user = user, .left = MAX_COMBINATIONS};
	bool failed;

	if (count_references(template_text) > MAX_REFERENCES)
		return true;
	kiln_strbuf_init(&expansion.text);
	expand_rest(&expansion, template_text);
	failed = expansion.text.failed;
	kiln_strbuf_release(&expansion.text);
	return !failed;
}
