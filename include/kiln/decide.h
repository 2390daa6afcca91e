/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides which settings hold for a unit and for each function of it, and
 * which line of the policy said so.
 *
 * The rules that match are taken in policy order:
 *   - a flag replaces an earlier flag of the same key (kiln_flag_same_key); an
 *     optional one ("?-fx") comes after it, for a GCC that knows it;
 *   - `inline` undoes keep and noinline, keep and noinline undo `inline`,
 *     noinline does not weaken keep;
 *   - `default` undoes everything before it, `leave` included;
 *   - under `leave` only settings of `force` rules and `keep` are left.
 * `call` rules are asked for by themselves.
 *
 * The answer for a function of a unit is complete: it holds the unit's flags
 * too unless a rule took them away, so that what must change for the function
 * is the difference between its verdict and the unit's.
 */
#ifndef KILN_DECIDE_H
#define KILN_DECIDE_H

#include "arch.h"
#include "base.h"
#include "policy.h"

KILN_BEGIN_DECLS

/* Tree paths, see treepath.h. All strings outlive the decider. */
struct kiln_unit {
	const struct kiln_arch *arch;	/* NULL: unknown, no `on` rule holds */
	const char *source;	/* fs/open.c; NULL: unknown */
	const char *object;	/* fs/open.o; NULL: unknown */
};

/* One function definition; the strings need to live only during the call. */
struct kiln_function {
	const char *name;
	const char *file;	/* tree path of the definition, NULL: as the unit's */
	const char *section;	/* NULL: none was asked for */
	/*
	 * Declared inline in a header, or extern inline: each unit that calls
	 * it has a copy of its own, or none. There is no one function to keep,
	 * so keep holds only where a rule says `force`.
	 */
	bool is_copied;
};

struct kiln_verdict {
	/* The flags that hold, in policy order, already merged. */
	const struct kiln_setting *const *flags;
	size_t nr_flags;
	/* The line that says so, or NULL. inlined: KILN_INLINE. */
	const struct kiln_setting *keep;
	const struct kiln_setting *noinline;
	const struct kiln_setting *inlined;
	const struct kiln_setting *leave;
	/*
	 * Same number: same flags and the same four lines, in answers of one
	 * decider. The unit's verdict is number 0.
	 */
	unsigned number;
};

/*
 * Do all places of RULE hold for FUNCTION in UNIT (NULL: for the unit itself)?
 * What the rule asks of a `call` is left out. This is for explaining; a decider
 * answers for a whole policy without asking each rule.
 */
bool kiln_rule_holds(const struct kiln_rule *rule, const struct kiln_unit *unit,
		     const struct kiln_function *function);

/* Do the `on` places of RULE hold for ARCH (NULL: unknown, and none does)? */
bool kiln_rule_is_for(const struct kiln_rule *rule, const struct kiln_arch *arch);

struct kiln_decider;

/*
 * Picks the rules that can concern UNIT. POLICY and UNIT's strings must outlive
 * the decider. NULL: out of memory. Takes a few dozen instructions per rule of
 * the policy; a question then looks only at the rules whose literal name, file
 * or section is the function's, and at those with wildcards there.
 */
struct kiln_decider *kiln_decider_new(const struct kiln_policy *policy,
				      const struct kiln_unit *unit);
void kiln_decider_free(struct kiln_decider *decider);

/*
 * What holds for the unit: rules of unit scope whose places hold for its
 * source or object path. keep, noinline and inlined are reported too, since
 * `file x keep` means every function of x. The verdict's arrays belong to the
 * decider and live as long as it does.
 */
const struct kiln_verdict *kiln_decider_unit(struct kiln_decider *decider);

/*
 * What holds for FUNCTION. The answer lives as long as the decider; equal
 * answers are the same object. NULL: out of memory.
 *
 * A rule of unit scope that matches only the file where the function is
 * defined, not the unit, counts here too: the settings of such a rule have
 * function scope for this function.
 */
const struct kiln_verdict *kiln_decider_function(struct kiln_decider *decider,
						 const struct kiln_function *function);

/*
 * The answer for FUNCTION had a `leave` line stood at the end of the policy:
 * for functions that are recognized as untouchable by other means.
 */
const struct kiln_verdict *kiln_decider_left(struct kiln_decider *decider,
					     const struct kiln_function *function);

/*
 * Can any function of the unit have another verdict than the unit itself? A
 * unit's keep makes it so: it does not hold for functions that are copied.
 */
bool kiln_decider_has_function_rules(const struct kiln_decider *decider);

/* How many `call` rules there are for the unit's architecture. */
size_t kiln_decider_nr_call_rules(const struct kiln_decider *decider);

/* The `call` rules that hold for the calls in one function, in policy order. */
struct kiln_calls {
	const struct kiln_rule *const *rules;
	size_t nr_rules;
};

/*
 * Those of FUNCTION. A rule for which `default` came later does not hold; in a function
 * that is LEFT alone those of `force` do. The array lives until the next question about
 * calls. -1: out of memory.
 */
int kiln_decider_calls(struct kiln_decider *decider, const struct kiln_function *function, bool left,
		       struct kiln_calls *ret_calls);

/* What they say of calls of CALLEE: KILN_INLINE or KILN_NOINLINE, the last one; NULL: nothing. */
const struct kiln_setting *kiln_calls_find(const struct kiln_calls *calls, const char *callee);

/* The glob after `call`; NULL: it is no such rule. */
const char *kiln_call_rule_callee(const struct kiln_rule *rule);

KILN_END_DECLS

#endif
