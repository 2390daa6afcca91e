/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The plugin's own arguments: -fplugin-arg-kiln-KEY[=VALUE].
 *
 * They are read from GCC's saved command line and not from plugin_name_args,
 * because GCC cuts a character off the value for each further '=' in it.
 */
#ifndef KILN_ARGS_H
#define KILN_ARGS_H

#include "kiln/base.h"

#define KILN_MAX_POLICIES 16
#define KILN_MAX_STAMPS 4

struct kiln_args {
	const char *policies[KILN_MAX_POLICIES];	/* in the order given */
	unsigned nr_policies;
	const char *cpu;	/* NULL: `native` is not resolved */
	const char *srctree;	/* NULL: find it */
	const char *stamps[KILN_MAX_STAMPS];	/* globs of units' sources */
	unsigned nr_stamps;
	bool check;		/* validate every line, whatever the unit */
	bool cpus;
	bool disable;
	bool help;
	bool mark;		/* end preprocessed text with what of the policy concerns it: mark.h */
	bool nodeps;
	bool noguard;
	bool record;
	bool strict;
	bool verbose;
};

/*
 * Fills RET_ARGS for the plugin loaded as BASE_NAME. Strings belong to GCC.
 * Faults are reported through diag.h; -1 when there was one.
 */
int args_parse(const char *base_name, struct kiln_args *ret_args);

/* What -fplugin-arg-kiln-help prints. */
void args_print_help(void);

/* The file name of the translation unit as the compiler got it; NULL: none. */
const char *args_input_file(void);

/* Is the input preprocessed already (a .i file, or the second step of -save-temps)? */
bool args_is_preprocessed(void);

/* Is preprocessed text all that is asked for (-E, without -M or -dM)? */
bool args_wants_text(void);

/* Where the output goes; NULL: to stdout. */
const char *args_output_file(void);

/* What -D gives the macro NAME, the last one; NULL: none does. */
const char *args_macro(const char *name);

/*
 * The root of the kernel tree by the command line: the X of the
 * "-include X/include/linux/kconfig.h" that every kernel unit is compiled
 * with. NULL: not a kernel's command line. The result is xmalloc'ed.
 */
char *args_srctree(void);

#endif
