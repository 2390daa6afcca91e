/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `kiln native --kconfig`.
 *
 *	kconfig.c	chooses the options and prints them
 *	kconfig-read.c	reads a tree's Kconfig files
 *	kconfig-expr.c	reads a .config, and judges expressions by it
 *	kconfig-x86.c	which options suit which CPU, by architecture; nothing
 *	kconfig-aarch64.c	else here knows one
 *
 * Kconfig files are read as people write them: what is not understood is passed
 * over, and holds.
 */
#ifndef KILN_NATIVE_KCONFIG_H
#define KILN_NATIVE_KCONFIG_H

#include "../keep/keep.h"
#include "native.h"

/* ---- kconfig-expr.c ---- */

/* Values as Kconfig compares them. */
enum kconfig_value { KCONFIG_N, KCONFIG_M, KCONFIG_Y };

/* An option of a .config. */
struct kconfig_setting {
	struct keep_entry entry; /* its name, without "CONFIG_" */
	char *value;             /* "y", "m", "n"; of others the text, without quotes */
};

struct kconfig_config {
	struct keep_table table; /* of struct kconfig_setting */
	bool is_read;            /* there is one; else nothing is known */
};

void kconfig_config_init(struct kconfig_config *config);
void kconfig_config_release(struct kconfig_config *config);
/* Reads the lines of a .config. */
void kconfig_config_parse(struct kconfig_config *config, const char *text);
void kconfig_config_set(struct kconfig_config *config, const char *name, int length,
			const char *value, int value_length);
/* "n" when it is not set. */
const char *kconfig_config_get(const struct kconfig_config *config, const char *name, int length);
enum kconfig_value kconfig_config_value(const struct kconfig_config *config, const char *name);

/* What EXPRESSION is with CONFIG; "" holds, and so does what is not understood. */
enum kconfig_value kconfig_judge(const struct kconfig_config *config, const char *expression);

/* ---- kconfig-read.c ---- */

/* A `config` of the tree, in all its places. */
struct kconfig_symbol {
	struct keep_entry entry;
	char *prompt;  /* the first; NULL: nobody can set it */
	char *depends; /* the expression without which it is n; NULL: it is only selected */
	char *visible; /* the expression under which somebody can; NULL: there is no prompt */
	char *forced;  /* others select it when this holds; NULL: none ever does */
	bool is_tristate;
	bool is_on; /* "default y": it is on where nobody chooses */
};

struct kconfig_tree {
	struct keep_table symbols; /* of struct kconfig_symbol */
};

void kconfig_tree_init(struct kconfig_tree *tree);
void kconfig_tree_release(struct kconfig_tree *tree);
/* ROOT/Kconfig and all that it names, with SRCARCH for $(SRCARCH). */
enum cli_status kconfig_tree_read(struct kconfig_tree *tree, const char *root, const char *srcarch);
const struct kconfig_symbol *kconfig_tree_find(const struct kconfig_tree *tree, const char *name);

/* ---- kconfig-*.c ---- */

/* What is asked of a CPU, and what follows. */
struct kconfig_option {
	const char *symbol;
	const char *vendors;  /* is it one of these? NULL: it does not matter */
	const char *words;    /* and has any of these, by /proc/cpuinfo; NULL: it need not */
	const char *features; /* the same by GCC's names, without words; NULL: they do not tell */
	char yes;             /* 'y', 'n', 0: nothing follows */
	char no;              /* the same if it is not so */
	const char *reason;   /* what the option is for */
};

struct kconfig_arch {
	const char *name;                     /* GCC's */
	const char *srcarch;                  /* the kernel's */
	const char *remarks;                  /* comment lines for the head of a fragment */
	const struct kconfig_option *options; /* in the order of the output; no symbol at the end */
	/* Is SYMBOL for a fault that CPU has? NULL: such options have no common name. */
	bool (*is_erratum)(const struct native_cpu *cpu, const struct kconfig_symbol *symbol);
};

extern const struct kconfig_arch kconfig_aarch64;
extern const struct kconfig_arch kconfig_x86;

#endif
