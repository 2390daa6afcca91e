/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `kiln diff`, the command in ../diff.c. Private to kbuild/cli.
 *
 *	build.c		which files a build consists of
 *	functions.c	the functions in an ELF file, and the bytes of their code
 *	sites.c		which of them tracers see
 *	origins.c	in which directory each was compiled
 *	identity.c	what a build is made with: compiler, configuration, policy
 *	config.c	the configuration of a kernel
 *	compare.c	what differs, as sections of a report
 *	kept.c		what became of the functions of a policy that keeps them
 *	records.c	what GCC inlined, and put out, by its records
 *	report.c	a report as text, JSON and CSV
 *
 * Both builds are read into the same tables, in which each function has two sides.
 * Running out of memory is remembered in the table concerned, and asked for once at
 * the end.
 */
#ifndef KILN_DIFF_H
#define KILN_DIFF_H

#include <stdint.h>

#include "../elf-file.h"
#include "../keep/keep.h"

enum diff_side { DIFF_A, DIFF_B, DIFF_SIDES };

/* ---- what is known of the builds ---- */

/* A function of the source: all code under its name. Static ones of one name are one. */
struct diff_function {
	struct keep_entry entry;
	struct {
		uint64_t bytes; /* its clones and parts included */
		size_t symbols; /* all */
		size_t plain;   /* those that have its name alone */
		size_t clones;
		size_t recorded; /* that records tell of as put out */
	} sides[DIFF_SIDES];
};

/* A name as the assembler knows it. */
struct diff_symbol {
	struct keep_entry entry;
	struct diff_function *function;
	const char *clone_kind; /* NULL: it is no clone */
	struct {
		size_t count;
		bool is_traceable;
		bool is_recorded_traceable;
	} sides[DIFF_SIDES];
};

struct diff_directory {
	struct keep_entry entry;
	uint64_t bytes[DIFF_SIDES];
};

/* The stack frame of a unit's function: "fs/namei.o do_open". */
struct diff_frame {
	struct keep_entry entry;
	bool is_known[DIFF_SIDES];
	unsigned long bytes[DIFF_SIDES];
};

/* A unit, by its object's name; "" if the build is a single object. */
struct diff_unit {
	struct keep_entry entry;
	const char *flags[DIFF_SIDES]; /* what steers inlining; NULL: not known */
};

/* How often a call was inlined: "fs/open.o do_sys_open do_sys_openat2". */
struct diff_edge {
	struct keep_entry entry;
	size_t early[DIFF_SIDES], ipa[DIFF_SIDES];
};

/* What a build is made with. An unset one is not known. */
struct diff_identity {
	struct keep_table machines, compilers, notes; /* each that occurs */
	struct kiln_strbuf config;                    /* lines of a .config; "": not known */
};

struct diff {
	const char *paths[DIFF_SIDES]; /* as they were given */
	struct keep_table functions, symbols, directories, frames;
	struct keep_table units, edges, flags; /* what records tell of */
	size_t nr_records[DIFF_SIDES];
	size_t nr_foreign_records[DIFF_SIDES]; /* of other versions */
	uint64_t bytes[DIFF_SIDES];            /* of all functions */
	bool has_sites[DIFF_SIDES];            /* there is a table of what tracers see */
	bool has_origins[DIFF_SIDES];          /* directories are known */
	struct diff_identity identities[DIFF_SIDES];
};

void diff_init(struct diff *diff, const char *const *paths);
void diff_release(struct diff *diff);
bool diff_failed(const struct diff *diff);

/* ---- origins.c ---- */

/* Where the functions of one build were compiled; its text is a directory, or "". */
struct diff_origins {
	struct keep_table names; /* "do_open", "namei.c:do_open", "do_open 120" */
	struct keep_table directories;
};

void diff_origins_init(struct diff_origins *origins);
void diff_origins_release(struct diff_origins *origins);

/*
 * Adds the functions of an object file in DIRECTORY, unless it was put together of
 * several. RET_IS_UNIT: it was not.
 */
enum cli_status diff_origins_read(struct diff_origins *origins, const struct elf_file *file,
				  const char *directory, bool *ret_is_unit);

/*
 * The directory of a function; UNIT is the source as STT_FILE names it, or NULL.
 * NULL: it is not known, or several have such a function.
 */
const char *diff_origin(const struct diff_origins *origins, const char *unit, const char *name,
			uint64_t size);

/* ---- functions.c ---- */

/* Where the file's functions are from. */
struct diff_place {
	enum diff_side side;
	const struct diff_origins *origins; /* or NULL */
	const char *directory;              /* of what the origins do not know; or NULL */
};

/* Adds what the file has to one side. */
enum cli_status diff_read_functions(struct diff *diff, const struct elf_file *file,
				    const struct diff_place *place);

/* The symbol of that name, and its function, made if need be. NULL: no memory. */
struct diff_symbol *diff_add_symbol(struct diff *diff, const char *name);

/* ---- sites.c ---- */

/* Where code is: in a linked file, SECTION is 0. */
struct diff_address {
	size_t section;
	uint64_t value;
};

/* A symbol of a function, where it is in a file. */
struct diff_code {
	struct diff_address at;
	uint64_t size;
	struct diff_symbol *symbol;
	const char *unit; /* its source as STT_FILE names it, or NULL */
	bool is_init;     /* freed after boot: not for tracers */
};

int diff_compare_addresses(const struct diff_address *a, const struct diff_address *b);

/* The addresses where a tracer may hook in. */
struct diff_sites {
	struct diff_address *sites;
	size_t count, capacity;
	bool has_table; /* the file has one, be it empty */
	bool failed;    /* no memory */
};

/* START, STOP: the values of __start_mcount_loc and __stop_mcount_loc in a linked file. */
enum cli_status diff_sites_read(struct diff_sites *sites, const struct elf_file *file,
				uint64_t start, uint64_t stop);
void diff_sites_release(struct diff_sites *sites);

/*
 * Marks the symbols that the sites belong to: of CODE, sorted by address, what
 * covers a site, or begins at most 16 bytes behind it, where
 * -fpatchable-function-entry=N,M puts sites before a function.
 */
void diff_mark_traceable(const struct diff_sites *sites, const struct diff_code *code,
			 size_t nr_code, enum diff_side side);

/* ---- records.c ---- */

/* Adds what the record of UNIT tells. */
enum cli_status diff_read_record(struct diff *diff, enum diff_side side, const char *path,
				 const char *unit);

/* ---- build.c ---- */

/* The frame of that function, made if need be. NULL: no memory. */
struct diff_frame *diff_add_frame(struct diff *diff, const char *unit, const char *name);

/* Reads a kernel, module, object file or build directory. */
enum cli_status diff_read_build(struct diff *diff, enum diff_side side);

/* ---- identity.c ---- */

void diff_identity_init(struct diff_identity *identity);
void diff_identity_release(struct diff_identity *identity);
/* Adds what the file says of compiler, machine, configuration and Kiln. */
enum cli_status diff_identity_read(struct diff_identity *identity, const struct elf_file *file);

/* ---- config.c ---- */

/*
 * Appends the configuration that CONFIG_IKCONFIG puts into a kernel's data; nothing
 * if there is none.
 */
void diff_config_find(const void *data, size_t size, struct kiln_strbuf *ret_config);

/* ---- report.c ---- */

/* Values are texts, or numbers that have a difference. */
struct diff_row {
	const char *name;
	const char *texts[DIFF_SIDES];
	int64_t numbers[DIFF_SIDES];
};

/* Rows of one kind. */
struct diff_section {
	const char *key;   /* "gone" */
	const char *title; /* what the text says above it */
	const char *note;  /* why there is nothing to tell; or NULL */
	bool is_text;
	bool is_complete; /* shown whole whatever --top is */
	struct diff_row *rows;
	size_t nr_rows, capacity;
};

#define DIFF_MAX_SECTIONS 24

struct diff_report {
	const char *paths[DIFF_SIDES];
	struct diff_section sections[DIFF_MAX_SECTIONS];
	size_t nr_sections;
	struct keep_table strings; /* what rows point at and has no other owner */
	size_t top;                /* rows of a section at most; 0: all */
	bool failed;               /* no memory */
};

void diff_report_init(struct diff_report *report, const struct diff *diff);
void diff_report_release(struct diff_report *report);

struct diff_section *diff_add_section(struct diff_report *report, const char *key,
				      const char *title, bool is_text);
/* Strings must live as long as the report: see diff_keep_string(). */
void diff_add_numbers(struct diff_report *report, const char *name, int64_t a, int64_t b);
void diff_add_texts(struct diff_report *report, const char *name, const char *a, const char *b);
const char *diff_keep_string(struct diff_report *report, const char *format, ...) KILN_PRINTF(2, 3);

/* Texts by name; numbers by their change, the largest first. */
void diff_sort(const struct diff_section *section);

void diff_print_text(const struct diff_report *report);
void diff_print_json(const struct diff_report *report);
void diff_print_csv(const struct diff_report *report);

/* ---- compare.c, config.c, kept.c, records.c ---- */

/* Adds all sections. RET_DIFFERS: the builds do, in whatever. */
enum cli_status diff_compare(const struct diff *diff, const struct keep_names *kept,
			     struct diff_report *report, bool *ret_differs);

/* "plain", "cloned", "only clones", "only a part", "absent". */
const char *diff_state(const struct diff_function *function, enum diff_side side);

/* Lines of .config; one without is not known. */
void diff_compare_config(struct diff_report *report, const char *a, const char *b);
/* Adds rows to the report's last section; the others add sections. */
void diff_compare_flags(const struct diff *diff, struct diff_report *report);
void diff_compare_records(const struct diff *diff, struct diff_report *report);
void diff_compare_kept(const struct diff *diff, const struct keep_names *kept,
		       struct diff_report *report);

#endif
