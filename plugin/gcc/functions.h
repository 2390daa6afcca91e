/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gives each function definition what the policy says for it.
 *
 * When, in GCC's order:
 *   PLUGIN_START_PARSE_FUNCTION  a definition begins. Its attributes are not applied
 *	yet, and if there was a prototype, that declaration will take its place.
 *   targetm.set_current_function  for the first time after that: the declaration is
 *	final, its attributes are known, the body is not read. Only functions with
 *	-f flags of their own get them now, because the front end reads some of
 *	those; GCC changes its options twice for each such function.
 *   PLUGIN_FINISH_DECL  a local declaration: the asm register guard looks here.
 *   PLUGIN_ALL_IPA_PASSES_START  the call graph stands, nothing is inlined yet,
 *	and of the thousands of inline functions from headers only those are left
 *	that something calls. Everything else is done here.
 */
#ifndef KILN_FUNCTIONS_H
#define KILN_FUNCTIONS_H

#include "kiln/record.h"

struct functions_config {
	struct kiln_decider *decider;
	bool guard_asm_registers;
	bool has_f_flags;	/* some rule sets a flag that is not a --param */
	bool strict;	/* what cannot hold is an error */
	bool verbose;	/* say what was done */
	struct kiln_record *record;	/* gets every function; NULL: none is wanted */
};

/* Registers the callbacks that CONFIG needs: none for a unit without rules. */
void functions_register(const char *plugin_name, const struct functions_config *config);

/* Has the call graph stood? Not with -E or -fsyntax-only, nor after an error. */
bool functions_were_seen(void);

#endif
