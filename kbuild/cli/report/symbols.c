// SPDX-License-Identifier: GPL-2.0-or-later
#include "html.h"

#include <stdlib.h>
#include <string.h>

#include "../elf-file.h"

struct html_code {
	uint64_t section, address, bytes;
	struct html_symbol *symbol;
};

struct reader {
	struct elf_symbol_visitor visitor;
	struct html_symbols *symbols;
};

void html_symbols_init(struct html_symbols *symbols)
{
	*symbols = (struct html_symbols){.nr_code = 0};
	keep_table_init(&symbols->table, sizeof(struct html_symbol));
}

void html_symbols_release(struct html_symbols *symbols)
{
	keep_table_release(&symbols->table);
	free(symbols->code);
	html_symbols_init(symbols);
}

static bool grow(struct html_symbols *symbols)
{
	size_t capacity = symbols->capacity ? symbols->capacity * 2 : 256;
	struct html_code *grown;

	if (symbols->nr_code < symbols->capacity)
		return true;
	grown = (struct html_code *)realloc(symbols->code, capacity * sizeof(*grown));
	if (!grown)
		return false;
	symbols->code = grown;
	symbols->capacity = capacity;
	return true;
}

static void see(struct elf_symbol_visitor *visitor, const struct elf_symbol *symbol)
{
	struct html_symbols *symbols = ((struct reader *)(void *)visitor)->symbols;
	struct keep_entry *entry;

	if (!elf_symbol_is_function(symbol) || !symbol->size || elf_symbol_is_padding(symbol->name))
		return;
	entry = keep_table_add(&symbols->table, symbol->name, strlen(symbol->name));
	if (!entry || !grow(symbols)) {
		symbols->failed = true;
		return;
	}
	symbols->code[symbols->nr_code++] = (struct html_code){
		symbol->section, symbol->value, symbol->size, (struct html_symbol *)(void *)entry};
}

enum cli_status html_symbols_read(struct html_symbols *symbols, const char *path)
{
	struct reader reader = {.visitor = {see}, .symbols = symbols};
	struct elf_file file;
	enum cli_status status = elf_file_open(&file, path);

	if (status != CLI_OK)
		return status;
	status = elf_file_symbols(&file, &reader.visitor);
	elf_file_close(&file);
	return status;
}

struct html_symbol *html_symbols_find(const struct html_symbols *symbols, const char *name)
{
	return (struct html_symbol *)(void *)keep_table_find(&symbols->table, name, strlen(name));
}

/* ---- whose the bytes are ---- */

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_address(const void *a, const void *b)
{
	const struct html_code *one = (const struct html_code *)a;
	const struct html_code *other = (const struct html_code *)b;
	int order = compare(one->section, other->section);

	if (!order)
		order = compare(one->address, other->address);
	if (!order)
		order = compare(other->symbol->function != 0, one->symbol->function != 0);
	return order ? order : strcmp(one->symbol->entry.text, other->symbol->entry.text);
}

static bool is_alias(const struct html_code *code)
{
	return code[-1].section == code->section && code[-1].address == code->address;
}

/* "f" of "f.cold" and "f.cold.3", where the record tells of it; or NULL. */
static struct html_symbol *find_whole(const struct html_symbols *symbols, const char *name)
{
	const char *cold = strstr(name, ".cold");
	struct html_symbol *whole;

	if (!cold || (cold[5] && cold[5] != '.'))
		return NULL;
	whole = (struct html_symbol *)(void *)keep_table_find(&symbols->table, name,
							      (size_t)(cold - name));
	return whole && whole->function ? whole : NULL;
}

void html_symbols_settle(struct html_symbols *symbols)
{
	if (symbols->nr_code)
		qsort(symbols->code, symbols->nr_code, sizeof(*symbols->code), by_address);
	for (size_t i = 0; i < symbols->nr_code; i++) {
		const struct html_code *code = &symbols->code[i];
		struct html_symbol *whole;

		if (i && is_alias(code))
			continue;
		whole = find_whole(symbols, code->symbol->entry.text);
		if (whole)
			whole->cold_bytes += code->bytes;
		else
			code->symbol->bytes += code->bytes;
	}
}
