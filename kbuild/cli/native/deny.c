// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The built-in policy `deny`: its settings for one architecture, and the
 * comment above each group of lines, which is the reason.
 */
#include "native.h"

#include <stdlib.h>
#include <string.h>

#include "kiln/builtin.h"

static const char name[] = "deny";

/* Line NUMBER of TEXT, from 1. */
static const char *find_line(const char *text, unsigned number)
{
	while (--number) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return text;
}

static bool is_comment(const char *text, unsigned number)
{
	return number && *find_line(text, number) == '#';
}

/* The comment lines from FIRST up to LAST, as one line. */
static char *join_comment(const char *text, unsigned first, unsigned last)
{
	struct kiln_strbuf joined;
	char *result;

	kiln_strbuf_init(&joined);
	for (; first <= last; first++) {
		const char *line = find_line(text, first) + 1;

		line += *line == ' ';
		if (joined.length)
			kiln_strbuf_adds(&joined, " ");
		kiln_strbuf_add(&joined, line, strcspn(line, "\n"));
	}
	result = joined.failed ? NULL : strdup(joined.data);
	kiln_strbuf_release(&joined);
	return result;
}

/* Of the rule in line NUMBER; NULL: no memory. */
static char *find_reason(const char *text, unsigned number)
{
	unsigned first, last;

	for (last = number - 1; last && !is_comment(text, last); last--) {
		const char *line = find_line(text, last);

		if (*line == '\n')
			return strdup("");
	}
	for (first = last; first && is_comment(text, first - 1); first--)
		;
	return last ? join_comment(text, first, last) : strdup("");
}

static bool add_rule(struct native_denials *denials, const char *text, const struct kiln_rule *rule)
{
	size_t count = denials->count + rule->nr_settings;
	struct native_denial *list;

	list = (struct native_denial *)realloc(denials->list, (count + 1) * sizeof(*list));
	if (!list)
		return false;
	denials->list = list;
	for (unsigned i = 0; i < rule->nr_settings; i++) {
		struct native_denial *denial = &list[denials->count];

		if (rule->settings[i].what != KILN_FLAG)
			continue;
		denial->flag = rule->settings[i].flag;
		denial->reason = find_reason(text, rule->line);
		if (!denial->reason)
			return false;
		denials->count++;
	}
	return true;
}

static enum cli_status add_rules(struct native_denials *denials, const struct kiln_unit *unit)
{
	const struct kiln_builtin *builtin = kiln_builtin_find(name);

	for (size_t i = 0; i < kiln_policy_nr_rules(denials->policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(denials->policy, i);

		if (kiln_rule_holds(rule, unit, NULL) && !add_rule(denials, builtin->text, rule))
			return cli_no_memory();
	}
	return CLI_OK;
}

enum cli_status native_denials_load(struct native_denials *denials, const struct kiln_arch *arch)
{
	const struct kiln_unit unit = {.arch = arch};
	char *names[] = {(char *)name};
	enum cli_status status;

	*denials = (struct native_denials){.policy = NULL};
	status = cli_load(names, 1, &denials->policy);
	return status == CLI_OK ? add_rules(denials, &unit) : CLI_TROUBLE;
}

void native_denials_release(struct native_denials *denials)
{
	for (size_t i = 0; i < denials->count; i++)
		free(denials->list[i].reason);
	free(denials->list);
	kiln_policy_free(denials->policy);
	*denials = (struct native_denials){.policy = NULL};
}
