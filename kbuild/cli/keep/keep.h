/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `kiln keep`, the command in ../keep.c. Private to kbuild/cli.
 *
 *	tree.c		walks a kernel tree and picks a scanner for each file
 *	file.c		does the same for a file that the user names
 *	scan-c.c	BPF programs, livepatches, BTF lists: C
 *	scan-shell.c	what shell scripts write into tracefs, perf probe; its own
 *			parts are told of in shell.h
 *	scan-probes.c	bpftrace, SystemTap, and the notations of single probes
 *	mentions.c	which names the tree's own source mentions
 *	names.c		the names found, and where
 *	table.c		a hash table of strings
 *	symbols.c	what became of the names in an ELF file
 *
 * Scanners know nothing of files: they take text and add names. They are made
 * for code as people write it, not for every corner of its language: what they
 * do not understand they pass over. Running out of memory is remembered in the
 * table concerned, and asked for once at the end.
 */
#ifndef KILN_KEEP_H
#define KILN_KEEP_H

#include <stdint.h>

#include "../cli.h"

/* ---- table.c ---- */

/* What every entry of a table begins with. */
struct keep_entry {
	const char *text; /* a string of the entry's own */
	size_t length;
	uint32_t hash;
};

/* Strings, each once, with what belongs to each. */
struct keep_table {
	struct keep_entry **slots;
	size_t nr_slots; /* 0 or a power of two */
	size_t count;
	size_t entry_size; /* bytes; the first are a struct keep_entry */
	bool failed;       /* memory ran out: something is missing */
};

void keep_table_init(struct keep_table *table, size_t entry_size);
/* Frees the entries, but not what they point at. */
void keep_table_release(struct keep_table *table);

struct keep_entry *keep_table_find(const struct keep_table *table, const char *text, size_t length);
/* The entry of that text, made with zeros in it if need be. NULL: no memory. */
struct keep_entry *keep_table_add(struct keep_table *table, const char *text, size_t length);
/* All entries in the order of strcmp, and a NULL; for free(). NULL: no memory. */
struct keep_entry **keep_table_sorted(const struct keep_table *table);

/* ---- bytes of names, as C has them: no locale ---- */

static inline bool keep_is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool keep_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* ---- names.c ---- */

/* Bytes that a name in a test has at least. */
#define KEEP_MIN_WORD 3

/* A function's name, or a glob. */
struct keep_name {
	struct keep_entry entry;
	bool is_glob;
	bool is_sure;       /* it counts whether the tree mentions it or not */
	bool is_mentioned;  /* by the tree: mentions.c */
	size_t word_offset; /* what is to be mentioned begins there in the text */
	const struct keep_entry **origins;
	size_t nr_origins;
	size_t origins_capacity;
};

struct keep_names {
	struct keep_table table;   /* of struct keep_name */
	struct keep_table origins; /* the files' names */
};

void keep_names_init(struct keep_names *names);
void keep_names_release(struct keep_names *names);
bool keep_names_failed(const struct keep_names *names);

/* Is it a name when all is read? Else nothing of the kernel's is called so. */
bool keep_name_counts(const struct keep_name *name);

/* What a text is, if not a name. */
enum keep_verdict {
	KEEP_NAME,
	KEEP_NO_NAME,
	KEEP_ANY_NAME, /* a glob without a letter, such as "*" */
};

/* A name without its clone's suffix ("f.isra.0" is f): its length. */
size_t keep_name_length(const char *text, size_t length);

struct keep_vars;

/* Where names come from and go to. */
struct keep_source {
	struct keep_names *names;
	const char *origin; /* the file, as the output names it */
	const char *path;   /* the same as messages name it; of use with a sink */
	/*
	 * One of a kernel's tests: they name much that is no function, so that
	 * only names count which the kernel's source mentions as functions, and
	 * they use some globs only to see that globs work. Others always count.
	 */
	bool is_test;
	const struct keep_vars *vars; /* shell variables set elsewhere, or NULL */
	struct kiln_sink *sink;       /* for faults in lists; NULL with a tree */
};

/*
 * Adds what TEXT names if it can be a function's name or a glob of such names;
 * a test's glob only as `abcd*` with at least four bytes before the star, and a
 * test's name only with a small letter, and three bytes, in it. PREFIX is put
 * before the name; it is TEXT that must be mentioned, if only as a word.
 */
enum keep_verdict keep_add(const struct keep_source *source, const char *text, size_t length);
enum keep_verdict keep_add_prefixed(const struct keep_source *source, const char *prefix,
				    const char *text, size_t length);

/* ---- scanners: TEXT has a NUL after its LENGTH bytes, and perhaps others ---- */

/* Which of the C scanner's anchors count. */
enum keep_c_part {
	KEEP_C_KERNEL = 1,   /* BTF_ID(), ALLOW_ERROR_INJECTION(), __bpf_kfunc */
	KEEP_C_STRUCTS = 2,  /* .symbol_name, .old_name, register_fprobe() */
	KEEP_C_PROGRAMS = 4, /* SEC(), libbpf's calls */
};

void keep_scan_c(const struct keep_source *source, unsigned parts, const char *text, size_t length);

#define KEEP_C_MAX_ANCHORS 32
/* The words that keep_scan_c() looks for with PARTS, and a NULL. */
void keep_c_anchors(unsigned parts, const char *ret_words[KEEP_C_MAX_ANCHORS]);

void keep_scan_shell(const struct keep_source *source, const char *text, size_t length);
/* The variables that a script sets, for others that read it; NULL: no memory. */
struct keep_vars *keep_shell_vars(const char *text, size_t length);
void keep_vars_free(struct keep_vars *vars);

void keep_scan_bpftrace(const struct keep_source *source, const char *text, size_t length);
void keep_scan_systemtap(const struct keep_source *source, const char *text, size_t length);

/* Definitions as kprobe_events takes them, one a line: "p:group/event name+4 arguments". */
void keep_scan_definition(const struct keep_source *source, const char *text);
/* Words that set_ftrace_filter takes: "name:command", "!glob". */
void keep_scan_filter(const struct keep_source *source, const char *text);
/* A definition as perf probe takes it: "event=name@file.c:3 arguments". */
void keep_scan_perf(const struct keep_source *source, const char *text);

/* Lines of names; what is none is said to the source's sink. */
void keep_scan_list(const struct keep_source *source, const char *text, size_t length);

/* ---- mentions.c ---- */

struct keep_mentions;

/* For the names there are now; ANCHORS are words to tell about. NULL: no memory. */
struct keep_mentions *keep_mentions_new(const struct keep_names *names, const char *const *anchors);
void keep_mentions_free(struct keep_mentions *mentions);

/* What a text tells of names besides its anchors. */
enum keep_note {
	KEEP_NOTE_NOTHING,
	KEEP_NOTE_CALLS, /* C: a function's name has a parenthesis after it somewhere */
	KEEP_NOTE_ALL,   /* assembly */
};

/* Reads a text. True: an anchor is in it. */
bool keep_mentions_read(struct keep_mentions *mentions, const char *text, size_t length,
			enum keep_note note);

/* Marks the names that were mentioned, and globs that match a few of them. False: no memory. */
bool keep_mentions_mark(const struct keep_mentions *mentions, struct keep_names *names);

/* ---- tree.c, file.c, symbols.c: faults are said ---- */

/* Adds the names that the kernel tree at ROOT relies on. */
enum cli_status keep_read_tree(const char *root, struct keep_names *names);
/* Appends the version of the kernel tree at ROOT to RET_VERSION: "6.12.1". */
enum cli_status keep_tree_version(const char *root, struct kiln_strbuf *ret_version);

/* Adds the names of a file, or of a built-in policy. */
enum cli_status keep_read_file(const char *path, struct keep_names *names);

/*
 * Scans a file of a tree's tests if it is of a kind that is known, by the end of
 * its name or by its "#!" line.
 */
void keep_scan_test(const struct keep_source *source, const char *text, size_t length);

/* Does TEXT end in END, and have more before it? */
bool keep_ends_in(const char *text, const char *end);

/* What PATH is called in the output: an absolute path would be of this machine. */
const char *keep_origin(const char *path);

/*
 * Tells on stdout what the ELF file PATH has of the names; with PLAIN, of those
 * that are functions in that file, which then have to be there.
 */
enum cli_status keep_check_symbols(const struct keep_names *names, const char *path,
				   const char *plain);

#endif
