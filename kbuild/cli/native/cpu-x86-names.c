// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86: all of the CPUs that GCC knows, and the best one for a machine.
 */
#include "cpu-x86.h"

#include <stdlib.h>
#include <string.h>

static enum cli_status add_candidates(struct x86 *x)
{
	const char *name = NULL;

	x->candidates = (struct candidate *)calloc(x->names.count + 1, sizeof(*x->candidates));
	if (!x->candidates || x->names.text.failed)
		return cli_no_memory();
	while ((name = native_next_word(&x->names, name))) {
		struct candidate *candidate = &x->candidates[x->nr_candidates];
		int tried;

		candidate->name = name;
		tried = x86_promised_by(x, name, &candidate->features);
		if (tried < 0)
			return CLI_TROUBLE;
		if (tried)
			x->nr_candidates++;
		native_set_add_all(&x->all, &candidate->features);
		if (!tried)
			native_set_release(&candidate->features);
	}
	return x->all.failed ? cli_no_memory() : CLI_OK;
}

static enum cli_status find_ordinary(struct x86 *x)
{
	for (size_t i = 0; i < x->all.count; i++) {
		int ordinary;

		if (x86_is_denied(x, x->all.words[i]))
			continue;
		ordinary = x86_is_ordinary(x, x->all.words[i]);
		if (ordinary < 0)
			return CLI_TROUBLE;
		if (ordinary)
			native_set_add_string(&x->ordinary, x->all.words[i]);
	}
	return x->ordinary.failed ? cli_no_memory() : CLI_OK;
}

/* What the kernel never shows is no reason for a name: nobody knows that the CPU has it. */
static void count_known(struct x86 *x, struct candidate *candidate)
{
	for (size_t i = 0; i < candidate->features.count; i++) {
		const char *feature = candidate->features.words[i];

		if (x->job->has_machine &&
		    x86_has(&x->job->machine, feature) == NATIVE_UNKNOWN)
			continue;
		candidate->known++;
		candidate->ordinary += native_set_has(&x->ordinary, feature);
	}
}

enum cli_status x86_read_names(struct x86 *x)
{
	enum cli_status status;

	if (x->candidates)
		return CLI_OK;
	status = x86_list(x->job, &x->names);
	if (status == CLI_OK)
		status = add_candidates(x);
	if (status == CLI_OK)
		status = find_ordinary(x);
	for (size_t i = 0; status == CLI_OK && i < x->nr_candidates; i++)
		count_known(x, &x->candidates[i]);
	return status;
}

/* Does it promise nothing that is not in HAVE, or, without one, that the machine lacks? */
static bool is_safe(const struct x86 *x, const struct candidate *candidate,
		    const struct native_set *have)
{
	for (size_t i = 0; i < candidate->features.count; i++) {
		const char *feature = candidate->features.words[i];

		if (have ? !native_set_has(have, feature)
			 : x86_has(&x->job->machine, feature) == NATIVE_NO)
			return false;
	}
	return true;
}

/*
 * Is A better than B, which comes before it in GCC's list? It has more of what a
 * kernel may use, which tells the vendors apart; or more at all. Of two that
 * promise the same, a level, which is of no vendor, is the better one.
 */
static bool is_better(const struct x86 *x, const struct candidate *a, const struct candidate *b)
{
	if (a->ordinary != b->ordinary)
		return a->ordinary > b->ordinary;
	if (a->known != b->known)
		return a->known > b->known;
	return x86_tunes(x->job, b->name) > 0 && x86_tunes(x->job, a->name) == 0;
}

enum cli_status x86_find_best(struct x86 *x, const struct native_set *have,
			      const struct candidate **ret_best)
{
	enum cli_status status = x86_read_names(x);
	const struct candidate *best = NULL;

	for (size_t i = 0; status == CLI_OK && i < x->nr_candidates; i++) {
		const struct candidate *candidate = &x->candidates[i];

		if (is_safe(x, candidate, have) && (!best || is_better(x, candidate, best)))
			best = candidate;
	}
	if (status == CLI_OK && !best)
		return cli_trouble("'%s' has no name for a CPU with so few features", x->job->cc);
	*ret_best = best;
	return status;
}
