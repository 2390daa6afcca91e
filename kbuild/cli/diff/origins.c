// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A linked kernel does not tell in which directory a function was compiled: its
 * STT_FILE symbols are names like "core.c", of which there are dozens. The object
 * files of a build directory do. A global function is found by its name, a static
 * one by that and its unit's; and where several directories have such a function
 * (weak ones, static ones in units of one name, what the decompressor has too), by
 * its size, which no linker changes.
 */
#include "diff.h"

#include <inttypes.h>
#include <string.h>

/* Of a name: */
struct origin {
	struct keep_entry entry;
	const struct keep_entry *directory; /* NULL: several have it */
};

struct reader {
	struct elf_symbol_visitor visitor;
	struct diff_origins *origins;
	const struct elf_file *file;
	const struct keep_entry *directory;
	const char *unit;
	bool is_unit;
	bool adds; /* it is known to be a unit's */
	struct kiln_strbuf key;
};

void diff_origins_init(struct diff_origins *origins)
{
	keep_table_init(&origins->names, sizeof(struct origin));
	keep_table_init(&origins->directories, sizeof(struct keep_entry));
}

void diff_origins_release(struct diff_origins *origins)
{
	keep_table_release(&origins->names);
	keep_table_release(&origins->directories);
}

/* "do_open", "namei.c:do_open"; and with a SIZE "do_open 120". */
static void set_key(struct kiln_strbuf *key, const char *unit, const char *name,
		    const uint64_t *size)
{
	kiln_strbuf_reset(key);
	if (unit)
		kiln_strbuf_addf(key, "%s:", unit);
	kiln_strbuf_adds(key, name);
	if (size)
		kiln_strbuf_addf(key, " %" PRIu64, *size);
}

static void add(struct reader *reader)
{
	const char *name = reader->key.data;
	size_t length = reader->key.length;
	size_t before = reader->origins->names.count;
	struct origin *origin =
		(struct origin *)keep_table_add(&reader->origins->names, name, length);

	if (!origin)
		return;
	if (reader->origins->names.count > before)
		origin->directory = reader->directory;
	else if (origin->directory != reader->directory)
		origin->directory = NULL;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* kbuild makes NAME.o of NAME.c; an object of another name is put together of several. */
static bool is_source_of(const struct elf_file *file, const char *source)
{
	const char *object = base_of(file->path);
	size_t length = strcspn(object, ".");

	source = base_of(source);
	return !strncmp(source, object, length) && source[length] == '.';
}

static void see_symbol(struct elf_symbol_visitor *visitor, const struct elf_symbol *symbol)
{
	struct reader *reader = (struct reader *)(void *)visitor;

	if (symbol->type == STT_FILE && *symbol->name) {
		reader->is_unit &= !reader->unit && is_source_of(reader->file, symbol->name);
		reader->unit = symbol->name;
		return;
	}
	if (!reader->adds || !elf_symbol_is_function(symbol))
		return;
	set_key(&reader->key, symbol->is_local ? reader->unit : NULL, symbol->name, NULL);
	add(reader);
	set_key(&reader->key, symbol->is_local ? reader->unit : NULL, symbol->name, &symbol->size);
	add(reader);
}

enum cli_status diff_origins_read(struct diff_origins *origins, const struct elf_file *file,
				  const char *directory, bool *ret_is_unit)
{
	struct reader reader = {
		.visitor = {see_symbol},
		.origins = origins,
		.file = file,
		.is_unit = true,
		.directory = keep_table_add(&origins->directories, directory, strlen(directory)),
	};
	enum cli_status status;

	if (!reader.directory)
		return cli_no_memory();
	kiln_strbuf_init(&reader.key);
	status = elf_file_symbols(file, &reader.visitor);
	*ret_is_unit = reader.is_unit;
	if (status == CLI_OK && *ret_is_unit) {
		reader.adds = true;
		reader.unit = NULL;
		status = elf_file_symbols(file, &reader.visitor);
	}
	if (status == CLI_OK && (reader.key.failed || origins->names.failed))
		status = cli_no_memory();
	kiln_strbuf_release(&reader.key);
	return status;
}

static const char *find(const struct diff_origins *origins, const struct kiln_strbuf *key)
{
	const struct origin *origin =
		(const struct origin *)keep_table_find(&origins->names, key->data, key->length);

	return origin && origin->directory ? origin->directory->text : NULL;
}

const char *diff_origin(const struct diff_origins *origins, const char *unit, const char *name,
			uint64_t size)
{
	struct kiln_strbuf key;
	const char *directory;

	kiln_strbuf_init(&key);
	set_key(&key, unit, name, NULL);
	directory = find(origins, &key);
	if (!directory) {
		set_key(&key, unit, name, &size);
		directory = find(origins, &key);
	}
	kiln_strbuf_release(&key);
	return directory;
}
