/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was applied, as an ELF note of the object: a kernel that has the note in one
 * of its units tells it in vmlinux and in /sys/kernel/notes, a module in its .ko and
 * /sys/module/NAME/notes.
 *
 *	section .note.kiln, name "Kiln", type 1, and the text (lines, no NUL)
 *
 *	kiln 0.1.0
 *	gcc 12.2.0
 *	policy sha256:HEX	kiln_policy_digest(), the guard left out
 *	cpu -march=...		flags of the target that hold for the unit, if any
 */
#ifndef KILN_STAMP_H
#define KILN_STAMP_H

#include "kiln/decide.h"

/* DIGEST must live as long as the compile. */
void stamp_register(const char *plugin_name, const char *digest,
		    const struct kiln_verdict *verdict);

#endif
