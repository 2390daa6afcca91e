// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/policy.h"

#include <stdlib.h>

#include "store.h"

#include "banned.h"

struct kiln_text {
	struct kiln_text *next;
	struct kiln_strbuf buffer;
};

struct kiln_policy *kiln_policy_new(void)
{
	struct kiln_policy *policy = (struct kiln_policy *)calloc(1, sizeof(*policy));

	if (!policy)
		return NULL;
	kiln_arena_init(&policy->arena);
	kiln_parser_init(&policy->parser, &policy->arena);
	return policy;
}

void kiln_policy_free(struct kiln_policy *policy)
{
	if (!policy)
		return;
	for (struct kiln_text *t = policy->texts; t; t = t->next)
		kiln_strbuf_release(&t->buffer);
	kiln_parser_release(&policy->parser);
	kiln_arena_release(&policy->arena);
	free(policy->rules);
	free(policy->files);
	free(policy);
}

size_t kiln_policy_nr_rules(const struct kiln_policy *policy)
{
	return policy->nr_rules;
}

const struct kiln_rule *kiln_policy_rule(const struct kiln_policy *policy, size_t index)
{
	return policy->rules[index];
}

size_t kiln_policy_nr_files(const struct kiln_policy *policy)
{
	return policy->nr_files;
}

const char *kiln_policy_file(const struct kiln_policy *policy, size_t index)
{
	return policy->files[index];
}

bool kiln_rule_names(const struct kiln_rule *rule, enum kiln_place_kind kind)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		if (rule->places[i].kind == kind)
			return true;
	}
	return false;
}

struct kiln_strbuf *kiln_policy_new_text(struct kiln_policy *policy)
{
	struct kiln_text *text;

	text = (struct kiln_text *)kiln_arena_alloc(&policy->arena, sizeof(*text));
	if (!text)
		return NULL;
	kiln_strbuf_init(&text->buffer);
	text->next = policy->texts;
	policy->texts = text;
	return &text->buffer;
}

int kiln_policy_add_rule(struct kiln_policy *policy, const struct kiln_rule *rule)
{
	void *grown = kiln_grow(policy->rules, policy->nr_rules, &policy->rules_capacity,
				sizeof(*policy->rules));

	if (!grown)
		return -1;
	policy->rules = (const struct kiln_rule **)grown;
	policy->rules[policy->nr_rules++] = rule;
	return 0;
}

int kiln_policy_add_file(struct kiln_policy *policy, const char *path)
{
	void *grown = kiln_grow(policy->files, policy->nr_files, &policy->files_capacity,
				sizeof(*policy->files));

	if (!grown)
		return -1;
	policy->files = (const char **)grown;
	policy->files[policy->nr_files++] = path;
	return 0;
}

int kiln_policy_set_cpu(struct kiln_policy *policy, const struct kiln_policy *cpu)
{
	for (size_t i = 0; i < cpu->nr_files; i++) {
		if (kiln_policy_add_file(policy, cpu->files[i]))
			return -1;
	}
	policy->parser.cpu = cpu;
	return 0;
}
