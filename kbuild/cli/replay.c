// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln replay: the decisions of a build as rules for single calls, and how many of them
 * hold in another build.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "keep/keep.h"
#include "make/make.h"
#include "records/records.h"

/* The calls of one function in the source of another one, in one unit. */
struct pair {
	struct keep_entry entry; /* UNIT, CALLER, CALLEE, a tab between two */
	bool is_inlined, is_refused;
	bool is_early; /* somewhere it was the early inliner */
	bool is_left;  /* the caller is left alone: rules change nothing there */
};

struct gatherer {
	struct records_reader reader;
	struct keep_table pairs;
	struct kiln_strbuf key;
	size_t nr_nameless; /* units of which the source is not known */
};

static bool add_call(struct gatherer *gatherer, const struct records_unit *unit,
		     const struct records_call *call)
{
	const struct records_body *caller = records_source(unit, unit->bodies[call->body].function);
	const struct records_body *callee = records_source(unit, call->call.callee);
	struct pair *pair;

	if (records_is_always_inline(callee) || caller == callee)
		return true;
	kiln_strbuf_reset(&gatherer->key);
	kiln_strbuf_addf(&gatherer->key, "%s\t%s\t%s", unit->unit.source, caller->name, callee->name);
	if (gatherer->key.failed)
		return false;
	pair = (struct pair *)keep_table_add(&gatherer->pairs, gatherer->key.data,
					     gatherer->key.length);
	if (!pair)
		return false;
	pair->is_left |= caller->is_left;
	pair->is_refused |= call->fate == RECORDS_REFUSED;
	pair->is_inlined |= call->fate != RECORDS_REFUSED;
	pair->is_early |= call->fate == RECORDS_EARLY;
	return true;
}

static enum cli_status see(struct records_reader *reader, const struct records_unit *unit)
{
	struct gatherer *gatherer = (struct gatherer *)(void *)reader;

	if (!unit->unit.source) {
		gatherer->nr_nameless++;
		return CLI_OK;
	}
	for (size_t i = 0; i < unit->nr_calls; i++) {
		if (!add_call(gatherer, unit, &unit->calls[i]))
			return cli_no_memory();
	}
	return CLI_OK;
}

static enum cli_status gather(struct gatherer *gatherer, const char *path, struct pair ***ret_pairs)
{
	struct records_build build;
	enum cli_status status;

	*gatherer = (struct gatherer){.reader = {.see = see}};
	*ret_pairs = NULL;
	keep_table_init(&gatherer->pairs, sizeof(struct pair));
	kiln_strbuf_init(&gatherer->key);
	status = records_find(&build, path);
	if (status == CLI_OK)
		status = records_read(&build, &gatherer->reader);
	if (status == CLI_OK) {
		records_say_gaps(&build);
		if (gatherer->nr_nameless)
			cli_note("%zu unit%s left out: the source's path is not in the record",
				 gatherer->nr_nameless, gatherer->nr_nameless == 1 ? " is" : "s are");
		*ret_pairs = (struct pair **)keep_table_sorted(&gatherer->pairs);
		status = *ret_pairs ? CLI_OK : cli_no_memory();
	}
	/* Half of the decisions would be taken for all. */
	if (status == CLI_OK && build.nr_damaged)
		status = CLI_TROUBLE;
	records_release(&build);
	return status;
}

static void release(struct gatherer *gatherer, struct pair **pairs)
{
	free(pairs);
	keep_table_release(&gatherer->pairs);
	kiln_strbuf_release(&gatherer->key);
}

/* ---- rules ---- */

static void add_rule(struct kiln_strbuf *text, const struct pair *pair)
{
	static const enum kiln_place_kind kinds[] = {KILN_FILE, KILN_FUNC, KILN_CALL};
	const struct kiln_setting setting = {.what = pair->is_inlined ? KILN_INLINE : KILN_NOINLINE};
	struct kiln_strbuf globs[3];
	struct kiln_place places[3];
	const struct kiln_rule rule = {
		.nr_places = 3, .places = places, .nr_settings = 1, .settings = &setting};
	const char *word = pair->entry.text;

	for (int i = 0; i < 3; i++) {
		size_t length = strcspn(word, "\t");

		kiln_strbuf_init(&globs[i]);
		cli_add_literal(&globs[i], word, length);
		places[i] = (struct kiln_place){.kind = kinds[i], .glob = globs[i].data};
		text->failed |= globs[i].failed;
		word += length + (word[length] == '\t');
	}
	if (!text->failed)
		kiln_rule_write(&rule, text);
	for (int i = 0; i < 3; i++)
		kiln_strbuf_release(&globs[i]);
}

/* What a rule for both functions' names can say. The early inliner's are the smallest: left out. */
static bool has_rule(const struct pair *pair)
{
	return !pair->is_left && pair->is_inlined != pair->is_refused && !pair->is_early;
}

static enum cli_status write_text(const char *output, const struct kiln_strbuf *text)
{
	if (text->failed)
		return cli_no_memory();
	if (output && strcmp(output, "-"))
		return make_write_file(output, text);
	if (fwrite(text->data, 1, text->length, stdout) != text->length || fflush(stdout))
		return cli_trouble("the rules cannot be written: %s", strerror(errno));
	return CLI_OK;
}

static enum cli_status write_rules(struct pair *const *pairs, const char *output)
{
	size_t nr_inlined = 0, nr_refused = 0, nr_mixed = 0, nr_early = 0, nr_left = 0;
	struct kiln_strbuf text;
	enum cli_status status;

	for (size_t i = 0; pairs[i]; i++) {
		if (pairs[i]->is_left)
			nr_left++;
		else if (pairs[i]->is_inlined && pairs[i]->is_refused)
			nr_mixed++;
		else if (pairs[i]->is_early)
			nr_early++;
		else if (pairs[i]->is_inlined)
			nr_inlined++;
		else
			nr_refused++;
	}
	kiln_strbuf_init(&text);
	kiln_strbuf_addf(&text,
			 "# What a build decided of calls, by its records: %zu are inlined, %zu are not.\n"
			 "# Left to GCC: %zu that are inlined in one place and not in another one, %zu that\n"
			 "# the early inliner took, %zu in functions that are left alone.\n",
			 nr_inlined, nr_refused, nr_mixed, nr_early, nr_left);
	for (size_t i = 0; pairs[i]; i++) {
		if (has_rule(pairs[i]))
			add_rule(&text, pairs[i]);
	}
	status = write_text(output, &text);
	kiln_strbuf_release(&text);
	return status;
}

/* ---- how many hold ---- */

static const char *fate_of(const struct pair *pair)
{
	if (pair->is_inlined && pair->is_refused)
		return "both";
	return pair->is_inlined ? "inlined" : "refused";
}

static void print_pair(const struct pair *pair, const struct pair *other)
{
	printf("%s\t%s\t%s\n", pair->entry.text, fate_of(pair), other ? fate_of(other) : "absent");
}

static enum cli_status compare(struct pair *const *pairs, const struct keep_table *others,
			       bool is_quiet)
{
	size_t nr_held = 0, nr_other = 0, nr_absent = 0;

	for (size_t i = 0; pairs[i]; i++) {
		const struct pair *pair = pairs[i];
		const struct pair *other = (const struct pair *)keep_table_find(
			others, pair->entry.text, pair->entry.length);

		if (pair->is_left || (pair->is_inlined && pair->is_refused))
			continue;
		if (other && other->is_inlined == pair->is_inlined &&
		    other->is_refused == pair->is_refused) {
			nr_held++;
			continue;
		}
		nr_absent += !other;
		nr_other += other != NULL;
		if (!is_quiet)
			print_pair(pair, other);
	}
	cli_note("of %zu decisions %zu hold (%.2f %%), %zu are others, %zu calls are not there",
		 nr_held + nr_other + nr_absent, nr_held,
		 nr_held ? 100.0 * (double)nr_held / (double)(nr_held + nr_other + nr_absent) : 0.0,
		 nr_other, nr_absent);
	return nr_other || nr_absent ? CLI_DIFFERENT : CLI_OK;
}

static enum cli_status check(struct pair *const *pairs, const struct cli_args *args)
{
	struct gatherer other;
	struct pair **others;
	enum cli_status status = gather(&other, args->check, &others);

	if (status == CLI_OK)
		status = compare(pairs, &other.pairs, args->quiet);
	release(&other, others);
	return status;
}

static enum cli_status run(const struct cli_args *args)
{
	struct gatherer gatherer;
	enum cli_status status;
	struct pair **pairs;

	if (args->check && args->output)
		return cli_trouble("--check writes no rules: leave --output out");
	status = gather(&gatherer, args->operands[0], &pairs);
	if (status == CLI_OK)
		status = args->check ? check(pairs, args) : write_rules(pairs, args->output);
	release(&gatherer, pairs);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("check", "OTHER", check,
		  "write no rules; tell which decisions are others in that build"),
	CLI_HELP,
	CLI_LETTER('o', "output", "FILE", output, "write the rules there, not to stdout"),
	CLI_SWITCH("quiet", quiet, "with --check: only how many"),
	CLI_END,
};

const struct cli_command cli_replay = {
	.name = "replay",
	.operands = "BUILD",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "make a build's inlining decisions a policy",
	.details =
		"BUILD is the directory of a build with records, or an object. The rules are for\n"
		"single calls, unit by unit: a later build with them, be its params others, inlines\n"
		"what that build did. What it inlined in one place and not in another is left to\n"
		"GCC: a rule knows two functions, and no single call. With --check each decision that\n"
		"is another one is a line: unit, caller, callee, what it was in BUILD and is in OTHER\n"
		"('inlined', 'refused', 'both', 'absent'), separated by tabs; the exit status is 1 if\n"
		"there is one.\n",
	.options = options,
	.run = run,
};
