// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln experiment bisect: which rules of a policy make a command fail.
 */
#include "experiment.h"

#include <stdio.h>
#include <stdlib.h>

#include "../make/make.h"

/* As `git bisect run` has them. */
#define CANNOT_TELL 125

enum answer {
	PASSES,
	FAILS,
	UNKNOWN, /* the command cannot tell */
	TROUBLE, /* nothing more can be done, which was said */
};

struct bisection {
	const struct kiln_policy *policy;
	size_t nr_rules;
	bool *is_found; /* of each rule: the failure needs it */
	const char *output;
	struct cli_words command;
	unsigned nr_runs;
};

/* ---- one run ---- */

/* The first END rules, and of the others those that were found. */
static bool has_rule(const struct bisection *bisection, size_t index, size_t end)
{
	return index < end || bisection->is_found[index];
}

static enum cli_status write_rules(const struct bisection *bisection, size_t end)
{
	struct kiln_strbuf text;
	enum cli_status status;

	kiln_strbuf_init(&text);
	for (size_t i = 0; i < bisection->nr_rules; i++) {
		if (has_rule(bisection, i, end))
			kiln_rule_write(kiln_policy_rule(bisection->policy, i), &text);
	}
	status = text.failed ? cli_no_memory() : make_write_file(bisection->output, &text);
	kiln_strbuf_release(&text);
	return status;
}

static enum answer answer_of(const struct bisection *bisection, int status)
{
	if (!status)
		return PASSES;
	if (status > 0 && status < CANNOT_TELL)
		return FAILS;
	if (status == CANNOT_TELL)
		return UNKNOWN;
	cli_trouble("'%s' ended with status %d: it must pass (0), fail (1 to 124) or not be able "
		    "to tell (125)",
		    bisection->command.text.data, status);
	return TROUBLE;
}

static enum answer ask(struct bisection *bisection, size_t end)
{
	static const char *const words[] = {"passes", "fails", "cannot tell"};
	size_t nr_rules = 0;
	enum answer answer;
	int status;

	for (size_t i = 0; i < bisection->nr_rules; i++)
		nr_rules += has_rule(bisection, i, end);
	if (write_rules(bisection, end) != CLI_OK)
		return TROUBLE;
	bisection->nr_runs++;
	if (cli_run_through(&bisection->command, &status) != CLI_OK)
		return TROUBLE;
	answer = answer_of(bisection, status);
	if (answer != TROUBLE)
		cli_note("run %u, with %zu of %zu rules: %s", bisection->nr_runs, nr_rules,
			 bisection->nr_rules, words[answer]);
	return answer;
}

/* ---- the search ---- */

/*
 * Where between the ends LOW, which passes, and HIGH, which fails, the command can tell: in the
 * middle, or on either side of it, farther and farther away. *RET_END is LOW if nowhere.
 */
static enum answer ask_between(struct bisection *bisection, size_t low, size_t high,
			       size_t *ret_end)
{
	size_t middle = low + (high - low) / 2;

	for (size_t distance = 0; distance <= high - low; distance = distance ? 2 * distance : 1) {
		const size_t ends[] = {middle + distance, middle - distance};

		for (size_t i = 0; i < (distance ? 2 : 1); i++) {
			enum answer answer;

			if (ends[i] <= low || ends[i] >= high)
				continue;
			answer = ask(bisection, ends[i]);
			if (answer == UNKNOWN)
				continue;
			*ret_end = ends[i];
			return answer;
		}
	}
	*ret_end = low;
	return UNKNOWN;
}

static void say_range(const struct bisection *bisection, size_t low, size_t high)
{
	const struct kiln_rule *first = kiln_policy_rule(bisection->policy, low);
	const struct kiln_rule *last = kiln_policy_rule(bisection->policy, high - 1);

	cli_trouble("the command cannot tell between %s:%u and %s:%u, wherever that was tried: it "
		    "is one of these %zu rules",
		    first->path, first->line, last->path, last->line, high - low);
}

/*
 * Finds the rule without which those found before, and what is in front of it, pass; END:
 * so many rules fail. It is marked, and *RET_INDEX is its place.
 */
static enum cli_status find_next(struct bisection *bisection, size_t end, size_t *ret_index)
{
	size_t low = 0, high = end, middle;

	while (high - low > 1) {
		switch (ask_between(bisection, low, high, &middle)) {
		case PASSES:
			low = middle;
			break;
		case FAILS:
			high = middle;
			break;
		case UNKNOWN:
			say_range(bisection, low, high);
			return CLI_TROUBLE;
		case TROUBLE:
			return CLI_TROUBLE;
		}
	}
	*ret_index = high - 1;
	bisection->is_found[high - 1] = true;
	return CLI_OK;
}

static enum cli_status check_ends(struct bisection *bisection)
{
	enum answer answer = ask(bisection, 0);

	if (answer == FAILS)
		cli_trouble("the command fails without any rule: it is not the policy");
	if (answer == UNKNOWN)
		cli_trouble("the command cannot tell without any rule");
	if (answer != PASSES)
		return CLI_TROUBLE;
	answer = ask(bisection, bisection->nr_rules);
	if (answer == PASSES)
		cli_trouble("the command passes with all rules: there is nothing to find");
	if (answer == UNKNOWN)
		cli_trouble("the command cannot tell with all rules");
	return answer == FAILS ? CLI_OK : CLI_TROUBLE;
}

/* One rule after the other, until they fail without any other. */
static enum cli_status search(struct bisection *bisection)
{
	enum cli_status status = check_ends(bisection);
	enum answer answer = PASSES;
	size_t end = bisection->nr_rules;

	while (status == CLI_OK && answer == PASSES) {
		status = find_next(bisection, end, &end);
		/* Without a rule in front there is none to be added. */
		answer = status == CLI_OK && end ? ask(bisection, 0) : FAILS;
		if (answer == TROUBLE)
			status = CLI_TROUBLE;
		else if (answer == UNKNOWN)
			status = cli_trouble("the command cannot tell with what was found alone");
	}
	return status;
}

static void print_found(const struct bisection *bisection)
{
	struct kiln_strbuf text;

	kiln_strbuf_init(&text);
	for (size_t i = 0; i < bisection->nr_rules; i++) {
		const struct kiln_rule *rule = kiln_policy_rule(bisection->policy, i);

		if (!bisection->is_found[i])
			continue;
		kiln_strbuf_reset(&text);
		kiln_rule_write(rule, &text);
		printf("%s:%u: %s", rule->path, rule->line, text.data);
	}
	kiln_strbuf_release(&text);
}

/* ---- the command ---- */

static enum cli_status bisect(struct bisection *bisection)
{
	enum cli_status status;

	if (!bisection->nr_rules)
		return cli_trouble("the policy has no rules");
	bisection->is_found = (bool *)calloc(bisection->nr_rules, sizeof(bool));
	if (!bisection->is_found)
		return cli_no_memory();
	status = search(bisection);
	if (status == CLI_OK) {
		/* It stays, to go on with. */
		status = write_rules(bisection, 0);
		print_found(bisection);
		cli_note("%u runs; '%s' has what was found", bisection->nr_runs, bisection->output);
	}
	free(bisection->is_found);
	return status;
}

static enum cli_status run_bisect(const struct cli_args *args)
{
	struct bisection bisection = {.output = args->output};
	struct kiln_policy *policy;
	enum cli_status status;

	if (!args->output)
		return cli_trouble(
			"-o FILE is missing: where each set of rules is written to, which the "
			"command is to use");
	status = cli_load(args->operands, 1, &policy);
	if (status != CLI_OK)
		return status;
	bisection.policy = policy;
	bisection.nr_rules = kiln_policy_nr_rules(policy);
	cli_words_init(&bisection.command, "");
	for (int i = 1; i < args->nr_operands; i++)
		cli_words_add(&bisection.command, "%s", args->operands[i]);
	status = bisect(&bisection);
	cli_words_release(&bisection.command);
	kiln_policy_free(policy);
	return status;
}

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_LETTER('o', "output", "FILE", output, "where each set of rules is written to"),
	CLI_END,
};

const struct cli_command experiment_bisect = {
	.name = "experiment bisect",
	.operands = "POLICY -- COMMAND [ARGUMENT...]",
	.min_operands = 2,
	.max_operands = -1,
	.summary = "find the rules that make a command fail",
	.details =
		"Writes some of the rules of POLICY to FILE and runs COMMAND, which builds with "
		"that\n"
		"and exits with 0 if all is well, with 125 if it cannot tell, and with 1 to 124 "
		"if\n"
		"not: a kernel that does not boot, a test that fails, a count that is too high.\n"
		"Among N rules one is found in about log2 N runs; where it takes several "
		"together,\n"
		"all of them. Included policies are part of POLICY.\n",
	.options = options,
	.run = run_bisect,
};
