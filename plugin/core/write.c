// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/policy.h"

#include <string.h>

#include "kiln/sha256.h"
#include "kiln/strbuf.h"

#include "banned.h"

/* Would WORD, written as it is, be read as something else? */
static bool needs_quotes(const char *word, bool is_pattern)
{
	if (!*word || *word == '#' || strpbrk(word, " \t\r\""))
		return true;
	/* After a place, a flag is taken for a forgotten pattern unless it is quoted. */
	return is_pattern && (*word == '-' || *word == '+' || *word == '?');
}

static void write_word(const char *word, bool is_pattern, struct kiln_strbuf *sb)
{
	kiln_strbuf_adds(sb, " ");
	if (!needs_quotes(word, is_pattern)) {
		kiln_strbuf_adds(sb, word);
		return;
	}
	kiln_strbuf_adds(sb, "\"");
	for (; *word; word++) {
		if (*word == '"' || *word == '\\')
			kiln_strbuf_adds(sb, "\\");
		kiln_strbuf_add(sb, word, 1);
	}
	kiln_strbuf_adds(sb, "\"");
}

static void write_setting(const struct kiln_setting *setting, struct kiln_strbuf *sb)
{
	struct kiln_strbuf word;

	if (!setting->flag) {
		kiln_strbuf_addf(sb, " %s", kiln_what_name(setting->what));
		return;
	}
	kiln_strbuf_init(&word);
	kiln_strbuf_addf(&word, "%s%s", setting->optional ? "?" : "", setting->flag);
	write_word(word.data, false, sb);
	sb->failed |= word.failed;
	kiln_strbuf_release(&word);
}

void kiln_rule_write(const struct kiln_rule *rule, struct kiln_strbuf *sb)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		kiln_strbuf_addf(sb, "%s%s", i ? " " : "", kiln_place_name(rule->places[i].kind));
		if (rule->places[i].glob)
			write_word(rule->places[i].glob, true, sb);
	}
	if (rule->force)
		kiln_strbuf_adds(sb, " force");
	for (unsigned i = 0; i < rule->nr_settings; i++)
		write_setting(&rule->settings[i], sb);
	kiln_strbuf_adds(sb, "\n");
}

void kiln_policy_write(const struct kiln_policy *policy, struct kiln_strbuf *sb)
{
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++)
		kiln_rule_write(kiln_policy_rule(policy, i), sb);
}

int kiln_policy_digest(const struct kiln_policy *policy, char ret_digest[KILN_SHA256_SIZE])
{
	struct kiln_strbuf text;
	bool failed;

	kiln_strbuf_init(&text);
	kiln_policy_write(policy, &text);
	failed = text.failed;
	if (!failed)
		kiln_sha256(text.data, text.length, ret_digest);
	kiln_strbuf_release(&text);
	return failed ? -1 : 0;
}
