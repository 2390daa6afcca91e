/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes down what GCC inlines, and why not.
 *
 * When, in GCC's order:
 *   the function's own optimizations, callees first  the early inliner takes an edge
 *	of the call graph away once it has put the callee's body in its place
 *   before the IPA pass "inline"  what is left for the IPA inliner to decide on
 *   after it  its decisions: edges marked, the bodies not changed yet
 *   after the RTL pass "final"  a function was put out
 *
 * None of this is registered where no record is wanted.
 */
#ifndef KILN_INLINING_H
#define KILN_INLINING_H

#include "kiln/record.h"

/* RECORD has all functions, each of them passed to inlining_number() already. */
void inlining_begin(struct kiln_record *record);
/* A function's number in the record. */
void inlining_number(tree fndecl, unsigned number);
void inlining_register(const char *plugin_name);

/* The number that a function has or gets in the record. */
unsigned inlining_number_of(tree fndecl);

/*
 * The innermost BLOCK around BLOCK, itself perhaps, that is an inlined body, with the
 * function that it is of as its BLOCK_ABSTRACT_ORIGIN; NULL: there is none.
 */
tree inlining_block_of(tree block);

#endif
