/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second part of a record: what GCC decided, above all what it inlined.
 *
 * Functions have numbers, from 0: those of the `function` lines in their order, then
 * those of `name` lines. A copy of a function inside another one has one too: that
 * of its `inlined` or `within` line. All of these count up in one sequence. Below,
 * F is a function's number, BODY a function's or a copy's.
 *
 *	flags	SETTINGS	what steers inlining and is not as GCC has it at -O2
 *	name	NAME	a function that has no line yet, as the assembler knows it: a clone
 *	clone	F	F	KIND	is a clone of; KIND: constprop, isra, part...
 *	merged	F	F	is the same code as; F itself: as one that is gone
 *	early	BODY	CALL...	inlined by the early inliner
 *	within	BODY	CALL	one of those, in this copy of the function: for what follows
 *	inlined	BODY	CALL	by the IPA inliner, in this copy of the function
 *	reason	REASON	LIMIT	counted from 0
 *	refused	BODY	NUMBER	CALL...	for that reason
 *	ruled	F	F	WORD	WHY	calls of the second in the first, by a rule: inline, noinline
 *	size	F	SIZE	TIME	SIZE	TIME	before and after; after: only what is left
 *	code	F	FRAME	HOW	SECTION	a function that was put out
 *
 * A CALL is CALLEE:LINE, or CALLEE:LINE:GROWTH; CALLs are separated by blanks. LINE is
 * the call's, in the file where the function is that BODY is a copy of; 0: not known.
 * Functions that the source says are always_inline are marked in their `function` line.
 *
 * `early` tells of each function by itself. A copy of it has the same copies inside,
 * so that they are not written again, unless one differs from the others: where something
 * was inlined or refused inside this one alone, there is a `within` line for it.
 *
 * REASON is GCC's own: the name in its enum cgraph_inline_failed_t without CIF_. LIMIT
 * is NAME=VALUE, the param that GCC names as the limit and what it is for this caller,
 * or "-". GROWTH is what GCC estimates, when the inliner is done, that the caller would
 * grow by, in the units of SIZE; its hints may multiply a limit. A call of a function that has no
 * body in the unit is not told of: there is nothing to decide.
 *
 * `ruled` tells of calls that there are: those in the function's source, wherever that was
 * inlined. WHY: the rule cannot hold, for that reason; else it is left out. Calls that
 * are not inlined because of a rule are also `refused`, as FUNCTION_NOT_INLINABLE.
 *
 * SIZE and TIME are GCC's estimates. FRAME is in bytes, what -fstack-usage says. HOW is
 * letters, or "-": t, it has an mcount or patchable site at its entry (tracers see it);
 * c, it has a .cold part; d, the frame is dynamic; b, and bounded. SECTION is "-" for
 * .text; "-" at the end of a line is left out.
 */
#ifndef KILN_DECISIONS_H
#define KILN_DECISIONS_H

#include "record.h"

KILN_BEGIN_DECLS

/* ---- writing: into a record after its last function ---- */

void kiln_record_decisions(struct kiln_record *record);
void kiln_record_flags(struct kiln_record *record, const char *settings);
/* The number that the function has from now on. */
unsigned kiln_record_name(struct kiln_record *record, const char *name);
void kiln_record_clone(struct kiln_record *record, unsigned clone, unsigned origin,
		       const char *kind);
void kiln_record_merged(struct kiln_record *record, unsigned function, unsigned into);

struct kiln_call {
	unsigned callee;
	unsigned line;	/* 0: not known */
	bool has_growth;
	int growth;
};

void kiln_record_early(struct kiln_record *record, unsigned body,
		       const struct kiln_call *calls, size_t nr_calls);
/* The copy's number. EARLY: `within`. */
unsigned kiln_record_copy(struct kiln_record *record, unsigned body,
			  const struct kiln_call *call, bool early);
/* The reason's number. PARAM: the limit, that is VALUE; or NULL. */
unsigned kiln_record_reason(struct kiln_record *record, const char *reason, const char *param,
			    int value);
void kiln_record_refused(struct kiln_record *record, unsigned body, unsigned reason,
			 const struct kiln_call *calls, size_t nr_calls);

/* WHAT: KILN_INLINE or KILN_NOINLINE. WHY: it cannot hold; or NULL. */
void kiln_record_ruled(struct kiln_record *record, unsigned function, unsigned callee,
		       enum kiln_what what, const char *why);

struct kiln_sizes {
	int size, time;
	bool is_left;	/* as a function of its own, with: */
	int size_after, time_after;
};

void kiln_record_size(struct kiln_record *record, unsigned function,
		      const struct kiln_sizes *sizes);

struct kiln_code {
	long frame;	/* bytes; negative: not known, "-" in the record */
	bool traceable, has_cold, is_dynamic, is_bounded;
	const char *section;	/* NULL: .text */
};

void kiln_record_code(struct kiln_record *record, unsigned function,
		      const struct kiln_code *code);

/* ---- reading ---- */

enum kiln_decision_kind {
	KILN_DECIDED_FLAGS,	/* text */
	KILN_DECIDED_NAME,	/* number, text */
	KILN_DECIDED_CLONE,	/* number, other, text: the kind */
	KILN_DECIDED_MERGED,	/* number, other */
	KILN_DECIDED_EARLY,	/* body, call; for each of a line */
	KILN_DECIDED_WITHIN,	/* number: the copy's, body, call */
	KILN_DECIDED_INLINED,	/* as WITHIN */
	KILN_DECIDED_REFUSED,	/* body, call, text: the reason, limit; for each of a line */
	KILN_DECIDED_SIZE,	/* number, sizes */
	KILN_DECIDED_CODE,	/* number, code */
	KILN_DECIDED_RULED,	/* number, other, text: the word, why */
};

/* Strings live as long as the record's text. Numbers are valid: their line has come. */
struct kiln_decision {
	enum kiln_decision_kind kind;
	unsigned number, other, body;
	struct kiln_call call;
	const char *text;
	const char *limit;	/* NAME=VALUE, or NULL */
	const char *why;	/* or NULL */
	struct kiln_sizes sizes;
	struct kiln_code code;
};

KILN_END_DECLS

#endif
