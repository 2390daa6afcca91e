// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln keep: a keep list from those who rely on functions by name, and what a
 * build made of the functions in it.
 */
#include "keep/keep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the list ---- */

/* In a comment, whatever bytes a path has. */
static void print_path(const char *path)
{
	for (; *path; path++)
		putchar((unsigned char)*path < ' ' || *path == 127 ? '?' : *path);
}

/* VERSION: the kernel's, or "" if no tree was read. */
static void print_header(const struct cli_args *args, const char *version)
{
	if (*version)
		printf("# Functions that Linux %s has relied on by name: by selftests, BTF lists\n"
		       "# and error injection",
		       version);
	else
		fputs("# Functions that are relied on by name", stdout);
	fputs(".\n#\n# Made by:\tkiln keep", stdout);
	if (*version)
		fputs(" --from=TREE", stdout);
	for (int i = 0; i < args->nr_operands; i++) {
		putchar(' ');
		print_path(keep_origin(args->operands[i]));
	}
	fputs("\n\n", stdout);
}

/* The first in the order of strcmp, whatever was read first. */
static const char *first_origin(const struct keep_name *name)
{
	const char *first = name->origins[0]->text;

	for (size_t i = 1; i < name->nr_origins; i++) {
		if (strcmp(name->origins[i]->text, first) < 0)
			first = name->origins[i]->text;
	}
	return first;
}

static void print_name(const struct keep_name *name)
{
	printf("func %s\tkeep\t# ", name->entry.text);
	print_path(first_origin(name));
	if (name->nr_origins > 1)
		printf(" and %zu more", name->nr_origins - 1);
	putchar('\n');
}

static size_t count_names(const struct keep_names *names)
{
	size_t count = 0;

	for (size_t i = 0; i < names->table.nr_slots; i++) {
		const struct keep_name *name = (const struct keep_name *)names->table.slots[i];

		count += name && keep_name_counts(name);
	}
	return count;
}

static enum cli_status print_list(const struct keep_names *names, const struct cli_args *args,
				  const char *version)
{
	struct keep_entry **list = keep_table_sorted(&names->table);

	if (!list)
		return cli_no_memory();
	print_header(args, version);
	for (size_t i = 0; list[i]; i++) {
		if (keep_name_counts((const struct keep_name *)list[i]))
			print_name((const struct keep_name *)list[i]);
	}
	free(list);
	return CLI_OK;
}

/* ---- reading ---- */

/* Every file is read, so that one run shows every fault. */
static enum cli_status read_files(const struct cli_args *args, struct keep_names *names)
{
	enum cli_status status = CLI_OK;

	for (int i = 0; i < args->nr_operands; i++) {
		if (keep_read_file(args->operands[i], names) != CLI_OK)
			status = CLI_TROUBLE;
	}
	return status;
}

static enum cli_status read_all(const struct cli_args *args, struct keep_names *names,
				struct kiln_strbuf *version)
{
	enum cli_status status = read_files(args, names);

	if (status == CLI_OK && args->from)
		status = keep_tree_version(args->from, version);
	if (status == CLI_OK && args->from)
		status = keep_read_tree(args->from, names);
	if (status != CLI_OK)
		return status;
	if (keep_names_failed(names) || version->failed)
		return cli_no_memory();
	if (!count_names(names))
		return cli_trouble("no function's name is in what was read");
	return CLI_OK;
}

static enum cli_status run(const struct cli_args *args)
{
	struct kiln_strbuf version;
	struct keep_names names;
	enum cli_status status;

	if (!args->from && !args->nr_operands)
		return cli_trouble("names of functions come from a kernel tree or from files; "
				   "usage: kiln keep [--from=TREE] [FILE...]");
	if (args->plain && !args->check)
		return cli_trouble("--plain=ELF is what --check=ELF is compared with");
	kiln_strbuf_init(&version);
	keep_names_init(&names);
	status = read_all(args, &names, &version);
	if (status == CLI_OK && args->check)
		status = keep_check_symbols(&names, args->check, args->plain);
	else if (status == CLI_OK)
		status = print_list(&names, args, version.data);
	keep_names_release(&names);
	kiln_strbuf_release(&version);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("check", "ELF", check, "tell what a built file has of the functions"),
	CLI_VALUE("from", "TREE", from, "read a kernel tree's tests and lists"),
	CLI_HELP,
	CLI_VALUE("plain", "ELF", plain, "check only what this build has, and that it is there"),
	CLI_END,
};

const struct cli_command cli_keep = {
	.name = "keep",
	.operands = "[FILE...]",
	.max_operands = -1,
	.summary = "make a keep list from those who rely on functions by name",
	.details =
		"A FILE is a list of names, a shell, bpftrace or SystemTap script, a BPF program\n"
		"in C, or a policy, known by its suffix or its '#!' line. A policy is printed;\n"
		"with --check, what became of the functions is: the exit status is then 0 when\n"
		"each is a function or is not there, 1 when one was cloned or is something\n"
		"else, 2 when it could not be told. With --plain, a build of the same\n"
		"configuration without a policy, it is 1 as well when one of its is not there.\n",
	.options = options,
	.run = run,
};
