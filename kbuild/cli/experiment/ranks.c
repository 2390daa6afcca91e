// SPDX-License-Identifier: GPL-2.0-or-later
#include "ranks.h"

#include <stdint.h>
#include <stdlib.h>

/* Bytes that counting may take: 160 values on each side without ties, 125 with. */
#define MAX_TABLE ((size_t)256 << 20)

/* ---- counting the ways to choose ---- */

/*
 * table[s]: in how many ways NR_CHOSEN of the ranks have the sum s. A count is LIMBS words,
 * lowest first; there are at most 2 to the number of ranks, so that it always fits.
 */
struct counts {
	mp_limb_t *table;
	size_t limbs;
	size_t nr_sums;
};

/*
 * RANKS are integers that begin at 0, so that a rank of 0 changes no sum. One after the
 * other is taken into ROWS, where row k is of k chosen ones.
 */
static void count_rank(struct counts *counts, mp_limb_t *rows, size_t nr_chosen, size_t rank)
{
	size_t row = counts->nr_sums * counts->limbs;

	for (size_t k = nr_chosen; k; k--) {
		mp_limb_t *to = rows + k * row + rank * counts->limbs;
		const mp_limb_t *from = rows + (k - 1) * row;

		for (size_t s = rank; s < counts->nr_sums; s++) {
			mpn_add_n(to, to, from, (mp_size_t)counts->limbs);
			to += counts->limbs;
			from += counts->limbs;
		}
	}
}

static bool count(struct counts *counts, const size_t *ranks, size_t nr_ranks, size_t nr_chosen,
		  size_t largest_sum)
{
	size_t bytes;
	mp_limb_t *rows;

	*counts =
		(struct counts){.limbs = nr_ranks / GMP_NUMB_BITS + 1, .nr_sums = largest_sum + 1};
	bytes = (nr_chosen + 1) * counts->nr_sums * counts->limbs * sizeof(mp_limb_t);
	rows = bytes <= MAX_TABLE ? (mp_limb_t *)calloc(1, bytes) : NULL;
	if (!rows)
		return false;
	rows[0] = 1;
	for (size_t i = 0; i < nr_ranks; i++)
		count_rank(counts, rows, nr_chosen, ranks[i]);
	counts->table = (mp_limb_t *)malloc(counts->nr_sums * counts->limbs * sizeof(mp_limb_t));
	if (counts->table)
		mpn_copyi(counts->table, rows + nr_chosen * counts->nr_sums * counts->limbs,
			  (mp_size_t)(counts->nr_sums * counts->limbs));
	free(rows);
	return counts->table;
}

/* Adds the ways to have the sum SUM to TOTAL. */
static void add_ways(mpz_t total, const struct counts *counts, size_t sum)
{
	mpz_t ways;

	mpz_init(ways);
	mpz_import(ways, counts->limbs, -1, sizeof(mp_limb_t), 0, 0,
		   counts->table + sum * counts->limbs);
	mpz_add(total, total, ways);
	mpz_clear(ways);
}

/* P: WAYS of all ways to choose. */
static void set_part(mpq_t p, const mpz_t ways, size_t nr_ranks, size_t nr_chosen)
{
	mpz_set(mpq_numref(p), ways);
	mpz_bin_uiui(mpq_denref(p), nr_ranks, nr_chosen);
	mpq_canonicalize(p);
}

/* ---- the test ---- */

struct place {
	const mpq_t *value;
	bool is_chosen; /* it is of the sample that is counted */
};

static int compare_places(const void *a, const void *b)
{
	return mpq_cmp(*((const struct place *)a)->value, *((const struct place *)b)->value);
}

static size_t common_divisor(size_t a, size_t b)
{
	while (b) {
		size_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* Twice the mean of the places that equal values have, from 0 and divided by what all share. */
static void rank(const struct place *places, size_t nr_places, size_t *ret_ranks)
{
	size_t divisor = 0, first;

	for (size_t i = 0, end; i < nr_places; i = end) {
		for (end = i + 1;
		     end < nr_places && mpq_equal(*places[end].value, *places[i].value);)
			end++;
		for (size_t j = i; j < end; j++)
			ret_ranks[j] = i + end - 1;
	}
	first = ret_ranks[0];
	for (size_t i = 0; i < nr_places; i++) {
		ret_ranks[i] -= first;
		divisor = common_divisor(ret_ranks[i], divisor);
	}
	for (size_t i = 0; divisor && i < nr_places; i++)
		ret_ranks[i] /= divisor;
}

/* How far SUM is from the mean, times the number of values. */
static uint64_t distance(size_t sum, size_t total, size_t nr_chosen, size_t nr_places)
{
	uint64_t here = (uint64_t)sum * nr_places, mean = (uint64_t)total * nr_chosen;

	return here > mean ? here - mean : mean - here;
}

static bool test(struct place *places, size_t nr_places, size_t nr_chosen, size_t *ranks,
		 mpq_t ret_p)
{
	size_t total = 0, largest = 0, sum = 0;
	struct counts counts;
	mpz_t ways;

	qsort(places, nr_places, sizeof(*places), compare_places);
	rank(places, nr_places, ranks);
	for (size_t i = 0; i < nr_places; i++) {
		total += ranks[i];
		largest += i >= nr_places - nr_chosen ? ranks[i] : 0;
		sum += places[i].is_chosen ? ranks[i] : 0;
	}
	if (!count(&counts, ranks, nr_places, nr_chosen, largest))
		return false;
	mpz_init(ways);
	for (size_t s = 0; s <= largest; s++) {
		if (distance(s, total, nr_chosen, nr_places) >=
		    distance(sum, total, nr_chosen, nr_places))
			add_ways(ways, &counts, s);
	}
	set_part(ret_p, ways, nr_places, nr_chosen);
	mpz_clear(ways);
	free(counts.table);
	return true;
}

bool ranks_test(const mpq_t *a, size_t nr_a, const mpq_t *b, size_t nr_b, mpq_t ret_p)
{
	size_t nr_places = nr_a + nr_b, nr_chosen = nr_a < nr_b ? nr_a : nr_b;
	struct place *places = (struct place *)calloc(nr_places + 1, sizeof(*places));
	size_t *ranks = (size_t *)calloc(nr_places + 1, sizeof(*ranks));
	bool done = places && ranks;

	mpq_set_ui(ret_p, 1, 1);
	for (size_t i = 0; done && i < nr_places; i++)
		places[i] = (struct place){.value = i < nr_a ? &a[i] : &b[i - nr_a],
					   .is_chosen = nr_a <= nr_b ? i < nr_a : i >= nr_a};
	if (done && nr_chosen)
		done = test(places, nr_places, nr_chosen, ranks, ret_p);
	free(ranks);
	free(places);
	return done;
}

void ranks_least(size_t nr_a, size_t nr_b, mpq_t ret_p)
{
	mpq_set_ui(ret_p, 1, 1);
	if (!nr_a || !nr_b)
		return;
	mpz_bin_uiui(mpq_denref(ret_p), nr_a + nr_b, nr_a);
	mpz_set_ui(mpq_numref(ret_p), 2);
	mpq_canonicalize(ret_p);
}

/* ---- the interval ---- */

/* How many sums, from FIRST on, both tails may lose and have at most ALPHA together. */
static size_t count_excluded(const struct counts *counts, size_t first, size_t nr_ranks,
			     size_t nr_chosen, const mpq_t alpha)
{
	size_t sum = first;
	mpz_t ways;
	mpq_t part;

	mpz_init(ways);
	mpq_init(part);
	for (; sum < counts->nr_sums; sum++) {
		add_ways(ways, counts, sum);
		set_part(part, ways, nr_ranks, nr_chosen);
		mpq_mul_2exp(part, part, 1);
		if (mpq_cmp(part, alpha) > 0)
			break;
	}
	mpq_clear(part);
	mpz_clear(ways);
	return sum - first;
}

bool ranks_interval(size_t nr_a, size_t nr_b, const mpq_t alpha, size_t *ret_place)
{
	size_t nr_ranks = nr_a + nr_b, nr_chosen = nr_a < nr_b ? nr_a : nr_b;
	size_t *ranks = (size_t *)calloc(nr_ranks + 1, sizeof(*ranks));
	size_t least = nr_chosen ? nr_chosen * (nr_chosen - 1) / 2 : 0;
	struct counts counts;

	*ret_place = 0;
	for (size_t i = 0; ranks && i < nr_ranks; i++)
		ranks[i] = i;
	/* The upper half is the lower one, turned round. */
	if (!ranks || !count(&counts, ranks, nr_ranks, nr_chosen, least + nr_a * nr_b / 2)) {
		free(ranks);
		return false;
	}
	if (nr_chosen)
		*ret_place = count_excluded(&counts, least, nr_ranks, nr_chosen, alpha);
	free(counts.table);
	free(ranks);
	return true;
}
