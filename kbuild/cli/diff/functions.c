// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The functions in an ELF file. The bytes of code are the sizes of its symbols: the
 * sections are padded. Code that has several names counts once, for the first of
 * them by strcmp().
 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>

/* Functions whose code is freed when the kernel is up. */
#define INIT_TEXT ".init.text"

struct reader {
	struct elf_symbol_visitor visitor;
	struct diff *diff;
	const struct elf_file *file;
	const struct diff_place *place;
	struct diff_code *code;
	size_t nr_code, capacity;
	const char *unit;
	uint64_t start, stop; /* of the table of what tracers see */
	bool *is_init;        /* of each section */
	size_t nr_sections;
	bool failed;
};

/* ---- names ---- */

struct diff_symbol *diff_add_symbol(struct diff *diff, const char *name)
{
	size_t length = keep_name_length(name, strlen(name));
	struct diff_symbol *symbol;

	symbol = (struct diff_symbol *)keep_table_add(&diff->symbols, name, strlen(name));
	if (!symbol)
		return NULL;
	if (!symbol->function) {
		symbol->function =
			(struct diff_function *)keep_table_add(&diff->functions, name, length);
		symbol->clone_kind = elf_clone_kind(name + length);
	}
	return symbol->function ? symbol : NULL;
}

static struct diff_symbol *count_symbol(struct reader *reader, const char *name)
{
	struct diff_symbol *symbol = diff_add_symbol(reader->diff, name);
	enum diff_side side = reader->place->side;
	struct diff_function *function;

	if (!symbol)
		return NULL;
	function = symbol->function;
	symbol->sides[side].count++;
	function->sides[side].symbols++;
	function->sides[side].plain += !strcmp(name, function->entry.text);
	function->sides[side].clones += symbol->clone_kind != NULL;
	return symbol;
}

static bool grow(struct reader *reader)
{
	size_t capacity = reader->capacity ? reader->capacity * 2 : 256;
	struct diff_code *grown;

	if (reader->nr_code < reader->capacity)
		return true;
	grown = (struct diff_code *)realloc(reader->code, capacity * sizeof(*grown));
	if (!grown)
		return false;
	reader->code = grown;
	reader->capacity = capacity;
	return true;
}

static void add_code(struct reader *reader, const struct elf_symbol *symbol)
{
	bool is_linked = reader->file->header.e_type != ET_REL;
	struct diff_symbol *known = count_symbol(reader, symbol->name);

	if (!known || !grow(reader)) {
		reader->failed = true;
		return;
	}
	reader->code[reader->nr_code++] = (struct diff_code){
		.at = {is_linked ? 0 : symbol->section, symbol->value},
		.size = symbol->size,
		.symbol = known,
		.unit = symbol->is_local ? reader->unit : NULL,
		.is_init =
			symbol->section < reader->nr_sections && reader->is_init[symbol->section],
	};
}

static void see_symbol(struct elf_symbol_visitor *visitor, const struct elf_symbol *symbol)
{
	struct reader *reader = (struct reader *)(void *)visitor;

	if (symbol->type == STT_FILE)
		reader->unit = *symbol->name ? symbol->name : NULL;
	else if (elf_symbol_is_function(symbol) && !elf_symbol_is_padding(symbol->name))
		add_code(reader, symbol);
	else if (!strcmp(symbol->name, "__start_mcount_loc"))
		reader->start = symbol->value;
	else if (!strcmp(symbol->name, "__stop_mcount_loc"))
		reader->stop = symbol->value;
}

/* ---- sections ---- */

static bool is_init_text(const char *name)
{
	size_t length = sizeof(INIT_TEXT) - 1;

	return !strncmp(name, INIT_TEXT, length) && (!name[length] || name[length] == '.');
}

static enum cli_status find_init(struct reader *reader)
{
	Elf_Scn *section = NULL;
	size_t count;

	if (elf_getshdrnum(reader->file->elf, &count))
		return elf_file_damaged(reader->file, "its sections cannot be counted");
	reader->is_init = (bool *)calloc(count + 1, sizeof(bool));
	if (!reader->is_init)
		return cli_no_memory();
	reader->nr_sections = count;
	while ((section = elf_nextscn(reader->file->elf, section))) {
		GElf_Shdr header;

		if (elf_ndxscn(section) < count && gelf_getshdr(section, &header))
			reader->is_init[elf_ndxscn(section)] =
				is_init_text(elf_section_name(reader->file, &header));
	}
	return CLI_OK;
}

/* ---- bytes ---- */

/* Of one address, the largest first: that is whose size counts. */
static int compare_code(const void *a, const void *b)
{
	const struct diff_code *one = (const struct diff_code *)a;
	const struct diff_code *other = (const struct diff_code *)b;
	int order = diff_compare_addresses(&one->at, &other->at);

	if (order)
		return order;
	if (one->size != other->size)
		return one->size > other->size ? -1 : 1;
	return strcmp(one->symbol->entry.text, other->symbol->entry.text);
}

static void add_to_directory(struct reader *reader, const struct diff_code *code)
{
	const struct diff_place *place = reader->place;
	const char *name = code->symbol->entry.text;
	struct diff_directory *directory;

	if (place->origins) {
		const char *origin = diff_origin(place->origins, code->unit, name, code->size);

		name = origin ? origin : place->directory;
	} else {
		name = place->directory;
	}
	if (!name)
		name = "?";
	directory = (struct diff_directory *)keep_table_add(&reader->diff->directories, name,
							    strlen(name));
	if (directory)
		directory->bytes[place->side] += code->size;
}

static void add_bytes(struct reader *reader)
{
	for (size_t i = 0; i < reader->nr_code; i++) {
		const struct diff_code *code = &reader->code[i];

		if (i && !diff_compare_addresses(&code[-1].at, &code->at))
			continue;
		reader->diff->bytes[reader->place->side] += code->size;
		code->symbol->function->sides[reader->place->side].bytes += code->size;
		if (reader->place->origins || reader->place->directory)
			add_to_directory(reader, code);
	}
}

static size_t drop_init(struct diff_code *code, size_t nr_code)
{
	size_t left = 0;

	for (size_t i = 0; i < nr_code; i++) {
		if (!code[i].is_init)
			code[left++] = code[i];
	}
	return left;
}

static enum cli_status read_sites(struct reader *reader)
{
	struct diff_sites sites = {.count = 0};
	enum diff_side side = reader->place->side;
	enum cli_status status;

	status = diff_sites_read(&sites, reader->file, reader->start, reader->stop);
	reader->nr_code = drop_init(reader->code, reader->nr_code);
	if (status == CLI_OK)
		diff_mark_traceable(&sites, reader->code, reader->nr_code, side);
	reader->diff->has_sites[side] |= sites.has_table;
	diff_sites_release(&sites);
	return status;
}

static enum cli_status read_all(struct reader *reader)
{
	enum cli_status status = find_init(reader);

	if (status == CLI_OK)
		status = elf_file_symbols(reader->file, &reader->visitor);
	if (status != CLI_OK)
		return status;
	if (reader->failed)
		return cli_no_memory();
	if (reader->nr_code)
		qsort(reader->code, reader->nr_code, sizeof(*reader->code), compare_code);
	add_bytes(reader);
	return read_sites(reader);
}

enum cli_status diff_read_functions(struct diff *diff, const struct elf_file *file,
				    const struct diff_place *place)
{
	struct reader reader = {
		.visitor = {see_symbol}, .diff = diff, .file = file, .place = place};
	enum cli_status status = read_all(&reader);

	free(reader.code);
	free(reader.is_init);
	return status;
}
