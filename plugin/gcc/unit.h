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

/* The same again, and the kernel tree's root as it was named; NULL: it was not found. */
const struct kiln_unit *unit_get(void);
const char *unit_srctree(void);

/*
 * The preprocessor is not told the name of the object, unless by kbuild's macros: then
 * the unit's is a guess by the name of the output.
 */
bool unit_object_is_known(void);

/*
 * Is this icecc's compile on another machine, of preprocessed text? And does that text
 * not tell what object it is for, which is known only after unit_init()?
 */
bool unit_is_elsewhere(void);
bool unit_is_nameless(void);

/* The object's file name, from the working directory; NULL: not known. */
const char *unit_object_file(void);

/*
 * Can GLOB name the unit's source or its object? Any can, where the object is not
 * known.
 */
bool unit_can_be(const char *glob);

/*
 * The tree path of FILE, a file name as GCC's line table has it. The answer
 * lives until the next call with another FILE.
 */
const char *unit_tree_path(const char *file);

#endif
