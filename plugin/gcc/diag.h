/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages to the user of the compiler.
 *
 * Kiln's own go to stderr as "PATH:LINE:COLUMN: warning: TEXT". They do not
 * pass through GCC's diagnostics, because -Werror would turn a warning of the
 * plugin into a failed build. Errors are counted, and diag_finish() tells GCC
 * once, so that the compile fails.
 */
#ifndef KILN_DIAG_H
#define KILN_DIAG_H

#include "kiln/err.h"
#include "kiln/policy.h"

/* For the core. Warnings become errors when STRICT. */
struct kiln_sink *diag_sink(void);
void diag_set_strict(bool strict);

/* A message about a setting of the policy: at its line and column. */
void diag_setting(enum kiln_severity severity, const struct kiln_setting *setting,
		  const char *format, ...) KILN_PRINTF(3, 4);

/* A message about no file. */
void diag_plain(enum kiln_severity severity, const char *format, ...) KILN_PRINTF(2, 3);

/*
 * Between these two, what GCC itself reports (about an option's value, say) is
 * printed at SETTING's place in the policy instead of "cc1:".
 */
void diag_gcc_begin(const struct kiln_setting *setting);
void diag_gcc_end(void);

/* Errors so far, GCC's between begin and end included. */
unsigned diag_errors(void);

/* Tells GCC about the errors so far, if there are any. */
void diag_finish(void);

#endif
