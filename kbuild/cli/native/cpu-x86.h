/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of x86 share: cpu-x86.c, which resolves a CPU into flags,
 * cpu-x86-words.c, cpu-x86-names.c and cpu-x86-here.c.
 */
#ifndef KILN_CPU_X86_H
#define KILN_CPU_X86_H

#include "native.h"

/* The keys of a CPU's type. */
enum x86_key { X86_VENDOR, X86_FAMILY, X86_MODEL, X86_STEPPING, X86_MODEL_NAME };

/* A name that GCC knows, and what it promises beyond what every CPU has. */
struct candidate {
	const char *name;
	struct native_set features;
	size_t known;    /* how many of these the kernel shows if they are there */
	size_t ordinary; /* and how many of those a kernel may use */
};

struct x86 {
	const struct native_job *job;
	struct native_lock *lock;
	struct native_set baseline; /* what the first 64-bit CPU has */
	struct native_set vectors;  /* of these, what -mno-sse and its kin take away */
	struct kiln_strbuf name;    /* for -march= */
	const char *why;            /* that name */
	struct kiln_strbuf tune;
	const char *why_tune;
	struct cli_words params;
	struct native_set promised; /* by the name */
	struct native_set has;      /* beyond the baseline */
	struct cli_words names;
	struct candidate *candidates;
	size_t nr_candidates;
	struct native_set all;      /* what any of them promises */
	struct native_set ordinary; /* of these, what works on ordinary registers */
};

/* ---- cpu-x86-words.c ---- */

/* Has MACHINE GCC's FEATURE? */
enum native_answer x86_has(const struct native_machine *machine, const char *feature);

/* Does it work on vector registers, though GCC does not count it with SSE2? */
bool x86_is_vector(const char *feature);

/* ---- cpu-x86.c: what returns an int does so as native_try ---- */

/*
 * What is enabled with FLAGS. Tuning is left out: it changes some flags that are
 * not features.
 */
int x86_enabled(const struct native_job *job, const struct cli_words *flags,
		struct native_set *ret_features);

/* What FLAGS, or NAME, enable beyond the baseline. */
int x86_features_of(const struct x86 *x, const struct cli_words *flags,
		    struct native_set *ret_features);
int x86_promised_by(const struct x86 *x, const char *name, struct native_set *ret_features);

/* Works FEATURE on ordinary registers? Then its flag brings no vectors back. */
int x86_is_ordinary(const struct x86 *x, const char *feature);

/* Is FEATURE denied by its own name, whatever comes with it? */
bool x86_is_denied(const struct x86 *x, const char *feature);

/*
 * Does GCC tune for NAME? A warning is a no, as each unit of a kernel would have it:
 * -mtune=x86-64 is deprecated.
 */
int x86_tunes(const struct native_job *job, const char *name);

/* GCC's names, in its order. */
enum cli_status x86_list(const struct native_job *job, struct cli_words *ret_names);

/* Takes NAME, and what it promises. */
enum cli_status x86_take_name(struct x86 *x, const char *name, const char *why);

void x86_set_string(struct kiln_strbuf *sb, const char *text);
bool x86_skip_prefix(const char *text, const char *prefix, const char **ret_rest);

/* ---- cpu-x86-names.c ---- */

/* Asks GCC what each of its names promises, once: some hundred short runs. */
enum cli_status x86_read_names(struct x86 *x);

/* The best name that promises nothing which is not in HAVE, or (NULL) the machine lacks. */
enum cli_status x86_find_best(struct x86 *x, const struct native_set *have,
			      const struct candidate **ret_best);

/* ---- cpu-x86-here.c ---- */

/* Name, features and tuning as the driver finds them. */
enum cli_status x86_resolve_here(struct x86 *x);

#endif
