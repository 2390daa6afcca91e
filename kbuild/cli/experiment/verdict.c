// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict.h"

#include <stdlib.h>
#include <string.h>

#include "kiln/glob.h"

/* ---- order statistics ---- */

static int compare_numbers(const void *a, const void *b)
{
	return mpq_cmp(*(const mpq_t *)a, *(const mpq_t *)b);
}

/* Of sorted ones. */
static void set_median(mpq_t median, mpq_t *values, size_t count)
{
	mpq_add(median, values[(count - 1) / 2], values[count / 2]);
	mpq_div_2exp(median, median, 1);
}

static mpq_t *new_numbers(size_t count)
{
	mpq_t *numbers = (mpq_t *)calloc(count + 1, sizeof(*numbers));

	for (size_t i = 0; numbers && i < count; i++)
		mpq_init(numbers[i]);
	return numbers;
}

static void free_numbers(mpq_t *numbers, size_t count)
{
	for (size_t i = 0; numbers && i < count; i++)
		mpq_clear(numbers[i]);
	free(numbers);
}

static bool find_median(mpq_t median, const struct samples_metric *metric)
{
	mpq_t *sorted = new_numbers(metric->nr_values);

	if (!sorted)
		return false;
	for (size_t i = 0; i < metric->nr_values; i++)
		mpq_set(sorted[i], metric->values[i]);
	qsort(sorted, metric->nr_values, sizeof(*sorted), compare_numbers);
	set_median(median, sorted, metric->nr_values);
	free_numbers(sorted, metric->nr_values);
	return true;
}

/* ---- the ratio ---- */

static bool is_positive(const struct samples_metric *metric)
{
	for (size_t i = 0; i < metric->nr_values; i++) {
		if (mpq_sgn(metric->values[i]) <= 0)
			return false;
	}
	return true;
}

/* The farther end of the interval, seen from the ratio; 0.01 is 1 %. */
static void find_resolution(struct verdict *verdict)
{
	mpq_t down;

	mpq_init(down);
	mpq_div(down, verdict->ratio, verdict->low);
	mpq_div(verdict->could_see, verdict->high, verdict->ratio);
	if (mpq_cmp(down, verdict->could_see) > 0)
		mpq_set(verdict->could_see, down);
	mpq_set_ui(down, 1, 1);
	mpq_sub(verdict->could_see, verdict->could_see, down);
	mpq_clear(down);
}

static bool find_ratio(struct verdict *verdict, const mpq_t alpha)
{
	const struct samples_metric *a = verdict->a, *b = verdict->b;
	size_t count = a->nr_values * b->nr_values, place;
	mpq_t *ratios;

	verdict->has_ratio = is_positive(a) && is_positive(b);
	if (!verdict->has_ratio)
		return true;
	ratios = new_numbers(count);
	if (!ratios)
		return false;
	for (size_t i = 0; i < count; i++)
		mpq_div(ratios[i], b->values[i % b->nr_values], a->values[i / b->nr_values]);
	qsort(ratios, count, sizeof(*ratios), compare_numbers);
	set_median(verdict->ratio, ratios, count);
	verdict->has_interval = ranks_interval(a->nr_values, b->nr_values, alpha, &place) && place;
	if (verdict->has_interval) {
		mpq_set(verdict->low, ratios[place - 1]);
		mpq_set(verdict->high, ratios[count - place]);
		find_resolution(verdict);
	}
	free_numbers(ratios, count);
	return true;
}

/* ---- many metrics ---- */

static int compare_p(const void *a, const void *b)
{
	return mpq_cmp((*(struct verdict *const *)a)->p, (*(struct verdict *const *)b)->p);
}

/* The smallest p counts as often as there are metrics, the next one once less. */
static bool adjust(struct verdicts *verdicts)
{
	struct verdict **sorted =
		(struct verdict **)calloc(verdicts->count + 1, sizeof(struct verdict *));
	mpq_t times, one;

	if (!sorted)
		return false;
	for (size_t i = 0; i < verdicts->count; i++)
		sorted[i] = &verdicts->list[i];
	qsort(sorted, verdicts->count, sizeof(struct verdict *), compare_p);
	mpq_init(times);
	mpq_init(one);
	mpq_set_ui(one, 1, 1);
	for (size_t i = 0; i < verdicts->count; i++) {
		mpq_set_ui(times, verdicts->count - i, 1);
		mpq_mul(sorted[i]->adjusted, sorted[i]->p, times);
		if (mpq_cmp(sorted[i]->adjusted, one) > 0)
			mpq_set(sorted[i]->adjusted, one);
		if (i && mpq_cmp(sorted[i]->adjusted, sorted[i - 1]->adjusted) < 0)
			mpq_set(sorted[i]->adjusted, sorted[i - 1]->adjusted);
	}
	mpq_clear(times);
	mpq_clear(one);
	free(sorted);
	return true;
}

static enum verdict_word choose_word(const struct verdict *verdict, const mpq_t alpha)
{
	int direction = verdict->has_ratio ? mpq_cmp_ui(verdict->ratio, 1, 1)
					   : mpq_cmp(verdict->median_b, verdict->median_a);
	bool is_least;
	mpq_t least;

	mpq_init(least);
	ranks_least(verdict->a->nr_values, verdict->b->nr_values, least);
	is_least = mpq_cmp(least, alpha) > 0;
	mpq_clear(least);
	if (is_least)
		return VERDICT_TOO_FEW;
	if (mpq_cmp(verdict->p, alpha) > 0)
		return VERDICT_NO_EFFECT;
	if (mpq_cmp(verdict->adjusted, alpha) > 0 || !direction)
		return VERDICT_UNCLEAR;
	return (direction > 0) == verdict->more_is_better ? VERDICT_FASTER : VERDICT_SLOWER;
}

size_t verdict_least_runs(size_t nr_metrics, const mpq_t alpha)
{
	size_t runs = 1;
	mpq_t least, times;

	mpq_init(least);
	mpq_init(times);
	mpq_set_ui(times, nr_metrics, 1);
	for (;; runs++) {
		ranks_least(runs, runs, least);
		mpq_mul(least, least, times);
		if (mpq_cmp(least, alpha) <= 0)
			break;
	}
	mpq_clear(least);
	mpq_clear(times);
	return runs;
}

/* ---- all of it ---- */

/* Sets more_is_better of those that the globs TEXT match. */
static enum cli_status match_globs(struct verdicts *verdicts, const char *text)
{
	enum cli_status status = CLI_OK;
	struct kiln_strbuf glob;

	kiln_strbuf_init(&glob);
	while (status == CLI_OK && *text) {
		size_t length = strcspn(text, ","), offset;
		const char *fault;

		kiln_strbuf_reset(&glob);
		kiln_strbuf_add(&glob, text, length);
		fault = kiln_glob_check(glob.data, &offset);
		if (glob.failed)
			status = cli_no_memory();
		else if (fault)
			status = cli_trouble("'%s': %s", glob.data, fault);
		for (size_t i = 0; status == CLI_OK && i < verdicts->count; i++) {
			if (kiln_glob_match(glob.data, verdicts->list[i].a->entry.text))
				verdicts->list[i].more_is_better = true;
		}
		text += length + (text[length] == ',');
	}
	kiln_strbuf_release(&glob);
	return status;
}

static struct verdict *add_verdict(struct verdicts *verdicts, const struct samples_metric *a,
				   const struct samples_metric *b)
{
	struct verdict *verdict = &verdicts->list[verdicts->count++];

	*verdict = (struct verdict){.a = a, .b = b};
	mpq_inits(verdict->p, verdict->adjusted, verdict->median_a, verdict->median_b,
		  verdict->ratio, verdict->low, verdict->high, verdict->could_see, NULL);
	return verdict;
}

static enum cli_status judge(struct verdict *verdict, const mpq_t alpha)
{
	const struct samples_metric *a = verdict->a, *b = verdict->b;

	if (!ranks_test(a->values, a->nr_values, b->values, b->nr_values, verdict->p))
		return cli_trouble("'%s' has %zu and %zu values: more than can be counted exactly "
				   "(%d each can); "
				   "take the medians of groups of runs",
				   a->entry.text, a->nr_values, b->nr_values, RANKS_MAX_VALUES);
	if (!find_median(verdict->median_a, a) || !find_median(verdict->median_b, b) ||
	    !find_ratio(verdict, alpha))
		return cli_no_memory();
	return CLI_OK;
}

static int compare_places(const void *a, const void *b)
{
	const struct verdict *one = (const struct verdict *)a, *two = (const struct verdict *)b;

	return (one->a->place > two->a->place) - (one->a->place < two->a->place);
}

static enum cli_status judge_all(struct verdicts *verdicts, const mpq_t alpha, const char *more)
{
	for (size_t i = 0; i < verdicts->count; i++) {
		struct verdict *verdict = &verdicts->list[i];
		enum cli_status status = judge(verdict, alpha);

		if (status != CLI_OK)
			return status;
		verdict->more_is_better = verdict->a->more_is_better;
	}
	if (more && match_globs(verdicts, more) != CLI_OK)
		return CLI_TROUBLE;
	if (!adjust(verdicts))
		return cli_no_memory();
	for (size_t i = 0; i < verdicts->count; i++)
		verdicts->list[i].word = choose_word(&verdicts->list[i], alpha);
	return CLI_OK;
}

enum cli_status verdicts_make(struct verdicts *verdicts, const struct samples *a,
			      const struct samples *b, const mpq_t alpha, const char *more)
{
	*verdicts = (struct verdicts){
		.list = (struct verdict *)calloc(a->metrics.count + 1, sizeof(struct verdict))};
	if (!verdicts->list)
		return cli_no_memory();
	for (size_t i = 0; i < a->metrics.nr_slots; i++) {
		const struct samples_metric *metric = (struct samples_metric *)a->metrics.slots[i];
		const struct samples_metric *other =
			metric ? (struct samples_metric *)keep_table_find(
					 &b->metrics, metric->entry.text, metric->entry.length)
			       : NULL;

		if (other && metric->nr_values && other->nr_values)
			add_verdict(verdicts, metric, other);
	}
	qsort(verdicts->list, verdicts->count, sizeof(struct verdict), compare_places);
	return judge_all(verdicts, alpha, more);
}

void verdicts_release(struct verdicts *verdicts)
{
	for (size_t i = 0; i < verdicts->count; i++) {
		struct verdict *verdict = &verdicts->list[i];

		mpq_clears(verdict->p, verdict->adjusted, verdict->median_a, verdict->median_b,
			   verdict->ratio, verdict->low, verdict->high, verdict->could_see, NULL);
	}
	free(verdicts->list);
}
