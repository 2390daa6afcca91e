/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What two samples of each metric let one say: ranks.h judges each of them, and here they
 * are judged as the many that they are, by Holm's correction (Scandinavian Journal of
 * Statistics 6, 1979).
 */
#ifndef KILN_EXPERIMENT_VERDICT_H
#define KILN_EXPERIMENT_VERDICT_H

#include "ranks.h"
#include "samples.h"

enum verdict_word {
	VERDICT_FASTER,
	VERDICT_SLOWER,
	VERDICT_UNCLEAR, /* a difference alone, but none among so many metrics */
	VERDICT_NO_EFFECT,
	VERDICT_TOO_FEW, /* no outcome of so few runs could tell anything */
};

/* One metric of two arms. Numbers are exact; medians are means of the two in the middle. */
struct verdict {
	const struct samples_metric *a, *b; /* with at least one value each */
	bool more_is_better;
	enum verdict_word word;
	mpq_t p, adjusted;
	mpq_t median_a, median_b;
	bool has_ratio; /* the rest is known: no value is 0 or less */
	mpq_t ratio;    /* Hodges and Lehmann's: the median of all ratios of B to A */
	bool has_interval;
	mpq_t low, high; /* of the ratio */
	mpq_t could_see; /* the least change that this spread would have let be seen: 0.01 is 1 % */
};

struct verdicts {
	size_t count;
	struct verdict *list;
};

/*
 * Judges what A and B both have, in A's order; ALPHA is how often a difference may be seen where
 * there is none. MORE, or NULL, has globs of metrics of which more is better, a comma
 * between two; a fault of one is said.
 */
enum cli_status verdicts_make(struct verdicts *verdicts, const struct samples *a,
			      const struct samples *b, const mpq_t alpha, const char *more);
void verdicts_release(struct verdicts *verdicts);

/* How many runs each arm needs for a difference to be seen at all among NR_METRICS. */
size_t verdict_least_runs(size_t nr_metrics, const mpq_t alpha);

#endif
