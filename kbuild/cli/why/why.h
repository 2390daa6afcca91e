/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `kiln why`, the command in ../why.c. Private to kbuild/cli.
 *
 *	names.c		which functions the user means
 *	rules.c		the settings of a function, and which lines of the policy say so
 *	caller.c	what was inlined into one function, and what was refused
 *	paths.c		all ways by which one function is, or could be, in another
 *	advice.c	what decided, and the rule that would have it otherwise
 */
#ifndef KILN_WHY_H
#define KILN_WHY_H

#include "../keep/keep.h"
#include "../records/records.h"

/* ---- names.c ---- */

/* "NAME" or "FILE:NAME". */
struct why_name {
	const char *given;
	const char *file; /* not a string: LENGTH bytes; NULL: in any */
	size_t file_length;
	const char *name;
};

enum cli_status why_parse_name(const char *given, bool with_file, struct why_name *ret_name);

/* The function itself or, where the name has no such suffix, a clone of it. */
bool why_is_named(const struct records_unit *unit, unsigned function, const char *name);

/* The same, and the unit or the function's file is the one that was named. */
bool why_is_meant(const struct records_unit *unit, unsigned function, const struct why_name *name);

/* Says that there is no such function, with the nearest name that BUILD has. */
enum cli_status why_unknown(struct records_build *build, const char *name);

/* ---- rules.c ---- */

struct why_policy {
	struct kiln_policy *cpu, *policy; /* policy NULL: there is none */
};

/*
 * The policy called NAME; if that is NULL the one that `kiln make` left in the build, if it
 * can be read. With a NAME, faults are said.
 */
enum cli_status why_policy_load(struct why_policy *policy, const char *name, bool no_guard,
				const struct records_build *build);
void why_policy_release(struct why_policy *policy);

/* Prints the settings that hold for the function, and their lines. False: no memory. */
bool why_print_settings(const struct why_policy *policy, const struct records_unit *unit,
			unsigned function);

/* Appends the place of the line that keeps the function out of others, or nothing. */
void why_add_keeper(const struct why_policy *policy, const struct records_unit *unit,
		    unsigned function, struct kiln_strbuf *sb);

/* ---- advice.c ---- */

/* "by the early inliner", "by the IPA inliner" or "always_inline", of a call that was inlined. */
const char *why_when(const struct records_unit *unit, const struct records_call *call);

/* "MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15, estimated growth 41" */
void why_add_reason(struct kiln_strbuf *sb, const struct records_call *call);

/*
 * Appends lines, each after INDENT, about a refused call: what decided, and the rule that
 * would have it inlined.
 */
void why_add_advice(struct kiln_strbuf *sb, const char *indent, const struct why_policy *policy,
		    const struct records_unit *unit, const struct records_call *call);

/* The same for a call that was inlined, and how to keep it out. */
void why_add_way_out(struct kiln_strbuf *sb, const char *indent, const struct records_unit *unit,
		     const struct records_call *call);

/* ---- caller.c, paths.c: print on stdout ---- */

/* The name of the function itself, also of a clone. */
const char *why_name_of(const struct records_unit *unit, unsigned function);

/* "fs/open.c:12": where the call stands. */
void why_add_place(struct kiln_strbuf *sb, const struct records_unit *unit,
		   const struct records_call *call);

/* Has the unit anything to tell of the function but its verdict? */
bool why_is_used(const struct records_unit *unit, unsigned function);

/* False: no memory. */
bool why_print_caller(const struct why_policy *policy, const struct records_unit *unit,
		      unsigned function);

/* RET_FOUND: there was one. False: no memory. */
bool why_print_paths(const struct why_policy *policy, const struct records_unit *unit,
		     unsigned caller, const char *callee, bool *ret_found);

#endif
