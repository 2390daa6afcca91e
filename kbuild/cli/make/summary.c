// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a build did with a policy, by the records of its units. A rule that held
 * nowhere is told of: a misspelt name is one.
 */
#include "make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../keep/keep.h"
#include "../records/records.h"
#include "kiln/glob.h"
#include "kiln/record.h"

/* So many rules are told of one by one. */
#define LIST_LENGTH 10

/* The rules that name a function, by its name. */
struct named {
	struct keep_entry entry;
	size_t *rules;
	size_t nr_rules;
};

struct summary {
	struct make_walker walker;
	struct kiln_record_visitor visitor;
	struct kiln_strbuf text;
	struct kiln_strbuf path;
	const struct kiln_policy *policy;
	const struct kiln_arch *arch;
	bool *held;        /* of each rule */
	size_t *others;    /* rules of functions by a pattern, and of units, that did not hold yet */
	size_t nr_others;
	struct keep_table named;
	const char *unit_settings;
	size_t units, functions, own, kept, left;
};

static const char *literal_function(const struct kiln_rule *rule)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		if (rule->places[i].kind == KILN_FUNC && kiln_glob_is_literal(rule->places[i].glob))
			return rule->places[i].glob;
	}
	return NULL;
}

static void add_rule(struct summary *summary, size_t index)
{
	const char *name = literal_function(kiln_policy_rule(summary->policy, index));
	struct named *named;
	size_t *grown;

	if (!name) {
		summary->others[summary->nr_others++] = index;
		return;
	}
	named = (struct named *)keep_table_add(&summary->named, name, strlen(name));
	if (!named)
		return;
	grown = (size_t *)realloc(named->rules, (named->nr_rules + 1) * sizeof(*grown));
	if (!grown) {
		summary->named.failed = true;
		return;
	}
	named->rules = grown;
	named->rules[named->nr_rules++] = index;
}

static void try_named(struct summary *summary, const struct kiln_unit *unit,
		      const struct kiln_function *function)
{
	const struct named *named = (const struct named *)keep_table_find(
		&summary->named, function->name, strlen(function->name));

	for (size_t i = 0; named && i < named->nr_rules; i++) {
		size_t index = named->rules[i];

		if (!summary->held[index])
			summary->held[index] = kiln_rule_holds(
				kiln_policy_rule(summary->policy, index), unit, function);
	}
}

static void try_others(struct summary *summary, const struct kiln_unit *unit,
		       const struct kiln_function *function)
{
	size_t left = 0;

	for (size_t i = 0; i < summary->nr_others; i++) {
		size_t index = summary->others[i];

		summary->held[index] =
			kiln_rule_holds(kiln_policy_rule(summary->policy, index), unit, function);
		if (!summary->held[index])
			summary->others[left++] = index;
	}
	summary->nr_others = left;
}

static void visit(struct kiln_record_visitor *visitor, const struct kiln_unit *unit,
		  const struct kiln_function *function, const char *settings, bool left)
{
	struct summary *summary = (struct summary *)(void *)((char *)visitor -
						     offsetof(struct summary, visitor));

	try_others(summary, unit, function);
	if (!function) {
		summary->unit_settings = settings;
		summary->units++;
		return;
	}
	try_named(summary, unit, function);
	summary->functions++;
	summary->left += left;
	summary->own += !left && strcmp(settings, summary->unit_settings) != 0;
	summary->kept += records_has_word(settings, "keep");
}

static bool is_users(const struct kiln_rule *rule)
{
	return rule->path[0] != '<';
}

static void say_unheld(const struct summary *summary)
{
	size_t shown = 0, users = 0, builtin = 0;

	for (size_t i = 0; i < kiln_policy_nr_rules(summary->policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(summary->policy, i);

		if (summary->held[i] || !strcmp(rule->path, "<built-in guard>") ||
		    !kiln_rule_is_for(rule, summary->arch))
			continue;
		users += is_users(rule);
		builtin += !is_users(rule);
		if (is_users(rule) && shown++ < LIST_LENGTH)
			fprintf(stderr, "%s:%u: note: this rule held for nothing that was built\n",
				rule->path, rule->line);
	}
	if (users > LIST_LENGTH)
		cli_note("and so did %zu more of your rules", users - LIST_LENGTH);
	if (builtin)
		cli_note("%zu rules of built-in policies held for nothing that was built", builtin);
}

static enum cli_status see_file(struct make_walker *walker, const FTSENT *entry)
{
	struct summary *summary = (struct summary *)(void *)walker;
	enum kiln_record_state state;

	if (!make_ends_with(entry, MAKE_RECORD_END) || !make_has_object(&summary->path, entry) ||
	    !make_read_file(entry->fts_accpath, &summary->text))
		return CLI_OK;
	if (kiln_record_visit(summary->text.data, summary->text.length, &summary->visitor, &state))
		return cli_no_memory();
	return CLI_OK;
}

static void say(const struct summary *summary)
{
	if (!summary->units)
		return;
	cli_note("%zu units, %zu functions: %zu with settings of their own, %zu kept, %zu left alone",
		 summary->units, summary->functions, summary->own, summary->kept, summary->left);
	say_unheld(summary);
}

static void release(struct summary *summary)
{
	for (size_t i = 0; i < summary->named.nr_slots; i++) {
		struct named *named = (struct named *)summary->named.slots[i];

		if (named)
			free(named->rules);
	}
	keep_table_release(&summary->named);
	kiln_strbuf_release(&summary->text);
	kiln_strbuf_release(&summary->path);
	free(summary->held);
	free(summary->others);
}

enum cli_status make_summary(const char *directory, const struct kiln_policy *policy,
			     const struct kiln_arch *arch)
{
	size_t count = kiln_policy_nr_rules(policy);
	struct summary summary = {
		.walker = {see_file},
		.visitor = {visit},
		.policy = policy,
		.arch = arch,
		.held = (bool *)calloc(count + 1, sizeof(bool)),
		.others = (size_t *)calloc(count + 1, sizeof(size_t)),
	};
	enum cli_status status = CLI_OK;

	kiln_strbuf_init(&summary.text);
	kiln_strbuf_init(&summary.path);
	keep_table_init(&summary.named, sizeof(struct named));
	for (size_t i = 0; summary.held && summary.others && i < count; i++)
		add_rule(&summary, i);
	if (!summary.held || !summary.others || summary.named.failed)
		status = cli_no_memory();
	if (status == CLI_OK)
		status = make_walk(directory, &summary.walker);
	if (status == CLI_OK)
		say(&summary);
	release(&summary);
	return status;
}
