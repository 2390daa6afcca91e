// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The oracle looks at all ways to choose, one by one; the test counts them.
 */
#include "suite.h"

#include "../../kbuild/cli/experiment/ranks.h"

#define MAX_VALUES 16
#define MAX_SUM    (2 * MAX_VALUES * MAX_VALUES)

/* The values of one comparison: equal levels are tied. */
static int levels[MAX_VALUES];
static int nr_values;

/* Of all ways to choose so many of them, those with twice that sum of mean ranks. */
static unsigned long ways[MAX_VALUES + 1][MAX_SUM + 1];

static unsigned count_bits(unsigned long bits)
{
	unsigned count = 0;

	for (; bits; bits &= bits - 1)
		count++;
	return count;
}

/* A value's rank is 1, and 1 for each smaller value, and 1/2 for each other equal one. */
static unsigned rank_sum(unsigned long bits)
{
	unsigned sum = 0;

	for (int i = 0; i < nr_values; i++) {
		if (!(bits >> i & 1))
			continue;
		sum += 1;
		for (int j = 0; j < nr_values; j++)
			sum += levels[j] < levels[i] ? 2 : levels[j] == levels[i] ? 1 : 0;
	}
	return sum;
}

static void look_at_all(void)
{
	memset(ways, 0, sizeof(ways));
	for (unsigned long bits = 0; bits < 1ul << nr_values; bits++)
		ways[count_bits(bits)][rank_sum(bits)]++;
}

/* The part of the ways in which the sum is as far from its mean as SUM, or farther. */
static void expect(unsigned chosen, unsigned sum, mpq_t ret_p)
{
	long mean = (long)chosen * (nr_values + 1), far = labs((long)sum - mean);
	unsigned long here = 0, all = 0;

	for (long s = 0; s <= MAX_SUM; s++) {
		all += ways[chosen][s];
		here += labs(s - mean) >= far ? ways[chosen][s] : 0;
	}
	mpq_set_ui(ret_p, here, all);
	mpq_canonicalize(ret_p);
}

/* A is the values whose bits are set. */
static void check_choice(unsigned long bits)
{
	mpq_t a[MAX_VALUES], b[MAX_VALUES], want, got;
	size_t nr_a = 0, nr_b = 0;

	mpq_inits(want, got, NULL);
	for (int i = 0; i < nr_values; i++) {
		mpq_t *value = bits >> i & 1 ? &a[nr_a++] : &b[nr_b++];

		mpq_init(*value);
		mpq_set_si(*value, levels[i] * 3 - 7, 10);
		mpq_canonicalize(*value);
	}
	expect((unsigned)nr_a, rank_sum(bits), want);
	ck_assert(ranks_test((const mpq_t *)a, nr_a, (const mpq_t *)b, nr_b, got));
	if (!mpq_equal(want, got)) {
		gmp_printf("# %d values, chosen %#lx: %Qd, expected %Qd\n", nr_values, bits, got,
			   want);
		ck_abort();
	}
	for (size_t i = 0; i < nr_a; i++)
		mpq_clear(a[i]);
	for (size_t i = 0; i < nr_b; i++)
		mpq_clear(b[i]);
	mpq_clears(want, got, NULL);
}

START_TEST(samples_of_up_to_8_values_in_every_order)
{
	unsigned long checked = 0;

	for (nr_values = 2; nr_values <= 16; nr_values++) {
		for (int i = 0; i < nr_values; i++)
			levels[i] = i;
		look_at_all();
		for (unsigned long bits = 0; bits < 1ul << nr_values; bits++) {
			unsigned chosen = count_bits(bits);

			if (!chosen || chosen > 8 || nr_values - (int)chosen > 8 ||
			    nr_values == (int)chosen)
				continue;
			check_choice(bits);
			checked++;
		}
	}
	/* Of n and m values: n + m over n ways, for n and m from 1 to 8. */
	ck_assert_uint_eq(checked, 48602);
}
END_TEST

START_TEST(every_way_in_which_up_to_8_values_are_tied)
{
	for (nr_values = 2; nr_values <= 8; nr_values++) {
		for (unsigned long cuts = 0; cuts < 1ul << (nr_values - 1); cuts++) {
			levels[0] = 0;
			for (int i = 1; i < nr_values; i++)
				levels[i] = levels[i - 1] + (int)(cuts >> (i - 1) & 1);
			look_at_all();
			for (unsigned long bits = 1; bits < (1ul << nr_values) - 1; bits++)
				check_choice(bits);
		}
	}
}
END_TEST

START_TEST(no_sample_tells_nothing)
{
	mpq_t value[1], p;

	mpq_init(value[0]);
	mpq_init(p);
	ck_assert(ranks_test((const mpq_t *)value, 0, (const mpq_t *)value, 1, p));
	ck_assert_int_eq(mpq_cmp_ui(p, 1, 1), 0);
	ck_assert(ranks_test((const mpq_t *)value, 1, (const mpq_t *)value, 0, p));
	ck_assert_int_eq(mpq_cmp_ui(p, 1, 1), 0);
	ck_assert(ranks_test((const mpq_t *)value, 0, (const mpq_t *)value, 0, p));
	ck_assert_int_eq(mpq_cmp_ui(p, 1, 1), 0);
	ck_assert(ranks_test((const mpq_t *)value, 1, (const mpq_t *)value, 1, p));
	ck_assert_int_eq(mpq_cmp_ui(p, 1, 1), 0);
	mpq_clear(value[0]);
	mpq_clear(p);
}
END_TEST

/*
 * The largest U that is significant, two-sided, at 5 %, from the tables that textbooks
 * print (Mann and Whitney 1947 for small samples; Auble, Bulletin of the Institute of
 * Educational Research at Indiana University 1(2), 1953); -1: none is.
 */
static const struct {
	size_t a, b;
	int critical;
} table[] = {
	{2, 7, -1},   {2, 8, 0},    {3, 4, -1},    {3, 5, 0},     {4, 4, 0},
	{4, 10, 5},   {5, 5, 2},    {5, 8, 6},     {5, 20, 20},   {6, 6, 5},
	{7, 7, 8},    {8, 8, 13},   {9, 9, 17},    {10, 10, 23},  {12, 15, 49},
	{15, 15, 64}, {16, 18, 86}, {19, 19, 113}, {20, 20, 127},
};

START_TEST(places_are_those_of_published_tables)
{
	mpq_t alpha;

	mpq_init(alpha);
	mpq_set_ui(alpha, 1, 20);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t place;

		ck_assert(ranks_interval(table[i].a, table[i].b, alpha, &place));
		ck_assert_msg((int)place == table[i].critical + 1, "%zu and %zu: %zu, not %d",
			      table[i].a, table[i].b, place, table[i].critical + 1);
		ck_assert(ranks_interval(table[i].b, table[i].a, alpha, &place));
		ck_assert_int_eq((int)place, table[i].critical + 1);
	}
	mpq_clear(alpha);
}
END_TEST

/* The interval excludes a ratio of 1 where the test, of values without ties, sees a difference. */
START_TEST(the_interval_is_the_test_turned_round)
{
	mpq_t alpha, p;

	mpq_inits(alpha, p, NULL);
	for (unsigned percent = 1; percent < 100; percent += 9) {
		mpq_set_ui(alpha, percent, 100);
		mpq_canonicalize(alpha);
		for (nr_values = 2; nr_values <= 12; nr_values++) {
			for (int i = 0; i < nr_values; i++)
				levels[i] = i;
			look_at_all();
			for (unsigned long bits = 1; bits < (1ul << nr_values) - 1; bits += 5) {
				unsigned chosen = count_bits(bits), least = chosen * (chosen + 1);
				unsigned sum = rank_sum(bits), below;
				size_t place;

				expect(chosen, sum, p);
				ck_assert(ranks_interval(chosen, (size_t)nr_values - chosen, alpha,
							 &place));
				/* Ratios on either side of 1 are pairs of values in either order.
				 */
				below = (sum - least) / 2;
				if (below > chosen * (nr_values - chosen) / 2)
					below = chosen * (nr_values - chosen) - below;
				ck_assert_int_eq(below < place, mpq_cmp(p, alpha) <= 0);
			}
		}
	}
	mpq_clears(alpha, p, NULL);
}
END_TEST

/* Samples of one distribution, fine and coarse: at the 5 % level at most 5 % are called different.
 */
START_TEST(noise_is_called_an_effect_as_often_as_asked)
{
	uint64_t state = 20261201;
	mpq_t a[10], b[10], p;

	mpq_init(p);
	for (int i = 0; i < 10; i++)
		mpq_inits(a[i], b[i], NULL);
	for (unsigned limit = 1000000; limit >= 4; limit = limit == 4 ? 0 : 4) {
		unsigned seen = 0;

		for (int trial = 0; trial < 1000; trial++) {
			for (int i = 0; i < 10; i++) {
				mpq_set_ui(a[i], random_below(&state, limit), 1);
				mpq_set_ui(b[i], random_below(&state, limit), 1);
			}
			ck_assert(ranks_test((const mpq_t *)a, 10, (const mpq_t *)b, 10, p));
			seen += mpq_cmp_ui(p, 1, 20) <= 0;
		}
		ck_assert_msg(seen <= 50 && seen >= 20, "%u of 1,000 that are one of %u values",
			      seen, limit);
	}
	for (int i = 0; i < 10; i++)
		mpq_clears(a[i], b[i], NULL);
	mpq_clear(p);
}
END_TEST

START_TEST(the_largest_samples_can_be_judged)
{
	mpq_t values[2 * RANKS_MAX_VALUES], p;
	size_t place;

	mpq_init(p);
	for (int i = 0; i < 2 * RANKS_MAX_VALUES; i++) {
		mpq_init(values[i]);
		/* Two are tied, so that ranks are halves; each of A is below each of B. */
		mpq_set_ui(values[i], i ? (unsigned)i : 1, 1);
	}
	ck_assert(ranks_test((const mpq_t *)values, RANKS_MAX_VALUES,
			     (const mpq_t *)values + RANKS_MAX_VALUES, RANKS_MAX_VALUES, p));
	mpz_bin_uiui(mpq_denref(values[0]), 2 * RANKS_MAX_VALUES, RANKS_MAX_VALUES);
	mpz_set_ui(mpq_numref(values[0]), 2);
	mpq_canonicalize(values[0]);
	ck_assert(mpq_equal(p, values[0]));
	ranks_least(RANKS_MAX_VALUES, RANKS_MAX_VALUES, p);
	ck_assert(mpq_equal(p, values[0]));
	mpq_set_ui(p, 1, 20);
	ck_assert(ranks_interval(RANKS_MAX_VALUES, RANKS_MAX_VALUES, p, &place));
	ck_assert(!ranks_interval(2000, 2000, p, &place));
	for (int i = 0; i < 2 * RANKS_MAX_VALUES; i++)
		mpq_clear(values[i]);
	mpq_clear(p);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("ranks");
	TCase *tcase = tcase_create("ranks");

	tcase_set_timeout(tcase, 300);
	tcase_add_test(tcase, samples_of_up_to_8_values_in_every_order);
	tcase_add_test(tcase, every_way_in_which_up_to_8_values_are_tied);
	tcase_add_test(tcase, no_sample_tells_nothing);
	tcase_add_test(tcase, places_are_those_of_published_tables);
	tcase_add_test(tcase, the_interval_is_the_test_turned_round);
	tcase_add_test(tcase, noise_is_called_an_effect_as_often_as_asked);
	tcase_add_test(tcase, the_largest_samples_can_be_judged);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
