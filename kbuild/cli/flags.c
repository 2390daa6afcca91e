// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln flags: the plain flags nearest to a policy, for a compiler without the
 * plugin, and what such flags cannot say.
 */
#include "cli.h"

#include <stdio.h>
#include <string.h>

static const char reach[] = "plain flags reach every function of every unit alike";

/* Why plain flags cannot narrow a rule to such places; NULL: they need not. */
static const char *const lost_places[] = {
	[KILN_ALL] = NULL,   [KILN_ON] = NULL,       [KILN_FILE] = reach,
	[KILN_FUNC] = reach, [KILN_SECTION] = reach, [KILN_CALL] = reach,
};

/* The same for settings. `default` and `leave` are obeyed by leaving flags out. */
static const char *const lost_settings[] = {
	[KILN_FLAG] = NULL,
	[KILN_DEFAULT] = NULL,
	[KILN_LEAVE] = NULL,
	[KILN_KEEP] = "no flag keeps functions whole",
	[KILN_NOINLINE] = "no flag says it of some functions and of nothing else",
	[KILN_INLINE] = "no flag says it of some functions and of nothing else",
};

static const char optional_reason[] =
	"a plain compiler that does not know the flag would stop at it";

/* So many rules lost alike are not told one by one. */
#define LIST_LENGTH 10

static bool is_for_arch(const struct kiln_rule *rule, const struct kiln_arch *arch)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		const struct kiln_place *place = &rule->places[i];

		if (place->kind == KILN_ON && !(arch && kiln_arch_matches(arch, place->glob)))
			return false;
	}
	return true;
}

static const struct kiln_place *lost_place(const struct kiln_rule *rule)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		if (lost_places[rule->places[i].kind])
			return &rule->places[i];
	}
	return NULL;
}

static void say_lost(const struct kiln_rule *rule, unsigned column, const char *what,
		     const char *detail, const char *reason)
{
	fprintf(stderr, "%s:%u:%u: note: '%s%s%s' is lost: %s\n", rule->path, rule->line, column,
		what, detail ? " " : "", detail ? detail : "", reason);
}

static void say_lost_setting(const struct kiln_setting *setting)
{
	const char *reason = setting->optional ? optional_reason : lost_settings[setting->what];

	if (reason)
		say_lost(setting->rule, setting->column, cli_setting_name(setting), NULL, reason);
}

/* A setting that a later line replaced or undid was not there to be lost. */
static void say_lost_rule(const struct kiln_rule *rule, const struct kiln_verdict *verdict)
{
	const struct kiln_place *place = lost_place(rule);

	if (place) {
		say_lost(rule, place->column, kiln_place_name(place->kind), place->glob,
			 lost_places[place->kind]);
		return;
	}
	for (unsigned i = 0; i < rule->nr_settings; i++) {
		if (cli_verdict_has(verdict, &rule->settings[i]))
			say_lost_setting(&rule->settings[i]);
	}
}

/* Two rules of one file that are lost for the same kind of place. */
static bool are_lost_alike(const struct kiln_rule *a, const struct kiln_rule *b)
{
	const struct kiln_place *one = lost_place(a), *other = lost_place(b);

	return one && other && one->kind == other->kind && strcmp(a->path, b->path) == 0;
}

/* How many rules from number FIRST on, of all architectures, are lost alike. */
static size_t count_alike(const struct kiln_policy *policy, size_t first)
{
	const struct kiln_rule *rule = kiln_policy_rule(policy, first);
	size_t end = first + 1;

	while (end < kiln_policy_nr_rules(policy) &&
	       are_lost_alike(rule, kiln_policy_rule(policy, end)))
		end++;
	return end - first;
}

/* Of a list, a keep list for instance, one line speaks for the others. */
static void say_all_lost(const struct kiln_policy *policy, const struct kiln_arch *arch,
			 const struct kiln_verdict *verdict)
{
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);
		size_t alike = count_alike(policy, i);

		if (!is_for_arch(rule, arch))
			continue;
		say_lost_rule(rule, verdict);
		if (alike < LIST_LENGTH)
			continue;
		i += alike - 1;
		fprintf(stderr, "%s:%u: note: and so are %zu more rules, down to this line\n", rule->path,
			kiln_policy_rule(policy, i)->line, alike - 1);
	}
}

/* As a word of the shell that a make recipe runs. */
static void print_word(const char *word)
{
	static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				       "0123456789_-=+.,:/@%";

	if (!word[strspn(word, harmless)]) {
		fputs(word, stdout);
		return;
	}
	putchar('\'');
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", stdout);
		else
			putchar(*word);
	}
	putchar('\'');
}

static void print_flags(const struct kiln_verdict *verdict)
{
	bool first = true;

	for (size_t i = 0; i < verdict->nr_flags; i++) {
		if (verdict->flags[i]->optional)
			continue;
		if (!first)
			putchar(' ');
		print_word(verdict->flags[i]->flag);
		first = false;
	}
	putchar('\n');
}

/* A unit without a name is one that only `all` and `on` hold for. */
static enum cli_status print_policy(const struct kiln_policy *policy, const struct kiln_arch *arch,
				    bool quiet)
{
	const struct kiln_unit unit = {.arch = arch};
	struct kiln_decider *decider = kiln_decider_new(policy, &unit);
	const struct kiln_verdict *verdict;

	if (!decider)
		return cli_no_memory();
	verdict = kiln_decider_unit(decider);
	print_flags(verdict);
	if (!quiet)
		say_all_lost(policy, arch, verdict);
	kiln_decider_free(decider);
	return CLI_OK;
}

static enum cli_status run(const struct cli_args *args)
{
	const struct kiln_arch *arch;
	struct kiln_policy *policy;
	enum cli_status status;

	status = cli_arch(args->arch, &arch);
	if (status != CLI_OK)
		return status;
	status = cli_load(args->operands, args->nr_operands, &policy);
	if (status != CLI_OK)
		return status;
	status = print_policy(policy, arch, args->quiet);
	kiln_policy_free(policy);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("arch", "NAME", arch, "the architecture to build for (the host's)"),
	CLI_HELP,
	CLI_SWITCH("quiet", quiet, "do not tell what is lost"),
	{NULL, NULL, NULL, 0},
};

const struct cli_command cli_flags = {
	.name = "flags",
	.operands = "POLICY",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "print the nearest plain KCFLAGS",
	.details = "The flags that hold for every unit go to stdout, on one line; what plain\n"
		   "flags cannot say goes to stderr, line by line.\n",
	.options = options,
	.run = run,
};
