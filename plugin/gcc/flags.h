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
 * GCC judges (judge.h), and what values flags take and which of them can differ
 * per function. Faults are reported at the flag's place in the policy.
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
 * Says which lines gave the unit flags of the target: GCC refused some values when
 * it looked at all options together, and knows no place in a policy.
 */
void flags_explain_target(void);

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

#endif
