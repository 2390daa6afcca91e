/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record of a compile: what was decided for the unit and for each function,
 * and what GCC made of it.
 *
 * Text, one fact per line, fields separated by tabs, the first names the kind:
 *
 *	kiln-record	2
 *	unit	SOURCE	OBJECT	ARCH
 *	verdict	NUMBER	SETTINGS	each that was given; 0 is the unit's
 *	stamp	DIGEST	of the policy, if the object has a note of it (kiln_policy_digest())
 *	file	PATH	counted from 1
 *	function	NAME	NUMBER	HOW	FILE	SECTION
 *	calls	FUNCTION	GLOB	WORD	a rule for single calls, FUNCTION counted from 0
 *	decisions
 *	...	see decisions.h
 *	end
 *
 * What the policy decides comes first; whoever asks for that alone need not read on.
 *
 * SETTINGS are as a policy spells them, separated by blanks, params last and sorted:
 * GCC does not care for their order. Equal ones have one NUMBER; NUMBERs count up.
 * HOW is letters, or "-" for none: c, the function is copied (struct kiln_function);
 * r, a rule says leave; s, and names a section, which leaves more alone; l, it was
 * left alone, the verdict being that of kiln_decider_left(), and without r because
 * of the call graph, or with m because of asm register variables; a, the source says
 * always_inline. FILE is the number of one, or "-" for the unit's source; SECTION "-"
 * where there is none. Fields at the end of a function's line that would be
 * "0 - - -" are left out. `calls` come after all functions, in the policy's order; WORD
 * is inline or noinline, and there is a function in the unit that GLOB names. SOURCE, OBJECT and ARCH are "-" where they are not known.
 * A tab, a line's end or a backslash within a field is written \t, \n or \\. The
 * same compile gives the same bytes: nothing in it tells of a time, a machine or a
 * directory outside of the tree. The place of a rule in its policy is not in it:
 * an edit that moves rules changes no object, and readers have the policy.
 */
#ifndef KILN_RECORD_H
#define KILN_RECORD_H

#include "base.h"
#include "decide.h"
#include "strbuf.h"

KILN_BEGIN_DECLS

/* What was written once and is named by its number from then on. */
struct kiln_record_text {
	unsigned hash;
	size_t start, length;	/* in the record's text */
};

struct kiln_record_texts {
	struct kiln_record_text *texts;
	size_t nr, capacity;
};

/* A record in the making. */
struct kiln_record {
	struct kiln_strbuf text;	/* `failed`: out of memory */
	const struct kiln_unit *unit;
	unsigned *numbers;		/* by the verdict's own: here, plus 1; 0: not there yet */
	size_t nr_numbers;
	struct kiln_record_texts verdicts, files;
	unsigned nr_functions;	/* and what else decisions.h numbers with them */
	unsigned nr_reasons;
};

/* UNIT and its strings must outlive RECORD; VERDICT is the unit's. */
void kiln_record_begin(struct kiln_record *record, const struct kiln_unit *unit,
		       const struct kiln_verdict *verdict);
/* At once after that, or never. */
void kiln_record_stamp(struct kiln_record *record, const char *digest);

/* What is known of a function besides its verdict. */
struct kiln_record_how {
	const struct kiln_rule *rule;	/* says leave; or NULL */
	bool left;	/* it was left alone */
	bool by_asm;	/* because of asm register variables */
	bool always_inline;	/* its source says so */
};

/* The number that the function has from now on, counted from 0. */
unsigned kiln_record_function(struct kiln_record *record, const struct kiln_function *function,
			      const struct kiln_verdict *verdict,
			      const struct kiln_record_how *how);
/*
 * After the last function: the `call` rules that hold for FUNCTION, a number, if they name
 * one of the unit's functions, which are called NAMES.
 */
void kiln_record_calls(struct kiln_record *record, unsigned function, const struct kiln_calls *calls,
		       const char *const *names, size_t nr_names);
void kiln_record_end(struct kiln_record *record);
void kiln_record_release(struct kiln_record *record);

enum kiln_record_state {
	KILN_RECORD_HOLDS,	/* the policy would decide all the same */
	KILN_RECORD_STALE,	/* it would not */
	KILN_RECORD_BAD,	/* the text is no record of this version, or cut */
};

/*
 * What POLICY says today about the unit and the functions that TEXT (LENGTH
 * bytes, which are changed) tells of. DIGEST is what a stamp should say; NULL: it does
 * not matter. -1: out of memory.
 */
int kiln_record_compare(char *text, size_t length, const struct kiln_policy *policy,
			const char *digest, enum kiln_record_state *ret_state);

struct kiln_decision;

struct kiln_record_visitor {
	/* For the unit (FUNCTION is NULL), then for each function, in the record's order. */
	void (*visit)(struct kiln_record_visitor *visitor, const struct kiln_unit *unit,
		      const struct kiln_function *function, const char *settings, bool left);
	/* After that, for each decision; NULL: they are not wanted, nor looked at. */
	void (*decide)(struct kiln_record_visitor *visitor, const struct kiln_decision *decision);
	/* While a function is visited: HOW, the letters of its line, or "-". */
	const char *how;
	/* With KILN_RECORD_BAD: where (1-based), and what is wrong there. */
	unsigned line;
	const char *why;
};

/*
 * Goes through TEXT as for kiln_record_compare(). SETTINGS are the verdict's, of the
 * function or the unit. RET_STATE is not KILN_RECORD_STALE; with KILN_RECORD_BAD
 * some may have been visited.
 */
int kiln_record_visit(char *text, size_t length, struct kiln_record_visitor *visitor,
		      enum kiln_record_state *ret_state);

KILN_END_DECLS

#endif
