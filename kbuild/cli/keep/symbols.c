// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an ELF file has of the functions of a keep list: itself, or what GCC's
 * interprocedural passes made of it.
 *
 *	bpf_skc_lookup_tcp		the function
 *	bpf_skc_lookup_tcp.constprop.0	a clone of it, whose callers no probe sees
 */
#include "keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../elf-file.h"
#include "kiln/glob.h"

/* A name of the list, or a function that a glob of it matches. */
struct found {
	struct keep_entry entry;
	bool is_glob;
	bool is_matched; /* a glob: it is told of by the functions that it matches */
	size_t nr_functions;
	size_t nr_others;         /* symbols that are no function */
	struct keep_table clones; /* their names */
};

struct check {
	struct elf_symbol_visitor visitor;
	const char *path;
	struct keep_table found;
	bool is_object; /* not linked: most functions are elsewhere */
	bool is_compared; /* all that is looked for has to be there */
};

enum outcome { PLAIN, CLONED, ONLY_CLONES, NO_FUNCTION, ABSENT, NR_OUTCOMES };

/* ---- what is looked for ---- */

static struct found *add_found(struct check *check, const char *name, size_t length)
{
	struct found *found = (struct found *)keep_table_add(&check->found, name, length);

	if (found && !found->clones.entry_size)
		keep_table_init(&found->clones, sizeof(struct keep_entry));
	return found;
}

static void add_names(struct check *check, const struct keep_names *names)
{
	for (size_t i = 0; i < names->table.nr_slots; i++) {
		const struct keep_name *name = (const struct keep_name *)names->table.slots[i];
		struct found *found;

		if (!name || !keep_name_counts(name))
			continue;
		found = add_found(check, name->entry.text, name->entry.length);
		if (found)
			found->is_glob = name->is_glob;
	}
}

static bool is_there(const struct found *found)
{
	return found->nr_functions || found->clones.count;
}

/* What a build without a policy has in one form or another; it names what globs match. */
static void add_functions(struct check *check, const struct check *plain)
{
	for (size_t i = 0; i < plain->found.nr_slots; i++) {
		const struct found *found = (const struct found *)plain->found.slots[i];

		if (found && is_there(found))
			add_found(check, found->entry.text, found->entry.length);
	}
}

static void release(struct check *check)
{
	for (size_t i = 0; i < check->found.nr_slots; i++) {
		if (check->found.slots[i])
			keep_table_release(&((struct found *)check->found.slots[i])->clones);
	}
	keep_table_release(&check->found);
}

/* ---- symbols ---- */

/* Does a glob of the list match the name, a string? */
static bool match_globs(struct check *check, const char *name)
{
	bool is_matched = false;

	for (size_t i = 0; i < check->found.nr_slots; i++) {
		struct found *found = (struct found *)check->found.slots[i];

		if (found && found->is_glob && kiln_glob_match(found->entry.text, name)) {
			found->is_matched = true;
			is_matched = true;
		}
	}
	return is_matched;
}

/* Of the name before the suffix; NULL: it is of no interest, or there is no memory. */
static struct found *find(struct check *check, const char *name, size_t length, bool is_function)
{
	struct found *found = (struct found *)keep_table_find(&check->found, name, length);
	struct kiln_strbuf copy;

	if (!is_function || (found && found->nr_functions))
		return found;
	kiln_strbuf_init(&copy);
	kiln_strbuf_add(&copy, name, length);
	if (copy.failed)
		check->found.failed = true;
	else if (match_globs(check, copy.data))
		found = add_found(check, name, length);
	kiln_strbuf_release(&copy);
	return found;
}

static void see_symbol(struct elf_symbol_visitor *visitor, const struct elf_symbol *symbol)
{
	struct check *check = (struct check *)(void *)visitor;
	bool is_function = elf_symbol_is_function(symbol);
	const char *name = symbol->name;
	size_t length = keep_name_length(name, strlen(name));
	struct found *found;

	if (!symbol->is_defined || symbol->type == STT_SECTION || symbol->type == STT_FILE)
		return;
	if (name[length] && !(is_function && elf_clone_kind(name + length)))
		return;
	found = find(check, name, length, is_function);
	if (!found)
		return;
	if (name[length] && !keep_table_add(&found->clones, name, strlen(name)))
		check->found.failed = true;
	else if (!name[length] && is_function)
		found->nr_functions++;
	else if (!name[length])
		found->nr_others++;
}

static enum cli_status read_path(struct check *check)
{
	struct elf_file file;
	enum cli_status status = elf_file_open(&file, check->path);

	if (status != CLI_OK)
		return status;
	check->is_object = file.is_object;
	status = elf_file_symbols(&file, &check->visitor);
	elf_file_close(&file);
	return status == CLI_OK && check->found.failed ? cli_no_memory() : status;
}

/* ---- what is told ---- */

static enum outcome outcome_of(const struct found *found)
{
	if (found->clones.count)
		return found->nr_functions ? CLONED : ONLY_CLONES;
	if (found->nr_functions)
		return PLAIN;
	return found->nr_others ? NO_FUNCTION : ABSENT;
}

static const char *const outcome_names[NR_OUTCOMES] = {
	[PLAIN] = "plain",
	[CLONED] = "cloned",
	[ONLY_CLONES] = "only clones",
	[NO_FUNCTION] = "no function",
	[ABSENT] = "absent",
};

/* False: no memory. */
static bool print_clones(const struct found *found)
{
	struct keep_entry **clones = keep_table_sorted(&found->clones);

	if (!clones)
		return false;
	for (size_t i = 0; clones[i]; i++)
		printf("%c%s", i ? ' ' : '\t', clones[i]->text);
	free(clones);
	return true;
}

/* A line for a function that is not simply there; false: no memory. */
static bool print_found(const struct check *check, const struct found *found, enum outcome outcome)
{
	bool is_printed = true;

	if (outcome == PLAIN && found->nr_functions == 1)
		return true;
	if (outcome == ABSENT && check->is_object && !check->is_compared)
		return true;
	printf("%s\t%s", found->entry.text, outcome_names[outcome]);
	if (outcome == PLAIN)
		printf("\t%zu copies", found->nr_functions);
	if (found->clones.count)
		is_printed = print_clones(found);
	putchar('\n');
	return is_printed;
}

static void print_count(size_t count, const char *one, const char *many)
{
	printf("%zu %s", count, count == 1 ? one : many);
}

static void print_summary(const size_t *counts)
{
	size_t sum = 0;

	for (int i = 0; i < NR_OUTCOMES; i++)
		sum += counts[i];
	print_count(sum, "name: ", "names: ");
	print_count(counts[PLAIN], "plain function, ", "plain functions, ");
	print_count(counts[CLONED], "cloned, ", "cloned, ");
	print_count(counts[ONLY_CLONES], "only as clones, ", "only as clones, ");
	print_count(counts[NO_FUNCTION], "not a function, ", "not functions, ");
	print_count(counts[ABSENT], "absent\n", "absent\n");
}

static enum cli_status report(const struct check *check)
{
	struct keep_entry **list = keep_table_sorted(&check->found);
	size_t counts[NR_OUTCOMES] = {0};
	bool has_memory = list != NULL;

	for (size_t i = 0; has_memory && list[i]; i++) {
		const struct found *found = (const struct found *)list[i];
		enum outcome outcome = outcome_of(found);

		if (found->is_matched)
			continue;
		counts[outcome]++;
		has_memory = print_found(check, found, outcome);
	}
	free(list);
	if (!has_memory)
		return cli_no_memory();
	print_summary(counts);
	if (check->is_compared && counts[ABSENT])
		return CLI_NOT_KEPT;
	return counts[CLONED] + counts[ONLY_CLONES] + counts[NO_FUNCTION] ? CLI_NOT_KEPT : CLI_OK;
}

static void init(struct check *check, const char *path)
{
	*check = (struct check){.visitor = {see_symbol}, .path = path};
	keep_table_init(&check->found, sizeof(struct found));
}

/* Has CHECK look for those of the names that are functions in the file PATH. */
static enum cli_status add_plain(struct check *check, const struct keep_names *names,
				 const char *path)
{
	struct check plain;
	enum cli_status status;

	init(&plain, path);
	add_names(&plain, names);
	status = plain.found.failed ? cli_no_memory() : read_path(&plain);
	if (status == CLI_OK)
		add_functions(check, &plain);
	release(&plain);
	check->is_compared = true;
	return status;
}

enum cli_status keep_check_symbols(const struct keep_names *names, const char *path,
				   const char *plain)
{
	enum cli_status status = CLI_OK;
	struct check check;

	init(&check, path);
	if (plain)
		status = add_plain(&check, names, plain);
	else
		add_names(&check, names);
	if (status == CLI_OK)
		status = check.found.failed ? cli_no_memory() : read_path(&check);
	if (status == CLI_OK)
		status = report(&check);
	release(&check);
	return status;
}
