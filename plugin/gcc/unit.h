/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The translation unit as the policy sees it: tree paths of its source and
 * object, and its architecture. Everything is known from the command line, so
 * that it can be asked before GCC reads a line of source.
 */
#ifndef KILN_UNIT_H
#define KILN_UNIT_H

#include "kiln/decide.h"

/*
 * Works out the unit. SRCTREE is what the user gave, or NULL. Called once;
 * the strings live as long as the compiler.
 */
const struct kiln_unit *unit_init(const char *srctree);

/* The object's file name, from the working directory; NULL: not known. */
const char *unit_object_file(void);

/*
 * The tree path of FILE, a file name as GCC's line table has it. The answer
 * lives until the next call with another FILE.
 */
const char *unit_tree_path(const char *file);

#endif
