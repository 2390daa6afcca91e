/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What GCC makes of a policy's flags: which exist, which are those of code
 * generation, which CPUs and extensions there are. Faults are reported at the
 * flag's place in the policy, each once.
 */
#ifndef KILN_JUDGE_H
#define KILN_JUDGE_H

#include "kiln/policy.h"

/* A good extension is no option by itself: it changes the value of another one. */
enum flag_state { UNKNOWN_FLAG, GOOD_FLAG, GOOD_EXTENSION, BAD_FLAG, SKIPPED_FLAG };

/* Of one setting. Made when it is first asked for, kept. */
struct flag {
	const struct kiln_setting *setting;
	enum flag_state state;
	struct cl_decoded_option *decoded; /* good for any use; NULL for an extension */
};

/* The flag of SETTING, which is a KILN_FLAG. */
struct flag *judge_flag_of(const struct kiln_setting *setting);

/* The option that TEXT is, for good; NULL: it is an alias for several. */
struct cl_decoded_option *judge_decode(const char *text);

/* For options that GCC skips with `?`: say so. */
void judge_set_verbose(bool verbose);

#endif
