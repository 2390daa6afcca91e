// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an ELF file has of the functions of a keep list: itself, or what GCC's
 * interprocedural passes made of it.
 *
 *	bpf_skc_lookup_tcp		the function
 *	bpf_skc_lookup_tcp.constprop.0	a clone of it, whose callers no probe sees
 */
#include "keep.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kiln/glob.h"

/* The section that makes an object file a kernel module. */
#define MODULE_SECTION ".gnu.linkonce.this_module"

/* What GCC has in an object file without code: its functions are made when it is linked. */
#define SLIM_SYMBOL "__gnu_lto_slim"

/* What GCC puts after the name of a clone; ".cold" is a part of the function itself. */
static const char *const clone_marks[] = {".constprop.", ".isra.", ".lto_priv.", ".part."};

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
	const char *path;
	struct keep_table found;
	bool is_object; /* not linked: most functions are elsewhere */
	bool is_compared; /* all that is looked for has to be there */
	bool is_slim;   /* its functions, or some, are intermediate code of -flto */
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

static bool is_clone(const char *suffix)
{
	if (strstr(suffix, ".cold"))
		return false;
	for (size_t i = 0; i < sizeof(clone_marks) / sizeof(clone_marks[0]); i++) {
		if (strstr(suffix, clone_marks[i]))
			return true;
	}
	return false;
}

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

static void read_symbol(struct check *check, const GElf_Sym *symbol, const char *name)
{
	unsigned type = GELF_ST_TYPE(symbol->st_info);
	bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;
	size_t length = keep_name_length(name, strlen(name));
	struct found *found;

	if (symbol->st_shndx == SHN_UNDEF || type == STT_SECTION || type == STT_FILE)
		return;
	if (name[length] && !(is_function && is_clone(name + length)))
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

/* ---- ELF ---- */

static enum cli_status say_damaged(const struct check *check, const char *what)
{
	int error = elf_errno();

	return cli_trouble("'%s' is damaged: %s%s%s", check->path, what, error ? ": " : "",
			   error ? elf_errmsg(error) : "");
}

static enum cli_status read_symbols(struct check *check, Elf *elf, Elf_Scn *section,
				    const GElf_Shdr *header)
{
	Elf_Data *data = elf_getdata(section, NULL);
	size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;

	if (!data || count > INT32_MAX)
		return say_damaged(check, "its symbol table cannot be read");
	for (size_t i = 0; i < count; i++) {
		GElf_Sym symbol;
		const char *name;

		if (!gelf_getsym(data, (int)i, &symbol))
			return say_damaged(check, "a symbol is missing");
		name = elf_strptr(elf, header->sh_link, symbol.st_name);
		if (!name)
			return say_damaged(check, "a symbol has no name");
		check->is_slim |= strcmp(name, SLIM_SYMBOL) == 0;
		read_symbol(check, &symbol, name);
	}
	return check->found.failed ? cli_no_memory() : CLI_OK;
}

static bool is_named(Elf *elf, const GElf_Shdr *header, const char *name)
{
	size_t strings;
	const char *own;

	if (elf_getshdrstrndx(elf, &strings))
		return false;
	own = elf_strptr(elf, strings, header->sh_name);
	return own && strcmp(own, name) == 0;
}

static enum cli_status read_sections(struct check *check, Elf *elf)
{
	enum cli_status status = CLI_OK;
	bool has_symbols = false;
	Elf_Scn *section = NULL;
	GElf_Ehdr header;

	if (!gelf_getehdr(elf, &header))
		return say_damaged(check, "its header cannot be read");
	check->is_object = header.e_type == ET_REL;
	while (status == CLI_OK && (section = elf_nextscn(elf, section))) {
		GElf_Shdr section_header;

		if (!gelf_getshdr(section, &section_header))
			return say_damaged(check, "a section's header cannot be read");
		if (is_named(elf, &section_header, MODULE_SECTION))
			check->is_object = false;
		if (section_header.sh_type != SHT_SYMTAB)
			continue;
		has_symbols = true;
		status = read_symbols(check, elf, section, &section_header);
	}
	if (status == CLI_OK && !has_symbols)
		return cli_trouble("'%s' has no symbol table: it was stripped, or is damaged",
				   check->path);
	if (status == CLI_OK && check->is_slim)
		return cli_trouble("'%s' has intermediate code of -flto instead of functions: "
				   "check the kernel or module that is linked from it",
				   check->path);
	return status;
}

static enum cli_status read_elf(struct check *check, int fd)
{
	enum cli_status status;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF)
		status = read_sections(check, elf);
	else
		status = cli_trouble("'%s' is no ELF file", check->path);
	elf_end(elf);
	return status;
}

static enum cli_status read_path(struct check *check)
{
	int fd = open(check->path, O_RDONLY | O_CLOEXEC);
	enum cli_status status;

	if (fd < 0)
		return cli_trouble("'%s' cannot be read: %s", check->path, strerror(errno));
	status = read_elf(check, fd);
	close(fd);
	return status;
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
	*check = (struct check){.path = path};
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
