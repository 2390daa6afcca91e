/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Are two samples from one distribution? The exact test of Mann and Whitney (Annals of
 * Mathematical Statistics 18, 1947), and the interval of the ratio that goes with it
 * (Hodges and Lehmann, Annals of Mathematical Statistics 34, 1963; Bauer, Journal of the
 * American Statistical Association 67, 1972).
 *
 * Nothing is approximated: ways to choose are counted with integers as large as they get,
 * values are fractions, and equal values share their ranks. It needs GMP, which ends the
 * program when memory runs out.
 */
#ifndef KILN_EXPERIMENT_RANKS_H
#define KILN_EXPERIMENT_RANKS_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>

/* Two samples of so many values can always be judged, whatever their ties. */
#define RANKS_MAX_VALUES 120

/*
 * The two-sided p-value: of all ways to choose NR_A of the NR_A + NR_B values, the part in
 * which the sum of ranks is as far from its mean as that of A, or farther. False: there are
 * too many values. One that is no sample (a count of 0) gives 1.
 */
bool ranks_test(const mpq_t *a, size_t nr_a, const mpq_t *b, size_t nr_b, mpq_t ret_p);

/* The least p-value that samples so large can have. */
void ranks_least(size_t nr_a, size_t nr_b, mpq_t ret_p);

/*
 * Of all NR_A * NR_B ratios, the one at place *RET_PLACE from below (1: the smallest) and
 * the one at that place from above are the ends of the interval that has the true ratio with
 * a probability of at least 1 - ALPHA. A place of 0: the samples are too small, and nothing
 * is excluded. False: they are too large.
 */
bool ranks_interval(size_t nr_a, size_t nr_b, const mpq_t alpha, size_t *ret_place);

#endif
