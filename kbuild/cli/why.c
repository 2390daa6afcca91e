// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln why: why a function has in it what it has, by the records of a build.
 */
#include "why/why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct question {
	struct records_reader reader;
	struct why_policy policy;
	struct why_name caller;
	const char *callee; /* or NULL */
	size_t nr_answers;  /* functions that were meant, and told of */
	size_t nr_unused;   /* units that only have the source of one */
	size_t nr_found;    /* answers with a way to the callee */
	size_t nr_callees;  /* units that define the callee, */
	size_t nr_together; /* and the caller as well */
	char *callee_unit;  /* one of them */
};

/* ---- units ---- */

static enum cli_status answer(struct question *question, const struct records_unit *unit,
			      unsigned function)
{
	bool printed, found = false;

	if (question->nr_answers++)
		putchar('\n');
	printed = question->callee ? why_print_paths(&question->policy, unit, function,
						     question->callee, &found)
				   : why_print_caller(&question->policy, unit, function);
	question->nr_found += found;
	return printed ? CLI_OK : cli_no_memory();
}

static enum cli_status see_callee(struct question *question, const struct records_unit *unit,
				  unsigned function)
{
	if (!question->callee || !unit->bodies[function].settings ||
	    !why_is_named(unit, function, question->callee))
		return CLI_OK;
	if (!question->nr_callees++)
		question->callee_unit = strdup(unit->name);
	return question->callee_unit ? CLI_OK : cli_no_memory();
}

static enum cli_status see_function(struct question *question, const struct records_unit *unit,
				    unsigned function, bool *is_unused)
{
	enum cli_status status = see_callee(question, unit, function);

	if (status != CLI_OK || !why_is_meant(unit, function, &question->caller))
		return status;
	if (why_is_used(unit, function))
		return answer(question, unit, function);
	*is_unused = true;
	return CLI_OK;
}

static enum cli_status see(struct records_reader *reader, const struct records_unit *unit)
{
	struct question *question = (struct question *)(void *)reader;
	enum cli_status status = CLI_OK;
	size_t nr_callees = question->nr_callees, nr_answers = question->nr_answers;
	bool is_unused = false;

	for (unsigned i = 0; status == CLI_OK && i < unit->nr_bodies; i++) {
		if (unit->bodies[i].outer == i)
			status = see_function(question, unit, i, &is_unused);
	}
	question->nr_unused += is_unused;
	question->nr_together +=
		question->nr_callees > nr_callees && question->nr_answers > nr_answers;
	return status;
}

/* ---- all of them ---- */

/* What is known of the callee where no call of it was found. */
static enum cli_status tell_callee(const struct question *question, struct records_build *build)
{
	enum cli_status status;

	if (!question->callee || question->nr_found || question->nr_together)
		return CLI_OK;
	if (!question->nr_callees) {
		status = why_unknown(build, question->callee);
		cli_note("of what has no body in the unit there is nothing to decide, and calls of "
			 "it "
			 "are in no record");
		return status;
	}
	printf("\n%s is defined in %s", question->callee, question->callee_unit);
	if (question->nr_callees > 1)
		printf(" and %zu other units", question->nr_callees - 1);
	puts(", and GCC inlines what it has the source of in the same unit");
	return CLI_OK;
}

static enum cli_status conclude(const struct question *question, struct records_build *build)
{
	records_say_gaps(build);
	if (question->nr_answers) {
		if (question->nr_unused)
			printf("\n%zu other unit%s the source of it, and nothing came of that\n",
			       question->nr_unused, question->nr_unused == 1 ? " has" : "s have");
		return tell_callee(question, build);
	}
	if (question->nr_unused) {
		printf("%zu unit%s the source of %s, and nothing came of that: nothing calls it\n",
		       question->nr_unused, question->nr_unused == 1 ? " has" : "s have",
		       question->caller.name);
		return CLI_OK;
	}
	if (question->caller.file)
		return cli_trouble(
			"no unit of '%s' has a function '%s' of '%.*s'; 'kiln why %s %s' looks "
			"in all",
			build->path, question->caller.name, (int)question->caller.file_length,
			question->caller.file, build->path, question->caller.name);
	return why_unknown(build, question->caller.name);
}

static enum cli_status ask(struct question *question, struct records_build *build,
			   const struct cli_args *args)
{
	enum cli_status status =
		why_policy_load(&question->policy, args->policy, args->no_guard, build);

	if (status == CLI_OK)
		status = records_read(build, &question->reader);
	if (status == CLI_OK)
		status = conclude(question, build);
	why_policy_release(&question->policy);
	free(question->callee_unit);
	return status == CLI_OK && build->nr_damaged ? CLI_TROUBLE : status;
}

static enum cli_status run(const struct cli_args *args)
{
	struct question question = {.reader = {see}};
	struct records_build build;
	struct why_name callee;
	enum cli_status status;

	status = why_parse_name(args->operands[1], true, &question.caller);
	if (status == CLI_OK && args->nr_operands > 2) {
		status = why_parse_name(args->operands[2], false, &callee);
		question.callee = callee.name;
	}
	if (status != CLI_OK)
		return status;
	status = records_find(&build, args->operands[0]);
	if (status == CLI_OK)
		status = ask(&question, &build, args);
	records_release(&build);
	return status;
}

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_SWITCH("no-guard", no_guard, "leave out the built-in policy 'guard'"),
	CLI_VALUE("policy", "POLICY", policy, "what the build was made with (BUILD/.kiln.policy)"),
	CLI_END,
};

const struct cli_command cli_why = {
	.name = "why",
	.operands = "BUILD CALLER [CALLEE]",
	.min_operands = 2,
	.max_operands = 3,
	.summary = "tell why a function was inlined into another, or was not",
	.details = "BUILD is the directory of a build with records, as 'kiln make' has it, or an\n"
		   "object. CALLER is a function, FILE:NAME one of several. Of it alone: its "
		   "settings,\n"
		   "what was inlined into it and what was refused. With CALLEE: each way by which "
		   "that\n"
		   "is in CALLER, or would be, and the rule that would have it otherwise. A rule "
		   "is an\n"
		   "estimate, for GCC weighs more than a record holds: compile, and ask again.\n",
	.options = options,
	.run = run,
};
