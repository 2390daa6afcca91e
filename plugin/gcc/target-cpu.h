/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What only the target of the compiler knows. One of target-*.c is linked,
 * chosen by the compiler's -dumpmachine.
 */
#ifndef KILN_TARGET_CPU_H
#define KILN_TARGET_CPU_H

#include "kiln/arch.h"

/* The architecture that this unit is compiled for; NULL: not known to Kiln. */
const struct kiln_arch *target_arch(void);

/*
 * The driver names a CPU where the user names none. Did it add SAVED, an option
 * of the saved command line, and would it not have done so, had the user given
 * FLAG? Explicit or added, the option reads the same; the driver's additions
 * stand behind all else in COLLECT_GCC_OPTIONS, its message to its children, so
 * that only a user who ends the whole command line with exactly those is
 * taken for it.
 */
bool target_default_yields(const struct cl_decoded_option *saved,
			   const struct cl_decoded_option *flag);

/*
 * Does the driver pass SAVED whatever the user gives, behind the user's -m flags?
 */
bool target_is_driver_flag(const struct cl_decoded_option *saved);

/*
 * The values that GCC knows for the option INDEX, without extensions; NULL: it
 * does not tell. And the extensions that -mcpu= and -march= take, without their
 * '+'; NULL: none. Both NULL-terminated, allocated once, in GCC's order.
 */
const char *const *target_values(size_t index);
const char *const *target_extensions(void);

/*
 * To be called when functions will have optimization options of their own: what
 * these change of the target's options ends with the function.
 */
void target_expect_function_options(void);

/*
 * Prints GCC's table of CPUs, one per line, fields separated by tabs:
 *	cpu NAME ARCHITECTURE IMPLEMENTER PART VARIANT
 *	extension NAME
 * The numbers are those of the MIDR register, in hexadecimal; PART is
 * "0xBIG.0xLITTLE" for a pair, VARIANT -1 for any. Nothing where GCC has no
 * such table.
 */
void target_print_cpus(void);

#endif
