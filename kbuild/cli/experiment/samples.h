/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was measured: the values that a metric has in the runs of one arm. They come from
 * CSV, a row a run and a column a metric, or from what hackbench, perf bench, schbench,
 * stress-ng and sysbench print, any number of runs one after the other.
 */
#ifndef KILN_EXPERIMENT_SAMPLES_H
#define KILN_EXPERIMENT_SAMPLES_H

#include <gmp.h>

#include "../keep/keep.h"

struct samples_metric {
	struct keep_entry entry; /* its name */
	size_t place;            /* the first one has 0 */
	bool more_is_better;     /* as far as a program's output tells: rates do */
	size_t nr_values, capacity;
	mpq_t *values; /* exactly what the text says */
};

/* What a CSV tells of a run beside its metrics. */
struct samples_run {
	mpq_t started;
	bool has_started;
	const char *governor, *layout; /* NULL: it tells nothing; strings of `words` */
};

struct samples {
	const char *path; /* the caller's */
	struct kiln_strbuf text;
	struct keep_table metrics, words;
	size_t nr_runs, capacity;
	struct samples_run *runs;
	size_t nr_missing;  /* cells that were empty */
	const char *format; /* "CSV", or the name of the program */
};

void samples_init(struct samples *samples, const char *path);
void samples_release(struct samples *samples);

/* Reads the file, "-" being standard input. What is wrong with it is said, with its place. */
enum cli_status samples_read(struct samples *samples);

/* ---- what the two readers share ---- */

/*
 * The number that TEXT begins with, as decimals have it, and how long it is with commas for
 * thousands left out where COMMAS allows them. 0: there is none.
 */
size_t samples_number(const char *text, bool commas, mpq_t ret_value);

/* False: memory ran out. */
bool samples_add(struct samples *samples, const char *metric, bool more_is_better,
		 const mpq_t value);

/* ---- programs.c ---- */

/* Reads the text as a program's output. False: it is none that is known. */
bool samples_read_program(struct samples *samples, enum cli_status *ret_status);

#endif
