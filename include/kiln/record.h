/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The record of a compile: what was decided for the unit and for each function.
 *
 * Text, one fact per line, fields separated by tabs, the first names the kind:
 *
 *	kiln-record	1
 *	unit	SOURCE	OBJECT	ARCH
 *	verdict	NUMBER	SETTINGS	each that was given; 0 is the unit's
 *	stamp	DIGEST	of the policy, if the object has a note of it (kiln_policy_digest())
 *	function	NAME	NUMBER	HOW	FILE	SECTION
 *	end
 *
 * SETTINGS are as a policy spells them, separated by blanks, params last and sorted:
 * GCC does not care for their order. NUMBERs count up. HOW is letters, or "-" for
 * none: c, the function is copied (struct kiln_function); r, a rule says leave; s,
 * and names a section, which leaves more alone; l, it was left alone, the verdict
 * being that of kiln_decider_left(). FILE
 * is "-" where it is the unit's source, SECTION where there is none, SOURCE,
 * OBJECT and ARCH where they are not known. A tab, a line's end or a backslash
 * within a field is written \t, \n or \\. The same compile gives the same bytes:
 * nothing in it tells of a time, a machine or a directory outside of the tree.
 */
#ifndef KILN_RECORD_H
#define KILN_RECORD_H

#include "base.h"
#include "decide.h"
#include "strbuf.h"

KILN_BEGIN_DECLS

/* A record in the making. */
struct kiln_record {
	struct kiln_strbuf text;	/* `failed`: out of memory */
	const struct kiln_unit *unit;
	unsigned *numbers;		/* by the verdict's own: here, plus 1; 0: not there yet */
	size_t nr_numbers;
	unsigned nr_verdicts;
};

/* UNIT and its strings must outlive RECORD; VERDICT is the unit's. */
void kiln_record_begin(struct kiln_record *record, const struct kiln_unit *unit,
		       const struct kiln_verdict *verdict);
/* At once after that, or never. */
void kiln_record_stamp(struct kiln_record *record, const char *digest);
/* LEFT: the function was left alone; RULE says so, or NULL. */
void kiln_record_function(struct kiln_record *record, const struct kiln_function *function,
			  const struct kiln_verdict *verdict, bool left,
			  const struct kiln_rule *rule);
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

/* Called for the unit (FUNCTION is NULL), then for each function, in the record's order. */
struct kiln_record_visitor {
	void (*visit)(struct kiln_record_visitor *visitor, const struct kiln_unit *unit,
		      const struct kiln_function *function, const char *settings, bool left);
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
