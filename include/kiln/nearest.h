/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The nearest known word to a misspelt one, for error messages.
 */
#ifndef KILN_NEAREST_H
#define KILN_NEAREST_H

#include "base.h"

KILN_BEGIN_DECLS

/*
 * The entry of WORDS (NULL-terminated) that fewest single-byte insertions,
 * deletions, replacements and swaps of neighbours turn WORD into; the earlier
 * entry when two are equally near. NULL when none is near: more than a third
 * of the longer word's length, rounded up, would have to change.
 */
const char *kiln_nearest(const char *word, const char *const *words);

KILN_END_DECLS

#endif
