/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules for single calls: `func CALLER call CALLEE inline` and `noinline`.
 *
 * A call belongs to the function in whose source it stands, wherever that was inlined. One
 * that is not to be inlined is marked as such for both inliners of GCC; one that is to be,
 * is inlined just before the IPA inliner begins, unless the early one did it.
 */
#ifndef KILN_CALLS_H
#define KILN_CALLS_H

#include "kiln/record.h"

/* For a unit whose policy has such rules; STRICT: one that cannot hold is an error. */
void calls_register(const char *plugin_name, bool strict, bool verbose);

/*
 * The call graph is that of the unit: before anything is kept. Not any earlier: a
 * precompiled header brings another symbol table.
 */
void calls_begin(void);

/* Keeps what CALLS, which need not outlive the call, say of the calls in FNDECL's source. */
void calls_keep(tree fndecl, const struct kiln_calls *calls);

/*
 * Tells RECORD of them, once all functions of the unit, called NAMES, have been shown. It gets
 * what becomes of the calls, too.
 */
void calls_record(struct kiln_record *record, const char *const *names, size_t nr_names);

#endif
