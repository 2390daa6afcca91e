// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was measured: no cell is lost, and an arm compared with itself is no different.
 */
#include "fuzz.h"

#include "experiment/verdict.h"

#define MAX_VALUES 12 /* more take long to count */

static void check_cells(const struct samples *samples)
{
	size_t cells = samples->nr_missing;

	for (size_t i = 0; i < samples->metrics.nr_slots; i++) {
		const struct samples_metric *metric =
			(const struct samples_metric *)samples->metrics.slots[i];

		cells += metric ? metric->nr_values : 0;
	}
	REQUIRE(cells == samples->nr_runs * samples->metrics.count);
}

static bool is_small(const struct samples *samples)
{
	for (size_t i = 0; i < samples->metrics.nr_slots; i++) {
		const struct samples_metric *metric =
			(const struct samples_metric *)samples->metrics.slots[i];

		if (metric && metric->nr_values > MAX_VALUES)
			return false;
	}
	return samples->metrics.count <= MAX_VALUES;
}

static void check_verdicts(const struct samples *samples)
{
	struct verdicts verdicts;
	mpq_t alpha;

	mpq_init(alpha);
	mpq_set_ui(alpha, 1, 20);
	REQUIRE(verdicts_make(&verdicts, samples, samples, alpha, NULL) == CLI_OK);
	for (size_t i = 0; i < verdicts.count; i++) {
		const struct verdict *verdict = &verdicts.list[i];

		REQUIRE(verdict->word == VERDICT_TOO_FEW || verdict->word == VERDICT_NO_EFFECT);
		REQUIRE(!mpq_cmp_ui(verdict->p, 1, 1));
		REQUIRE(!verdict->has_interval || (mpq_cmp(verdict->low, verdict->ratio) <= 0 &&
						   mpq_cmp(verdict->ratio, verdict->high) <= 0));
	}
	verdicts_release(&verdicts);
	mpq_clear(alpha);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct samples samples;

	samples_init(&samples, fuzz_file(data, size));
	if (samples_read(&samples) == CLI_OK) {
		REQUIRE(samples.metrics.count);
		if (!strcmp(samples.format, "CSV"))
			check_cells(&samples);
		if (is_small(&samples))
			check_verdicts(&samples);
	}
	samples_release(&samples);
	return 0;
}
