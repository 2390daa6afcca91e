// SPDX-License-Identifier: GPL-2.0-or-later
#include "why.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* As `kiln make` leaves them in the directory of the objects. */
#define POLICY_FILE ".kiln.policy"
#define CPU_FILE    ".kiln.cpu"

/* ---- the policy ---- */

/* NULL: it cannot be read as a policy, or there is no memory; nothing is said. */
static struct kiln_policy *load_quietly(const char *name, const struct kiln_policy *cpu,
					bool no_guard)
{
	struct kiln_policy *policy = kiln_policy_new();

	if (policy && (!cpu || !kiln_policy_set_cpu(policy, cpu)) &&
	    !kiln_policy_load(policy, name, NULL) &&
	    (no_guard || !kiln_policy_load(policy, "guard", NULL)))
		return policy;
	kiln_policy_free(policy);
	return NULL;
}

static void load_cpu(struct why_policy *policy, const struct records_build *build)
{
	struct kiln_strbuf path;

	if (!build->root)
		return;
	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "%s" CPU_FILE, build->root);
	if (!path.failed && !access(path.data, R_OK))
		policy->cpu = load_quietly(path.data, NULL, true);
	kiln_strbuf_release(&path);
}

static enum cli_status load_found(struct why_policy *policy, bool no_guard,
				  const struct records_build *build)
{
	enum cli_status status = CLI_OK;
	struct kiln_strbuf path;

	if (!build->root)
		return CLI_OK;
	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "%s" POLICY_FILE, build->root);
	if (path.failed) {
		status = cli_no_memory();
	} else if (!access(path.data, F_OK)) {
		policy->policy = load_quietly(path.data, policy->cpu, no_guard);
		if (!policy->policy)
			cli_note("the policy '%s' cannot be read any more, so that the lines that "
				 "decided are not told; 'kiln check %s' says why",
				 path.data, path.data);
	}
	kiln_strbuf_release(&path);
	return status;
}

enum cli_status why_policy_load(struct why_policy *policy, const char *name, bool no_guard,
				const struct records_build *build)
{
	char guard[] = "guard";
	char *names[] = {NULL, guard};
	enum cli_status status;
	char *copy;

	*policy = (struct why_policy){.policy = NULL};
	load_cpu(policy, build);
	if (!name)
		return load_found(policy, no_guard, build);
	copy = strdup(name);
	if (!copy)
		return cli_no_memory();
	names[0] = copy;
	status = cli_load_for_cpu(policy->cpu, names, no_guard ? 1 : 2, &policy->policy);
	free(copy);
	return status;
}

void why_policy_release(struct why_policy *policy)
{
	kiln_policy_free(policy->policy);
	kiln_policy_free(policy->cpu);
}

/* ---- what it says of a function ---- */

/* The decider's answer, which lives as long as *RET_DECIDER; NULL: no memory. */
static const struct kiln_verdict *decide(const struct why_policy *policy,
					 const struct records_unit *unit,
					 const struct records_body *body,
					 struct kiln_decider **ret_decider)
{
	const struct kiln_function function = {
		.name = body->name,
		.file = body->file,
		.section = body->section,
		.is_copied = body->is_copied,
	};

	*ret_decider = kiln_decider_new(policy->policy, &unit->unit);
	if (!*ret_decider)
		return NULL;
	return body->is_left ? kiln_decider_left(*ret_decider, &function)
			     : kiln_decider_function(*ret_decider, &function);
}

static size_t count_words(const char *settings)
{
	size_t count = 0;

	for (const char *p = settings; *p; p += strcspn(p, " "), p += *p == ' ')
		count++;
	return count;
}

/* All of a verdict, one after the other; NULL: no more. */
static const struct kiln_setting *setting_of(const struct kiln_verdict *verdict, size_t index)
{
	const struct kiln_setting *const others[] = {verdict->keep, verdict->noinline,
						     verdict->inlined, verdict->leave};
	size_t left = index - verdict->nr_flags;

	if (index < verdict->nr_flags)
		return verdict->flags[index];
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		if (others[i] && !left--)
			return others[i];
	}
	return NULL;
}

static bool has_setting(const char *settings, const struct kiln_setting *setting)
{
	struct kiln_strbuf word;
	bool has;

	kiln_strbuf_init(&word);
	kiln_strbuf_addf(&word, "%s%s", setting->optional ? "?" : "", cli_setting_name(setting));
	has = records_has_word(settings, word.data);
	kiln_strbuf_release(&word);
	return has;
}

/* Does the policy say today what it said when the unit was compiled? */
static bool is_same(const struct kiln_verdict *verdict, const char *settings)
{
	const struct kiln_setting *setting;
	size_t count = 0;

	while ((setting = setting_of(verdict, count))) {
		if (!has_setting(settings, setting))
			return false;
		count++;
	}
	return count == count_words(settings);
}

static bool print_verdict(const struct kiln_verdict *verdict, const char *settings)
{
	const struct kiln_setting *setting;
	struct kiln_strbuf line;
	bool failed = false;

	if (!is_same(verdict, settings)) {
		printf("  settings: %s\n  (the policy says otherwise now, so that its lines are "
		       "not told)\n",
		       *settings ? settings : "none");
		return true;
	}
	kiln_strbuf_init(&line);
	puts(*settings ? "  settings:" : "  settings: none");
	for (size_t i = 0; (setting = setting_of(verdict, i)) && !failed; i++) {
		kiln_strbuf_reset(&line);
		kiln_strbuf_addf(&line, "    %s%s\t", setting->optional ? "?" : "",
				 cli_setting_name(setting));
		cli_add_place(&line, setting);
		failed = line.failed;
		puts(line.data);
	}
	kiln_strbuf_release(&line);
	return !failed;
}

/* Why the function is left alone, by the letters of its line. */
static void print_left(const struct records_body *body)
{
	if (!body->is_left)
		return;
	if (strchr(body->how, 'm'))
		puts("  left alone: it has variables in hard registers");
	else if (strchr(body->how, 'r'))
		puts("  left alone: a rule says so");
	else
		puts("  left alone: what is left alone by a rule calls it, or is called by it");
}

bool why_print_settings(const struct why_policy *policy, const struct records_unit *unit,
			unsigned function)
{
	const struct records_body *body = records_source(unit, function);
	const struct kiln_verdict *verdict = NULL;
	struct kiln_decider *decider = NULL;
	bool printed = true;

	if (!body->settings)
		return true;
	if (policy->policy) {
		verdict = decide(policy, unit, body, &decider);
		printed = verdict && print_verdict(verdict, body->settings);
	} else {
		printf("  settings: %s\n", *body->settings ? body->settings : "none");
	}
	kiln_decider_free(decider);
	print_left(body);
	return printed;
}

void why_add_keeper(const struct why_policy *policy, const struct records_unit *unit,
		    unsigned function, struct kiln_strbuf *sb)
{
	const struct records_body *body = records_source(unit, function);
	struct kiln_decider *decider = NULL;
	const struct kiln_verdict *verdict;
	const struct kiln_setting *setting;

	if (!policy->policy || !body->settings)
		return;
	verdict = decide(policy, unit, body, &decider);
	setting = verdict ? verdict->keep ? verdict->keep : verdict->noinline : NULL;
	if (!verdict)
		sb->failed = true;
	if (setting)
		cli_add_place(sb, setting);
	kiln_decider_free(decider);
}
