/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Glob patterns over paths and names, as .gitattributes and fnmatch have them:
 *
 *	?	one byte, but not '/'
 *	*	any bytes, but no '/'
 *	**	any bytes; between slashes or at an end it stands for whole
 *		directories: "**" "/x" also matches "x", "a/" "**" "/b" also
 *		matches "a/b", "a/" "**" matches everything below a (not a)
 *	[abc] [a-z] [!a-z] [^a-z]	one byte of the set, never '/'
 *	\c	the byte c itself
 *
 * A name without slashes follows the same rules. Matching needs no memory, does
 * not recurse and takes time in proportion to pattern length times text length,
 * whatever the pattern ("*a*a*a*b" included).
 */
#ifndef KILN_GLOB_H
#define KILN_GLOB_H

#include "base.h"

KILN_BEGIN_DECLS

/* Longest pattern accepted, in bytes: PATH_MAX of Linux. */
#define KILN_GLOB_MAX 4096

/*
 * NULL when PATTERN is well formed; else a sentence that says what is wrong
 * (static storage), with the fault's offset in bytes in *RET_OFFSET.
 */
const char *kiln_glob_check(const char *pattern, size_t *ret_offset);

/* PATTERN must have passed kiln_glob_check. */
bool kiln_glob_match(const char *pattern, const char *text);

/* No wildcard and no backslash: equal strings are the only match. */
bool kiln_glob_is_literal(const char *pattern);

/* Number of leading bytes that every matching text starts with. */
size_t kiln_glob_prefix(const char *pattern);

KILN_END_DECLS

#endif
