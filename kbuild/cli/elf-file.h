/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ELF files as several subcommands read them: kernels, modules, object files, of
 * any architecture and compiler. Private to kbuild/cli.
 *
 * Files may be cut or damaged. Faults are said with the file's name, and nothing
 * of a file is believed that libelf has not checked.
 */
#ifndef KILN_ELF_FILE_H
#define KILN_ELF_FILE_H

#include <gelf.h>

#include "cli.h"

struct elf_file {
	const char *path; /* as messages name it; the caller's */
	int fd;
	Elf *elf;
	GElf_Ehdr header;
	bool is_object; /* not linked: most functions are elsewhere */
	bool is_module; /* a kernel module: an object file for libelf, and yet linked */
};

/* The path must live as long as the file. Nothing is to be closed unless CLI_OK. */
enum cli_status elf_file_open(struct elf_file *file, const char *path);
void elf_file_close(struct elf_file *file);

/* Says WHAT is wrong with the file, and libelf's reason if there is one. */
enum cli_status elf_file_damaged(const struct elf_file *file, const char *what);

/* ---- sections ---- */

/* "" if it has none. */
const char *elf_section_name(const struct elf_file *file, const GElf_Shdr *header);

/* The next one after PREVIOUS (NULL: the first) of that name; NULL: no more. */
Elf_Scn *elf_next_section(const struct elf_file *file, const char *name, Elf_Scn *previous,
			  GElf_Shdr *ret_header);

/* ---- symbols ---- */

struct elf_symbol {
	const char *name;
	unsigned type; /* STT_FUNC ... */
	bool is_local;
	bool is_defined;
	size_t section; /* its number; SHN_ABS and the like where it is in none */
	GElf_Addr value;
	GElf_Xword size;
};

/* Is it a function that is defined here? */
bool elf_symbol_is_function(const struct elf_symbol *symbol);

/* A function's padding or hash for control flow integrity: a symbol that is no function. */
bool elf_symbol_is_padding(const char *name);

struct elf_symbol_visitor {
	void (*see)(struct elf_symbol_visitor *visitor, const struct elf_symbol *symbol);
};

/* In the table's order. A file that has no functions to tell of because of -flto is refused. */
enum cli_status elf_file_symbols(const struct elf_file *file, struct elf_symbol_visitor *visitor);

/*
 * What GCC's interprocedural passes made, by the SUFFIX of its name: "constprop" for
 * ".constprop.0" or ".isra.0.constprop.1". NULL: it is no clone; ".cold" is a part of
 * the function itself.
 */
const char *elf_clone_kind(const char *suffix);

#endif
