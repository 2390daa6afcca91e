/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `kiln experiment compare` knows, and how it is told. */
#ifndef KILN_EXPERIMENT_COMPARISON_H
#define KILN_EXPERIMENT_COMPARISON_H

#include "verdict.h"

#define NR_WARNINGS 8

struct comparison {
	struct samples a, b;
	struct verdicts verdicts;
	mpq_t alpha;
	struct kiln_strbuf warnings[NR_WARNINGS];
	size_t nr_warnings;
};

/* ---- print.c: all on stdout ---- */

enum cli_status comparison_print(const struct comparison *comparison);
enum cli_status comparison_print_json(const struct comparison *comparison);
/* Warnings are on stderr. */
enum cli_status comparison_print_csv(const struct comparison *comparison);

#endif
