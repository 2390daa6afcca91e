/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rustc makes of GCC's flags for a CPU: one struct rust_arch for each
 * architecture, in rust-ARCH.c. Private to kbuild/cli.
 */
#ifndef KILN_RUST_H
#define KILN_RUST_H

#include "cli.h"

/*
 * A feature that rustc calls by another name than GCC, or of which more must be
 * known. Any other has the same name in both.
 */
struct rust_feature {
	const char *gcc; /* without "-m" or "+" */
	/*
	 * rustc's names, separated by commas; NULL: the same. "": no compiler
	 * makes such instructions by itself, and rustc has no such feature.
	 */
	const char *rustc;
	const char *within; /* GCC's name of one that it is a part of, or NULL */
	/*
	 * rustc does not tell of a CPU that has it, but of this one (its own name
	 * of it), which no CPU with the feature is without; NULL: it does.
	 */
	const char *sign;
};

/* An architecture that GCC has a name for, such as armv8.1-a. */
struct rust_level {
	const char *name;
	const char *below;    /* it has all of that one too; NULL: nothing */
	const char *features; /* GCC's names, separated by commas */
};

/* A CPU that rustc calls by another name. */
struct rust_cpu {
	const char *gcc;
	const char *rustc;
};

struct rust_arch {
	const char *name;       /* GCC's */
	const char *target;     /* rustc's, as kernels are compiled for */
	const char *cpu_target; /* where rustc tells all that a CPU has */
	const char *cpu_flag;   /* names a CPU */
	const char *level_flag; /* names an architecture; NULL: there is none */
	bool has_extensions; /* features are "+NAME", and in those flags' values; else "-mNAME" */
	const char *vectors; /* the feature that vector registers come with */
	/* A CPU's value lists its vector features, though kernel code in C has none either. */
	bool vectors_are_usual;
	const struct rust_feature *features; /* sorted by GCC's name */
	size_t nr_features;
	const struct rust_level *levels; /* the last has no name */
	const struct rust_cpu *cpus;     /* the last has no name */
};

extern const struct rust_arch rust_aarch64;
extern const struct rust_arch rust_x86;

#endif
