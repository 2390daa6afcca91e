// SPDX-License-Identifier: GPL-2.0-or-later
#include "elf-file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The section that makes an object file a kernel module. */
#define MODULE_SECTION ".gnu.linkonce.this_module"

/* What GCC has in an object file without code: its functions are made when it is linked. */
#define SLIM_SYMBOL "__gnu_lto_slim"

/* What GCC puts after the name of a clone, after a dot and with one behind it. */
static const char *const clone_kinds[] = {"constprop", "isra", "lto_priv", "part"};

enum cli_status elf_file_damaged(const struct elf_file *file, const char *what)
{
	int error = elf_errno();

	return cli_trouble("'%s' is damaged: %s%s%s", file->path, what, error ? ": " : "",
			   error ? elf_errmsg(error) : "");
}

/* ---- sections ---- */

const char *elf_section_name(const struct elf_file *file, const GElf_Shdr *header)
{
	size_t strings;
	const char *name;

	if (elf_getshdrstrndx(file->elf, &strings))
		return "";
	name = elf_strptr(file->elf, strings, header->sh_name);
	return name ? name : "";
}

Elf_Scn *elf_next_section(const struct elf_file *file, const char *name, Elf_Scn *previous,
			  GElf_Shdr *ret_header)
{
	while ((previous = elf_nextscn(file->elf, previous))) {
		GElf_Shdr header;

		if (!gelf_getshdr(previous, &header) ||
		    strcmp(elf_section_name(file, &header), name))
			continue;
		*ret_header = header;
		return previous;
	}
	return NULL;
}

/* ---- files ---- */

static enum cli_status begin(struct elf_file *file)
{
	GElf_Shdr header;

	elf_version(EV_CURRENT);
	file->elf = elf_begin(file->fd, ELF_C_READ, NULL);
	if (!file->elf || elf_kind(file->elf) != ELF_K_ELF)
		return cli_trouble("'%s' is no ELF file", file->path);
	if (!gelf_getehdr(file->elf, &file->header))
		return elf_file_damaged(file, "its header cannot be read");
	file->is_module = elf_next_section(file, MODULE_SECTION, NULL, &header) != NULL;
	file->is_object = file->header.e_type == ET_REL && !file->is_module;
	return CLI_OK;
}

enum cli_status elf_file_open(struct elf_file *file, const char *path)
{
	enum cli_status status;

	*file = (struct elf_file){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC)};
	if (file->fd < 0)
		return cli_trouble("'%s' cannot be read: %s", path, strerror(errno));
	status = begin(file);
	if (status != CLI_OK)
		elf_file_close(file);
	return status;
}

void elf_file_close(struct elf_file *file)
{
	elf_end(file->elf);
	close(file->fd);
}

/* ---- symbols ---- */

const char *elf_clone_kind(const char *suffix)
{
	const char *kind = NULL;

	if (strstr(suffix, ".cold"))
		return NULL;
	while ((suffix = strchr(suffix, '.'))) {
		suffix++;
		for (size_t i = 0; i < sizeof(clone_kinds) / sizeof(clone_kinds[0]); i++) {
			size_t length = strlen(clone_kinds[i]);

			if (!strncmp(suffix, clone_kinds[i], length) && suffix[length] == '.')
				kind = clone_kinds[i];
		}
	}
	return kind;
}

bool elf_symbol_is_function(const struct elf_symbol *symbol)
{
	return symbol->is_defined && (symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC);
}

bool elf_symbol_is_padding(const char *name)
{
	return !strncmp(name, "__pfx_", 6) || !strncmp(name, "__cfi_", 6);
}

/* A symbol table, and what belongs to it. */
struct table {
	const struct elf_file *file;
	Elf_Data *data;
	Elf_Data *indices; /* the sections' numbers where they are large; or NULL */
	size_t strings;
	size_t count;
};

/* The numbers that belong to the symbol table of the section TABLE. */
static Elf_Data *find_indices(const struct elf_file *file, size_t table)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB_SHNDX &&
		    header.sh_link == table)
			return elf_getdata(section, NULL);
	}
	return NULL;
}

static enum cli_status read_symbol(const struct table *table, int index,
				   struct elf_symbol *ret_symbol)
{
	Elf32_Word large = 0;
	GElf_Sym symbol;
	const char *name;

	if (!gelf_getsymshndx(table->data, table->indices, index, &symbol, &large))
		return elf_file_damaged(table->file, "a symbol is missing");
	name = elf_strptr(table->file->elf, table->strings, symbol.st_name);
	if (!name)
		return elf_file_damaged(table->file, "a symbol has no name");
	*ret_symbol = (struct elf_symbol){
		.name = name,
		.type = GELF_ST_TYPE(symbol.st_info),
		.is_local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL,
		.is_defined = symbol.st_shndx != SHN_UNDEF,
		.section = symbol.st_shndx == SHN_XINDEX ? large : symbol.st_shndx,
		.value = symbol.st_value,
		.size = symbol.st_size,
	};
	return CLI_OK;
}

static enum cli_status read_symbols(const struct table *table, struct elf_symbol_visitor *visitor,
				    bool *ret_is_slim)
{
	if (!table->data || table->count > INT32_MAX)
		return elf_file_damaged(table->file, "its symbol table cannot be read");
	for (size_t i = 0; i < table->count; i++) {
		struct elf_symbol symbol;
		enum cli_status status = read_symbol(table, (int)i, &symbol);

		if (status != CLI_OK)
			return status;
		if (!strcmp(symbol.name, SLIM_SYMBOL))
			*ret_is_slim = true;
		visitor->see(visitor, &symbol);
	}
	return CLI_OK;
}

static enum cli_status read_table(const struct elf_file *file, Elf_Scn *section,
				  const GElf_Shdr *header, struct elf_symbol_visitor *visitor,
				  bool *ret_is_slim)
{
	struct table table = {
		.file = file,
		.data = elf_getdata(section, NULL),
		.indices = find_indices(file, elf_ndxscn(section)),
		.strings = header->sh_link,
		.count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0,
	};

	return read_symbols(&table, visitor, ret_is_slim);
}

enum cli_status elf_file_symbols(const struct elf_file *file, struct elf_symbol_visitor *visitor)
{
	bool has_symbols = false, is_slim = false;
	enum cli_status status = CLI_OK;
	Elf_Scn *section = NULL;

	while (status == CLI_OK && (section = elf_nextscn(file->elf, section))) {
		GElf_Shdr header;

		if (!gelf_getshdr(section, &header))
			return elf_file_damaged(file, "a section's header cannot be read");
		if (header.sh_type != SHT_SYMTAB)
			continue;
		has_symbols = true;
		status = read_table(file, section, &header, visitor, &is_slim);
	}
	if (status == CLI_OK && !has_symbols)
		return cli_trouble("'%s' has no symbol table: it was stripped, or is damaged",
				   file->path);
	if (status == CLI_OK && is_slim)
		return cli_trouble("'%s' has intermediate code of -flto instead of functions: "
				   "check the kernel or module that is linked from it",
				   file->path);
	return status;
}
