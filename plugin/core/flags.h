/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be said of a GCC flag without asking GCC. Private to the core.
 */
#ifndef KILN_CORE_FLAGS_H
#define KILN_CORE_FLAGS_H

#include "kiln/base.h"

/* What a flag sets, see kiln_flag_same_key. Points into the flag. */
struct kiln_flag_key {
	char family; /* 'f', 'm', 'p' for --param, '+' for extensions, 0 for others */
	const char *name;
	size_t length;
};

struct kiln_flag_key kiln_flag_key(const char *flag);
bool kiln_flag_key_equal(const struct kiln_flag_key *a, const struct kiln_flag_key *b);

/*
 * NULL when FLAG may be a code generation flag (whether it is, GCC knows), else
 * why not: static text that continues a sentence beginning with the flag.
 */
const char *kiln_flag_fault(const char *flag);

/* -m flags and extensions choose a target and hold for a whole unit. */
bool kiln_flag_is_target(const char *flag);

#endif
