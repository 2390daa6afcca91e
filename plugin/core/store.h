/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a policy consists of: policy.c keeps it, read.c fills it. Private to the
 * core.
 */
#ifndef KILN_CORE_STORE_H
#define KILN_CORE_STORE_H

#include "kiln/policy.h"
#include "kiln/strbuf.h"
#include "mem.h"
#include "rule.h"

struct kiln_text;

struct kiln_policy {
	struct kiln_arena arena;
	struct kiln_text *texts; /* what was read: the words of rules point into it */
	const struct kiln_rule **rules;
	size_t nr_rules;
	size_t rules_capacity;
	const char **files;
	size_t nr_files;
	size_t files_capacity;
	struct kiln_parser parser;
};

/* An empty buffer that lives as long as the policy; NULL: out of memory. */
struct kiln_strbuf *kiln_policy_new_text(struct kiln_policy *policy);

/* RULE and PATH must live as long as the policy; -1: out of memory. */
int kiln_policy_add_rule(struct kiln_policy *policy, const struct kiln_rule *rule);
int kiln_policy_add_file(struct kiln_policy *policy, const char *path);

#endif
