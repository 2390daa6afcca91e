/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A policy inside of a plugin: `kiln pack` adds it as a section of the file, so that
 * a compile farm needs to be sent nothing else. Nothing else of the file changes, and
 * the section is not loaded into memory: it is read from the file.
 */
#ifndef KILN_PACKED_H
#define KILN_PACKED_H

#include "base.h"
#include "strbuf.h"

KILN_BEGIN_DECLS

/* The section's name; its contents are the text of a policy. */
#define KILN_PACKED_SECTION ".kiln.policy"

enum kiln_packed {
	KILN_PACKED_NONE,	/* FILE is a plugin without a policy */
	KILN_PACKED_FOUND,	/* RET_TEXT has it */
	KILN_PACKED_BAD,	/* FILE cannot be read (errno tells), or is no ELF file of this machine (0) */
};

/* Appends the policy that FILE has inside to RET_TEXT. */
enum kiln_packed kiln_packed_read(const char *file, struct kiln_strbuf *ret_text);

KILN_END_DECLS

#endif
