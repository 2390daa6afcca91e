/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The records of a build, as several subcommands read them: include/kiln/record.h and
 * decisions.h tell the format. Private to kbuild/cli.
 *
 *	build.c		which records a build has, and which it should have
 *	unit.c		what one of them says
 *	reasons.c	GCC's reasons not to inline, for people
 *
 * One unit is in memory at a time. What is told of it lives as long as that.
 */
#ifndef KILN_RECORDS_H
#define KILN_RECORDS_H

#include "../cli.h"
#include "kiln/decisions.h"

/* ---- unit.c ---- */

/*
 * What has a number in the record, which is its place in the unit's array: a function, or
 * a copy of one inside another body.
 */
struct records_body {
	unsigned function; /* the function that it is, or is a copy of */
	unsigned outer; /* the body that the copy is in, a smaller number; of a function: itself */
	unsigned root;  /* the function that all of this is in; itself */
	/*
	 * The function that the IPA inliner took it to be of: a copy of the early inliner's
	 * belongs to what is around it. Its params are the limits for calls in the body.
	 */
	unsigned caller;
	unsigned line;  /* of the call that the copy is there for */
	bool is_within; /* a copy that the early inliner made: its call is one of `early` */

	/* Of functions alone. */
	const char *name;     /* as the assembler knows it */
	const char *file;     /* that defines it; NULL: not known, a clone for one */
	const char *section;  /* that the source asks for, or NULL */
	const char *settings; /* its verdict; NULL: it has no `function` line */
	const char *how;      /* the letters of that line, or "-" */
	bool is_left, is_copied;
	unsigned origin;        /* what it is a clone of; itself: it is none */
	const char *clone_kind; /* NULL: it is none */
	bool is_merged;
	unsigned twin; /* the same code, then */
	bool has_sizes, has_code;
	struct kiln_sizes sizes;
	struct kiln_code code;
};

enum records_fate {
	RECORDS_EARLY,   /* inlined by the early inliner */
	RECORDS_IPA,     /* by the IPA inliner */
	RECORDS_REFUSED, /* not inlined */
};

struct records_call {
	enum records_fate fate;
	unsigned body; /* where the call stands */
	unsigned copy; /* RECORDS_IPA: the body that took its place */
	struct kiln_call call;
	const char *reason; /* RECORDS_REFUSED: GCC's name of it */
	const char *limit;  /* NAME=VALUE, or NULL */
};

/* What a rule for single calls says of those of one function in another one's source. */
struct records_ruled {
	unsigned caller, callee; /* functions */
	const char *word;	 /* "inline", "noinline" */
	const char *why;	 /* it cannot hold; or NULL */
};

struct records_unit {
	struct kiln_strbuf text; /* changed by reading: all strings are in it */
	struct kiln_unit unit;
	const char *name;     /* its source, or as near as is known */
	const char *object;   /* what it is a record of, below the build */
	const char *settings; /* the unit's own verdict; "": nothing, or not known */
	const char *flags;    /* what steers inlining; NULL: not known */
	struct records_body *bodies;
	size_t nr_bodies, bodies_capacity;
	struct records_call *calls; /* in the record's order */
	size_t nr_calls, calls_capacity;
	struct records_ruled *ruled;
	size_t nr_ruled, ruled_capacity;
};

void records_unit_init(struct records_unit *unit);
void records_unit_release(struct records_unit *unit);

/* Where a record is bad. */
struct records_fault {
	unsigned line;   /* 1-based */
	const char *why; /* NULL: it is not */
};

/* Reads what is in the unit's text. -1: out of memory. */
int records_unit_read(struct records_unit *unit, struct records_fault *ret_fault);

/* Does the source say that the function is always_inline? */
bool records_is_always_inline(const struct records_body *function);

/* The function itself, of a clone of a clone... of it. */
unsigned records_origin(const struct records_unit *unit, unsigned function);
const struct records_body *records_source(const struct records_unit *unit, unsigned function);

/* The rule, or NULL, for what CALL is: a call of its callee in the source of its body. */
const struct records_ruled *records_rule_of(const struct records_unit *unit,
					    const struct records_call *call);

/* Has a verdict the word? Words are separated by blanks. */
bool records_has_word(const char *settings, const char *word);

/* ---- reasons.c ---- */

/* What GCC's reason of that name means, without a full stop; NULL: it is a new one. */
const char *records_reason_sentence(const char *name);

/* ---- build.c: faults are said ---- */

struct records_file {
	char *path;   /* of the record */
	char *object; /* of what it is a record of, below the build */
};

struct records_build {
	const char *path;           /* as it was given */
	struct records_file *files; /* sorted by path */
	size_t nr_files, capacity;
	char *root; /* the directory that was looked at; NULL: the build is a single object */
	size_t nr_missing; /* objects made with the plugin of which there is no record */
	size_t nr_units;   /* that were read */
	size_t nr_damaged; /* of which the record could not be */
	bool is_quiet;     /* what is damaged was said before */
};

/*
 * Finds the records of a build: PATH is its directory, or an object. Records without an
 * object are left out. That there is none is an error. Must be released in any case.
 */
enum cli_status records_find(struct records_build *build, const char *path);
void records_release(struct records_build *build);

struct records_reader {
	/* For each unit in the order of their paths. */
	enum cli_status (*see)(struct records_reader *reader, const struct records_unit *unit);
};

/*
 * Shows every unit to READER, until it fails. A bad record is said, counted and left out:
 * CLI_OK does not mean that there was none.
 */
enum cli_status records_read(struct records_build *build, struct records_reader *reader);

/* "BUILD: 42 units; of 3 objects ..." */
void records_say_gaps(const struct records_build *build);

#endif
