/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the target of the compiler knows. One of target-*.c is linked,
 * chosen by the compiler's -dumpmachine.
 */
#ifndef KILN_TARGET_ARCH_H
#define KILN_TARGET_ARCH_H

#include "kiln/arch.h"

/* The architecture that this unit is compiled for; NULL: not known to Kiln. */
const struct kiln_arch *target_arch(void);

#endif
