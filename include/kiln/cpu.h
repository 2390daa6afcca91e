/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flags that choose a CPU.
 *
 * On some targets the value of -mcpu= and -march= takes extensions
 * ("-mcpu=neoverse-v1+nosve"). The policy language has them as words of their
 * own, spelled as in GCC's target attribute: "+NAME" adds an extension to the
 * CPU that is named in an earlier or later line, or on the command line, and
 * "+noNAME" takes it away.
 */
#ifndef KILN_CPU_H
#define KILN_CPU_H

#include "base.h"

KILN_BEGIN_DECLS

/* -march=native and its kin, with or without extensions: the building machine. */
bool kiln_flag_is_native(const char *flag);

/* "+NAME" or "+noNAME". */
bool kiln_flag_is_extension(const char *flag);
/* Of such a word: does it take NAME away? And NAME itself. */
bool kiln_extension_is_negative(const char *word);
const char *kiln_extension_name(const char *word);

/*
 * May extensions be added to FLAG's value? 0: no. Where several flags may, they
 * belong to the one with the greatest rank, the last of those: GCC takes the
 * architecture from -march= even when -mcpu= follows.
 */
int kiln_flag_extension_rank(const char *flag);

KILN_END_DECLS

#endif
