/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Applies the flags of a policy through GCC's own option machinery.
 *
 * A flag of unit scope is handled exactly as if it stood at the end of the
 * command line, before GCC's option override hooks run. A flag of function
 * scope goes into an optimization node of its own, built from the options that
 * hold for that function anyway; nothing but what the flag sets differs. Never
 * through the `optimize` attribute, which keeps a function from being inlined
 * and drops other flags.
 *
 * GCC judges: which flags exist, what values they take, which of them can
 * differ per function. Faults are reported at the flag's place in the policy.
 */
#ifndef KILN_FLAGS_H
#define KILN_FLAGS_H

#include "kiln/decide.h"

/*
 * Handles the unit's flags. Called once, from plugin_init. Reports through
 * diag.h.
 */
void flags_apply_unit(const struct kiln_verdict *unit);

/*
 * The optimization node for a function with VERDICT; UNIT is the unit's
 * verdict. BASE is the node that the source gave the function (through an
 * attribute or a pragma), or NULL. NULL when BASE is as good.
 */
tree flags_node(const struct kiln_verdict *verdict, tree base);

/*
 * Do the flags in which VERDICT differs from the unit's do nothing before the
 * IPA passes? True of --param: those are read by optimization passes alone
 * (but for logical-op-non-short-circuit, which folding reads).
 */
bool flags_wait_for_ipa(const struct kiln_verdict *verdict);

/* Lets GCC judge every flag of RULE without applying it. */
void flags_check(const struct kiln_rule *rule);

/*
 * Rewrites GCC's saved command line as if the unit's flags had been given in
 * place of `-fplugin=.../BASE_NAME.so` and its arguments. It is what
 * DW_AT_producer and -frecord-gcc-switches show: the flags that made the
 * object, and not where a plugin lies on some machine. Called once.
 */
void flags_rewrite_command_line(const char *base_name, const char *full_name);

/* For options that GCC skips with `?`: say so. */
void flags_set_verbose(bool verbose);

#endif
