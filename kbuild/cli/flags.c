// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln flags: the plain flags nearest to a policy, for a compiler without the
 * plugin, and what such flags cannot say.
 */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kiln/cpu.h"

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

/* Why a setting cannot be said in the language of the flags; NULL: it can. */
typedef const char *loss_fn(const struct kiln_setting *setting);

static const char *plain_loss(const struct kiln_setting *setting)
{
	return setting->optional ? optional_reason : lost_settings[setting->what];
}

/* What there may be for a flag's CPU in Rust, cli_rust_flags() tells. */
static const char *rust_loss(const struct kiln_setting *setting)
{
	return setting->flag ? cli_rust_loss(setting->flag) : lost_settings[setting->what];
}

static void say_lost_setting(const struct kiln_setting *setting, loss_fn *loss)
{
	const char *reason = loss(setting);

	if (reason)
		say_lost(setting->rule, setting->column, cli_setting_name(setting), NULL, reason);
}

/* A setting that a later line replaced or undid was not there to be lost. */
static void say_lost_rule(const struct kiln_rule *rule, const struct kiln_verdict *verdict,
			  loss_fn *loss)
{
	const struct kiln_place *place = lost_place(rule);

	if (place) {
		say_lost(rule, place->column, kiln_place_name(place->kind), place->glob,
			 lost_places[place->kind]);
		return;
	}
	for (unsigned i = 0; i < rule->nr_settings; i++) {
		if (cli_verdict_has(verdict, &rule->settings[i]))
			say_lost_setting(&rule->settings[i], loss);
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
			 const struct kiln_verdict *verdict, loss_fn *loss)
{
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);
		size_t alike = count_alike(policy, i);

		if (!kiln_rule_is_for(rule, arch))
			continue;
		say_lost_rule(rule, verdict, loss);
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

/* The flag whose value takes the extensions, or NULL. */
static const struct kiln_setting *extended_flag(const struct kiln_verdict *verdict)
{
	const struct kiln_setting *found = NULL;
	int found_rank = 1;

	for (size_t i = 0; i < verdict->nr_flags; i++) {
		const struct kiln_setting *setting = verdict->flags[i];
		int rank = kiln_flag_extension_rank(setting->flag);

		if (setting->optional || rank < found_rank)
			continue;
		found = setting;
		found_rank = rank;
	}
	return found;
}

/* EXTENDED alone among the flags has the extensions of VERDICT behind it. */
static void add_flag(struct kiln_strbuf *sb, const struct kiln_setting *setting,
		     const struct kiln_verdict *verdict, const struct kiln_setting *extended)
{
	kiln_strbuf_adds(sb, setting->flag);
	for (size_t i = 0; setting == extended && i < verdict->nr_flags; i++) {
		if (kiln_flag_is_extension(verdict->flags[i]->flag) && !verdict->flags[i]->optional)
			kiln_strbuf_adds(sb, verdict->flags[i]->flag);
	}
}

static enum cli_status print_flags(const struct kiln_verdict *verdict)
{
	const struct kiln_setting *extended = extended_flag(verdict);
	struct kiln_strbuf word;
	bool first = true, failed;

	kiln_strbuf_init(&word);
	for (size_t i = 0; i < verdict->nr_flags; i++) {
		const struct kiln_setting *setting = verdict->flags[i];

		if (setting->optional || kiln_flag_is_extension(setting->flag))
			continue;
		kiln_strbuf_truncate(&word, 0);
		add_flag(&word, setting, verdict, extended);
		if (!first)
			putchar(' ');
		print_word(word.data);
		first = false;
	}
	putchar('\n');
	failed = word.failed;
	kiln_strbuf_release(&word);
	return failed ? cli_no_memory() : CLI_OK;
}

/* What is taken from a CPU that is not named is nothing lost. */
static void say_lost_extensions(const struct kiln_verdict *verdict)
{
	if (extended_flag(verdict))
		return;
	for (size_t i = 0; i < verdict->nr_flags; i++) {
		const struct kiln_setting *setting = verdict->flags[i];

		if (kiln_flag_is_extension(setting->flag) && !setting->optional &&
		    !kiln_extension_is_negative(setting->flag))
			say_lost(setting->rule, setting->column, setting->flag, NULL,
				 "there is no -mcpu= or -march= here that it could be added to");
	}
}

/* A build that is to be the same everywhere says so with SOURCE_DATE_EPOCH. */
static enum cli_status check_native(const struct kiln_verdict *verdict, bool quiet)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	bool refused = epoch && *epoch;
	bool found = false;

	for (size_t i = 0; i < verdict->nr_flags; i++) {
		const struct kiln_setting *setting = verdict->flags[i];

		if (!kiln_flag_is_native(setting->flag) || (quiet && !refused))
			continue;
		found = true;
		fprintf(stderr, "%s:%u:%u: %s: '%s' is another CPU on each machine that builds%s; "
			"'kiln native -o FILE' resolves it once\n", setting->rule->path,
			setting->rule->line, setting->column, refused ? "error" : "note",
			setting->flag,
			refused ? ", and SOURCE_DATE_EPOCH asks for the same build everywhere" : "");
	}
	return found && refused ? CLI_BAD_POLICY : CLI_OK;
}

static enum cli_status print_rust_flags(const struct kiln_policy *policy,
					const struct kiln_arch *arch, const char *rustc)
{
	struct kiln_strbuf flags;
	enum cli_status status;

	kiln_strbuf_init(&flags);
	status = cli_rust_flags(policy, arch, rustc, &flags);
	if (status == CLI_OK)
		puts(flags.data);
	kiln_strbuf_release(&flags);
	return status;
}

/* A unit without a name is one that only `all` and `on` hold for. */
static enum cli_status print_policy(const struct kiln_policy *policy, const struct kiln_arch *arch,
				    const struct cli_args *args)
{
	const struct kiln_unit unit = {.arch = arch};
	struct kiln_decider *decider = kiln_decider_new(policy, &unit);
	const struct kiln_verdict *verdict;
	enum cli_status status;

	if (!decider)
		return cli_no_memory();
	verdict = kiln_decider_unit(decider);
	status = check_native(verdict, args->quiet);
	if (status == CLI_OK)
		status = args->rust ? print_rust_flags(policy, arch, args->rustc) :
				      print_flags(verdict);
	if (status == CLI_OK && !args->quiet) {
		say_all_lost(policy, arch, verdict, args->rust ? rust_loss : plain_loss);
		say_lost_extensions(verdict);
	}
	kiln_decider_free(decider);
	return status;
}

static enum cli_status run(const struct cli_args *args)
{
	const struct kiln_arch *arch;
	struct kiln_policy *policy;
	enum cli_status status;

	if (args->rustc && !args->rust)
		return cli_trouble("--rustc is of use only with --rust");
	status = cli_arch(args->arch, &arch);
	if (status != CLI_OK)
		return status;
	status = cli_load(args->operands, args->nr_operands, &policy);
	if (status != CLI_OK)
		return status;
	status = print_policy(policy, arch, args);
	kiln_policy_free(policy);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("arch", "NAME", arch, "the architecture to build for (the host's)"),
	CLI_HELP,
	CLI_SWITCH("quiet", quiet, "do not tell what is lost"),
	CLI_SWITCH("rust", rust, "print the KRUSTFLAGS for the same CPU"),
	CLI_VALUE("rustc", "RUSTC", rustc, "the Rust compiler to ask ($RUSTC, or rustc)"),
	CLI_END,
};

const struct cli_command cli_flags = {
	.name = "flags",
	.operands = "POLICY",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "print the nearest plain KCFLAGS, or KRUSTFLAGS",
	.details = "The flags that hold for every unit go to stdout, on one line; what plain\n"
		   "flags cannot say goes to stderr, line by line. With --rust they are those\n"
		   "of Rust code: what of the CPU flags rustc has too.\n",
	.options = options,
	.run = run,
};
