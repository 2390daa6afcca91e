// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86: this machine, by what the driver makes of -march=native.
 */
#include "cpu-x86.h"

#include <errno.h>
#include <sched.h>
#include <string.h>

/* What the driver says of one core type. */
struct expansion {
	struct kiln_strbuf name, tune;
	struct cli_words params;
	struct native_set features;
	struct native_set named; /* of these, by a flag of its own */
};

static void init_expansion(struct expansion *expansion)
{
	kiln_strbuf_init(&expansion->name);
	kiln_strbuf_init(&expansion->tune);
	cli_words_init(&expansion->params, "");
	native_set_init(&expansion->features);
	native_set_init(&expansion->named);
}

static void release_expansion(struct expansion *expansion)
{
	kiln_strbuf_release(&expansion->name);
	kiln_strbuf_release(&expansion->tune);
	cli_words_release(&expansion->params);
	native_set_release(&expansion->features);
	native_set_release(&expansion->named);
}

/* Sorts WORDS of cc1's command line: what is a feature goes to FLAGS. */
static void sort_words(const struct cli_words *words, struct expansion *expansion,
		       struct cli_words *flags)
{
	const char *word = NULL, *value;

	while ((word = native_next_word(words, word))) {
		if (x86_skip_prefix(word, "-march=", &value)) {
			x86_set_string(&expansion->name, value);
			cli_words_add(flags, "%s", word);
		} else if (x86_skip_prefix(word, "-mtune=", &value)) {
			x86_set_string(&expansion->tune, value);
		} else if (x86_skip_prefix(word, "--param=", &value)) {
			cli_words_add(&expansion->params, "%s", value);
		} else if (!strcmp(word, "--param")) {
			word = native_next_word(words, word);
			if (!word)
				return;
			cli_words_add(&expansion->params, "%s", word);
		} else if (x86_skip_prefix(word, "-m", &value) && !strchr(value, '=')) {
			cli_words_add(flags, "%s", word);
			native_set_add_string(&expansion->named, value);
		}
	}
}

/* "-mno-hle" leaves what -march=haswell promises, though the driver means it. */
static void subtract_negatives(struct expansion *expansion)
{
	static const char negative[] = "no-";

	for (size_t i = 0; i < expansion->named.count; i++) {
		const char *word = expansion->named.words[i];

		if (!strncmp(word, negative, sizeof(negative) - 1))
			native_set_remove(&expansion->features, word + sizeof(negative) - 1);
	}
}

static enum cli_status expand(const struct x86 *x, struct expansion *ret_expansion)
{
	struct cli_words words, flags;
	enum cli_status status;

	cli_words_init(&words, "");
	cli_words_init(&flags, "");
	status = native_expand(x->job, native_x86.native_flags, &words);
	if (status == CLI_OK)
		sort_words(&words, ret_expansion, &flags);
	if (status == CLI_OK && !ret_expansion->name.length)
		status = cli_trouble("'%s %s' names no CPU: its driver does not know this one",
				     x->job->cc, native_x86.native_flags);
	if (status == CLI_OK && x86_features_of(x, &flags, &ret_expansion->features) <= 0)
		status = cli_trouble("'%s' does not take what its driver makes of %s", x->job->cc,
				     native_x86.native_flags);
	subtract_negatives(ret_expansion);
	cli_words_release(&words);
	cli_words_release(&flags);
	return status;
}

/* The same with the driver on a core of TYPE. */
static enum cli_status expand_on(const struct x86 *x, const struct native_core *type,
				 struct expansion *ret_expansion)
{
	enum cli_status status;
	cpu_set_t before, one;

	CPU_ZERO(&one);
	CPU_SET(type->first_cpu, &one);
	if (sched_getaffinity(0, sizeof(before), &before) ||
	    sched_setaffinity(0, sizeof(one), &one))
		return cli_trouble("this machine has cores of several types, and the compiler "
				   "cannot be run on CPU %u: %s",
				   type->first_cpu, strerror(errno));
	status = expand(x, ret_expansion);
	sched_setaffinity(0, sizeof(before), &before);
	return status;
}

static bool are_equal_words(const struct cli_words *a, const struct cli_words *b)
{
	return a->text.length == b->text.length &&
	       !memcmp(a->text.data, b->text.data, a->text.length);
}

/* What holds on both; an empty name means that they differ. */
static void merge(struct expansion *all, const struct expansion *one)
{
	native_set_intersect(&all->features, &one->features);
	native_set_add_all(&all->named, &one->named);
	if (strcmp(all->name.data, one->name.data))
		kiln_strbuf_reset(&all->name);
	if (strcmp(all->tune.data, one->tune.data))
		kiln_strbuf_reset(&all->tune);
	if (are_equal_words(&all->params, &one->params))
		return;
	cli_words_release(&all->params);
	cli_words_init(&all->params, "");
}

/* The answer must not depend on the core that the driver happens to run on. */
static enum cli_status expand_all(const struct x86 *x, struct expansion *ret_all)
{
	const struct native_machine *machine = &x->job->machine;
	enum cli_status status;

	if (machine->nr_types == 1)
		return expand(x, ret_all);
	status = expand_on(x, &machine->types[0], ret_all);
	for (size_t i = 1; status == CLI_OK && i < machine->nr_types; i++) {
		struct expansion one;

		init_expansion(&one);
		status = expand_on(x, &machine->types[i], &one);
		if (status == CLI_OK)
			merge(ret_all, &one);
		release_expansion(&one);
	}
	return status;
}

/*
 * Takes out what the driver found and the kernel does not show: it turned it off.
 * What the driver does not name is no feature of the CPU's own.
 */
static void subtract_hidden(struct x86 *x, const struct native_set *named)
{
	struct native_set gone;

	native_set_init(&gone);
	for (size_t i = 0; i < x->has.count; i++) {
		if (native_set_has(named, x->has.words[i]) &&
		    x86_has(&x->job->machine, x->has.words[i]) == NATIVE_NO)
			native_set_add_string(&gone, x->has.words[i]);
	}
	native_set_subtract(&x->has, &gone);
	native_lock_list(x->lock, "The CPU has, and the kernel does not show", &gone);
	native_set_release(&gone);
}

static enum cli_status take_best(struct x86 *x, const char *why)
{
	const struct candidate *best;
	enum cli_status status = x86_find_best(x, &x->has, &best);

	return status == CLI_OK ? x86_take_name(x, best->name, why) : status;
}

static enum cli_status take_expansion(struct x86 *x, struct expansion *all)
{
	enum cli_status status;

	native_set_add_all(&x->has, &all->features);
	subtract_hidden(x, &all->named);
	cli_words_add_all(&x->params, &all->params);
	x86_set_string(&x->tune, all->tune.length ? all->tune.data : "generic");
	x->why_tune = all->tune.length ? "by the driver" : "the core types differ";
	if (all->name.length)
		status = x86_take_name(x, all->name.data, "by the driver");
	else
		status = take_best(x, "the core types differ: what all of them have");
	return status;
}

enum cli_status x86_resolve_here(struct x86 *x)
{
	struct expansion all;
	enum cli_status status;

	init_expansion(&all);
	status = expand_all(x, &all);
	if (status == CLI_OK)
		status = take_expansion(x, &all);
	release_expansion(&all);
	return status;
}
