// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln explain: which settings hold for a function or a unit, which line of
 * the policy said so, and what became of the others.
 *
 * What holds is the core's answer. A setting of a matching rule that is not in
 * the answer was taken away by a later one, which is looked for here.
 */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kiln/treepath.h"

/* The question: paths as the policy spells them. */
struct question {
	struct kiln_strbuf source;
	struct kiln_strbuf object;
	struct kiln_strbuf defined_in;
	struct kiln_unit unit;
	struct kiln_function function;
	bool has_function;
};

/* The settings of all rules that match, in policy order. */
struct matches {
	const struct kiln_setting **settings;
	size_t count;
	struct kiln_calls calls; /* the decider's answer */
};

/* ---- the question ---- */

/* A kernel tree's root above PATH, or else the working directory. */
static int init_tree(struct kiln_tree *tree, const char *cwd, const char *path)
{
	struct kiln_strbuf root;
	bool found;
	int result;

	kiln_strbuf_init(&root);
	found = kiln_tree_find(cwd, path, &root);
	result = kiln_tree_init(tree, cwd, found ? root.data : NULL);
	kiln_strbuf_release(&root);
	return result;
}

/* fs/open.c makes fs/open.o, as kbuild has it. */
static void derive_object(struct question *question)
{
	const char *source = question->source.data;
	const char *slash = strrchr(source, '/');
	const char *dot = strrchr(slash ? slash : source, '.');

	kiln_strbuf_add(&question->object, source, dot ? (size_t)(dot - source) : strlen(source));
	kiln_strbuf_adds(&question->object, ".o");
}

static int fill_paths(struct question *question, const struct kiln_tree *tree,
		      const struct cli_args *args)
{
	if (kiln_tree_path(tree, args->operands[1], &question->source))
		return -1;
	if (args->defined_in && kiln_tree_path(tree, args->defined_in, &question->defined_in))
		return -1;
	if (args->object)
		return kiln_tree_path(tree, args->object, &question->object);
	derive_object(question);
	return question->object.failed ? -1 : 0;
}

static void fill_question(struct question *question, const struct cli_args *args)
{
	question->unit.source = question->source.data;
	question->unit.object = question->object.data;
	question->has_function = args->nr_operands > 2;
	question->function.name = question->has_function ? args->operands[2] : NULL;
	question->function.file = args->defined_in ? question->defined_in.data : NULL;
	question->function.section = args->section;
}

static enum cli_status read_question(struct question *question, const struct cli_args *args)
{
	char *cwd = getcwd(NULL, 0);
	struct kiln_tree tree;
	int failed;

	if (!cwd)
		return cli_trouble("the working directory cannot be found");
	failed = init_tree(&tree, cwd, args->operands[1]);
	if (!failed)
		failed = fill_paths(question, &tree, args);
	kiln_tree_release(&tree);
	free(cwd);
	if (failed)
		return cli_no_memory();
	fill_question(question, args);
	return CLI_OK;
}

static void init_question(struct question *question)
{
	memset(question, 0, sizeof(*question));
	kiln_strbuf_init(&question->source);
	kiln_strbuf_init(&question->object);
	kiln_strbuf_init(&question->defined_in);
}

static void release_question(struct question *question)
{
	kiln_strbuf_release(&question->source);
	kiln_strbuf_release(&question->object);
	kiln_strbuf_release(&question->defined_in);
}

static bool rule_matches(const struct question *question, const struct kiln_rule *rule)
{
	return kiln_rule_holds(rule, &question->unit,
				question->has_function ? &question->function : NULL);
}

/* ---- what matched ---- */

static size_t count_settings(const struct kiln_policy *policy)
{
	size_t count = 0;

	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++)
		count += kiln_policy_rule(policy, i)->nr_settings;
	return count;
}

static int find_matches(const struct question *question, const struct kiln_policy *policy,
			struct matches *ret_matches)
{
	size_t size = (count_settings(policy) + 1) * sizeof(ret_matches->settings[0]);

	ret_matches->count = 0;
	ret_matches->settings = (const struct kiln_setting **)malloc(size);
	if (!ret_matches->settings)
		return -1;
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);

		if (!rule_matches(question, rule))
			continue;
		for (unsigned s = 0; s < rule->nr_settings; s++)
			ret_matches->settings[ret_matches->count++] = &rule->settings[s];
	}
	return 0;
}

/* ---- what became of it ---- */

static bool is_left(const struct kiln_verdict *verdict, const struct kiln_setting *setting)
{
	return verdict->leave && !setting->rule->force && setting->what != KILN_KEEP &&
	       setting->what != KILN_LEAVE && setting->what != KILN_DEFAULT;
}

/* Where two rules are for the same calls, the later one holds. */
static bool holds_for_calls(const struct kiln_calls *calls, const struct kiln_setting *setting)
{
	const char *callee = kiln_call_rule_callee(setting->rule);

	for (size_t i = calls->nr_rules; i--;) {
		const struct kiln_rule *rule = calls->rules[i];

		if (!strcmp(kiln_call_rule_callee(rule), callee))
			return setting == &rule->settings[rule->nr_settings - 1];
	}
	return false;
}

static bool holds(const struct matches *matches, const struct kiln_verdict *verdict,
		  const struct kiln_setting *setting)
{
	if (kiln_call_rule_callee(setting->rule))
		return holds_for_calls(&matches->calls, setting);
	return cli_verdict_has(verdict, setting);
}

/* `inline` and (keep or noinline) undo each other. */
static bool are_opposites(enum kiln_what a, enum kiln_what b)
{
	return (a == KILN_INLINE && (b == KILN_KEEP || b == KILN_NOINLINE)) ||
	       (b == KILN_INLINE && (a == KILN_KEEP || a == KILN_NOINLINE));
}

/* What LATER does to SETTING: words for "by LATER"; NULL: nothing. */
static const char *effect(const struct kiln_setting *later, const struct kiln_setting *setting)
{
	const char *callee = kiln_call_rule_callee(later->rule);
	const char *other = kiln_call_rule_callee(setting->rule);

	if (callee)
		return other && !strcmp(callee, other) ? "replaced" : NULL;
	if (other && later->what != KILN_DEFAULT)
		return NULL;
	if (later->what == KILN_DEFAULT || are_opposites(later->what, setting->what))
		return "undone";
	if (later->what != setting->what)
		return NULL;
	if (later->what == KILN_FLAG && !kiln_flag_same_key(later->flag, setting->flag))
		return NULL;
	return "replaced";
}

static void add_fate(struct kiln_strbuf *line, const char *what, const struct kiln_setting *by)
{
	kiln_strbuf_addf(line, "%s by ", what);
	cli_add_place(line, by);
}

/* Why setting INDEX of MATCHES does not hold. */
static void add_reason(struct kiln_strbuf *line, const struct matches *matches, size_t index,
		       const struct kiln_verdict *verdict)
{
	for (size_t i = index + 1; i < matches->count; i++) {
		const struct kiln_setting *later = matches->settings[i];
		const char *what = effect(later, matches->settings[index]);

		if (!what || is_left(verdict, later))
			continue;
		add_fate(line, what, later);
		return;
	}
	if (verdict->leave)
		add_fate(line, "left alone", verdict->leave);
	else
		kiln_strbuf_adds(line, "does not hold");
}

static void add_scope(struct kiln_strbuf *line, const struct question *question,
		      const struct kiln_rule *rule)
{
	const char *callee = kiln_call_rule_callee(rule);

	if (callee)
		kiln_strbuf_addf(line, "call %s", callee);
	else
		kiln_strbuf_adds(line, kiln_rule_holds(rule, &question->unit, NULL) ? "unit"
										     : "function");
}

/* SETTING <tab> PLACE <tab> SCOPE <tab> FATE */
static void print_setting(struct kiln_strbuf *line, const struct question *question,
			  const struct matches *matches, size_t index,
			  const struct kiln_verdict *verdict)
{
	const struct kiln_setting *setting = matches->settings[index];

	kiln_strbuf_reset(line);
	kiln_strbuf_addf(line, "%s%s\t", setting->optional ? "?" : "", cli_setting_name(setting));
	cli_add_place(line, setting);
	kiln_strbuf_adds(line, "\t");
	add_scope(line, question, setting->rule);
	kiln_strbuf_adds(line, "\t");
	if (holds(matches, verdict, setting))
		kiln_strbuf_adds(line, "holds");
	else
		add_reason(line, matches, index, verdict);
	puts(line->data);
}

/* A `default` has no line of its own: it shows in those of what it undid. */
static enum cli_status print_matches(const struct question *question, const struct matches *matches,
				     const struct kiln_verdict *verdict)
{
	struct kiln_strbuf line;
	bool failed = false;

	kiln_strbuf_init(&line);
	for (size_t i = 0; i < matches->count && !failed; i++) {
		if (matches->settings[i]->what != KILN_DEFAULT)
			print_setting(&line, question, matches, i, verdict);
		failed = line.failed;
	}
	kiln_strbuf_release(&line);
	return failed ? cli_no_memory() : CLI_OK;
}

/* ---- the answer ---- */

static enum cli_status print_answer(const struct question *question,
				    const struct kiln_policy *policy, struct kiln_decider *decider,
				    const struct kiln_verdict *verdict)
{
	struct matches matches = {.count = 0};
	enum cli_status status;

	if (find_matches(question, policy, &matches) ||
	    (question->has_function && kiln_decider_calls(decider, &question->function,
							  verdict->leave != NULL, &matches.calls))) {
		free(matches.settings);
		return cli_no_memory();
	}
	if (!matches.count)
		cli_note("no rule holds for %s%s%s",
			 question->has_function ? question->function.name : "",
			 question->has_function ? " of " : "", question->unit.source);
	status = print_matches(question, &matches, verdict);
	free(matches.settings);
	return status;
}

static enum cli_status answer(const struct question *question, const struct kiln_policy *policy)
{
	struct kiln_decider *decider = kiln_decider_new(policy, &question->unit);
	const struct kiln_verdict *verdict;
	enum cli_status status;

	if (!decider)
		return cli_no_memory();
	verdict = question->has_function ? kiln_decider_function(decider, &question->function)
					 : kiln_decider_unit(decider);
	status = verdict ? print_answer(question, policy, decider, verdict) : cli_no_memory();
	kiln_decider_free(decider);
	return status;
}

/* The guard comes last, as in the plugin. */
static enum cli_status load(const struct cli_args *args, struct kiln_policy **ret_policy)
{
	char guard[] = "guard";
	char *names[] = {args->operands[0], guard};

	return cli_load(names, args->no_guard ? 1 : 2, ret_policy);
}

static enum cli_status explain(struct question *question, const struct cli_args *args)
{
	struct kiln_policy *policy;
	enum cli_status status;

	status = cli_arch(args->arch, &question->unit.arch);
	if (status != CLI_OK)
		return status;
	status = read_question(question, args);
	if (status != CLI_OK)
		return status;
	status = load(args, &policy);
	if (status != CLI_OK)
		return status;
	status = answer(question, policy);
	kiln_policy_free(policy);
	return status;
}

static enum cli_status run(const struct cli_args *args)
{
	struct question question;
	enum cli_status status;

	if (args->nr_operands < 3 && (args->defined_in || args->section))
		return cli_trouble("--%s says something of a function, but none is named",
				   args->section ? "section" : "defined-in");
	init_question(&question);
	status = explain(&question, args);
	release_question(&question);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("arch", "NAME", arch, "the architecture compiled for (the host's)"),
	CLI_VALUE("defined-in", "PATH", defined_in, "where FUNCTION is defined (in FILE)"),
	CLI_HELP,
	CLI_SWITCH("no-guard", no_guard, "leave out the built-in policy 'guard'"),
	CLI_VALUE("object", "PATH", object, "the object made (FILE with .o at its end)"),
	CLI_VALUE("section", "NAME", section, "the section the source puts FUNCTION in (none)"),
	CLI_END,
};

const struct cli_command cli_explain = {
	.name = "explain",
	.operands = "POLICY FILE [FUNCTION]",
	.min_operands = 2,
	.max_operands = 3,
	.summary = "tell which settings hold and which line said so",
	.details = "FUNCTION of the unit FILE, or FILE as a whole. A line for each setting of\n"
		   "each rule that matches, fields separated by tabs: the setting; its place in\n"
		   "the policy; its scope: unit, function or call; what became of it.\n",
	.options = options,
	.run = run,
};
