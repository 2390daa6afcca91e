// SPDX-License-Identifier: GPL-2.0-or-later
#include "why.h"

#include <stdlib.h>
#include <string.h>

#include "kiln/nearest.h"

enum cli_status why_parse_name(const char *given, bool with_file, struct why_name *ret_name)
{
	const char *colon = strrchr(given, ':');

	if (colon && !with_file)
		return cli_trouble("'%s' is no function's name: FILE:NAME picks the caller alone",
				   given);
	*ret_name = (struct why_name){.given = given, .name = colon ? colon + 1 : given};
	if (colon) {
		ret_name->file = given;
		ret_name->file_length = (size_t)(colon - given);
	}
	if (!*ret_name->name || (colon && colon == given))
		return cli_trouble("'%s' names no function: it is NAME or FILE:NAME", given);
	return CLI_OK;
}

bool why_is_named(const struct records_unit *unit, unsigned function, const char *name)
{
	const char *called = unit->bodies[function].name;
	size_t length = strlen(name);

	if (strncmp(called, name, length))
		return false;
	return !called[length] ||
	       (called[length] == '.' && keep_name_length(called, strlen(called)) == length);
}

/* "fs/open.c" is FILE's "open.c", and "fs/open.c" itself. */
static bool is_path(const char *path, const struct why_name *name)
{
	size_t length = path ? strlen(path) : 0, end = name->file_length;

	return length >= end && !memcmp(path + length - end, name->file, end) &&
	       (length == end || path[length - end - 1] == '/');
}

bool why_is_meant(const struct records_unit *unit, unsigned function, const struct why_name *name)
{
	const struct records_body *body = records_source(unit, function);

	if (!why_is_named(unit, function, name->name))
		return false;
	return !name->file || is_path(unit->name, name) || is_path(unit->unit.object, name) ||
	       is_path(body->file, name);
}

/* ---- names that nothing has ---- */

struct names {
	struct records_reader reader;
	struct keep_table table;
};

static enum cli_status see(struct records_reader *reader, const struct records_unit *unit)
{
	struct names *names = (struct names *)(void *)reader;

	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		const char *name = unit->bodies[i].name;

		if (unit->bodies[i].outer == i)
			keep_table_add(&names->table, name, keep_name_length(name, strlen(name)));
	}
	return names->table.failed ? cli_no_memory() : CLI_OK;
}

static enum cli_status say_nearest(const struct names *names, const struct records_build *build,
				   const char *name)
{
	struct keep_entry **list = keep_table_sorted(&names->table);
	size_t count = names->table.count;
	const char **words = (const char **)calloc(count + 1, sizeof(*words));
	const char *nearest = NULL;
	enum cli_status status;

	for (size_t i = 0; list && words && i < count; i++)
		words[i] = list[i]->text;
	if (list && words)
		nearest = kiln_nearest(name, words);
	if (!list || !words)
		status = cli_no_memory();
	else if (nearest)
		status = cli_trouble("no unit of '%s' has a function '%s'; did you mean '%s'?",
				     build->path, name, nearest);
	else
		status = cli_trouble("no unit of '%s' has a function '%s'", build->path, name);
	free(list);
	free(words);
	return status;
}

enum cli_status why_unknown(struct records_build *build, const char *name)
{
	struct names names = {.reader = {see}};
	enum cli_status status;

	keep_table_init(&names.table, sizeof(struct keep_entry));
	build->is_quiet = true;
	status = records_read(build, &names.reader);
	if (status == CLI_OK)
		status = say_nearest(&names, build, name);
	keep_table_release(&names.table);
	return status;
}
