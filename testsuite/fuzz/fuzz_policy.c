// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of a policy. What could be read of it is written out and read again: the
 * same rules. Then a unit and some functions are decided, both ways there are.
 */
#include "fuzz.h"

#include "kiln/decide.h"
#include "kiln/policy.h"

static void report(struct kiln_sink *sink, const struct kiln_err *err)
{
	(void)sink;
	REQUIRE(err->text && *err->text);
	REQUIRE(!err->column || err->line);
}

static const struct kiln_function functions[] = {
	{.name = "vfs_symlink"},
	{.name = "tcp_ack", .file = "include/net/tcp.h", .is_copied = true},
	{.name = "init", .section = ".init.text"},
	{.name = "f", .file = "fs/namei.c"},
};

/* Has the verdict what the rules that hold give, as far as that can be said simply? */
static void check_verdict(const struct kiln_policy *policy, const struct kiln_unit *unit,
			  const struct kiln_function *function, const struct kiln_verdict *verdict)
{
	for (size_t i = 0; i < verdict->nr_flags; i++) {
		const struct kiln_setting *flag = verdict->flags[i];

		REQUIRE(flag->what == KILN_FLAG && flag->flag);
		REQUIRE(kiln_rule_holds(flag->rule, unit, function));
	}
	REQUIRE(!verdict->keep || kiln_rule_holds(verdict->keep->rule, unit, function));
	REQUIRE(!verdict->leave || kiln_rule_holds(verdict->leave->rule, unit, function));
	REQUIRE(kiln_policy_nr_rules(policy));
}

static void check_calls(struct kiln_decider *decider, const struct kiln_unit *unit,
			const struct kiln_function *function)
{
	struct kiln_calls calls;
	const struct kiln_setting *found;

	REQUIRE(!kiln_decider_calls(decider, function, false, &calls));
	REQUIRE(calls.nr_rules <= kiln_decider_nr_call_rules(decider));
	for (size_t i = 0; i < calls.nr_rules; i++) {
		REQUIRE(kiln_call_rule_callee(calls.rules[i]));
		REQUIRE(kiln_rule_holds(calls.rules[i], unit, function));
	}
	found = kiln_calls_find(&calls, "g");
	REQUIRE(!found || found->what == KILN_INLINE || found->what == KILN_NOINLINE);
}

static void decide(const struct kiln_policy *policy)
{
	const struct kiln_unit unit = {
		.arch = kiln_arch_find("x86_64"),
		.source = "fs/namei.c",
		.object = "fs/namei.o",
	};
	struct kiln_decider *decider = kiln_decider_new(policy, &unit);

	REQUIRE(decider);
	REQUIRE(kiln_decider_unit(decider));
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		const struct kiln_verdict *verdict = kiln_decider_function(decider, &functions[i]);

		REQUIRE(verdict);
		REQUIRE(kiln_decider_left(decider, &functions[i]));
		if (kiln_policy_nr_rules(policy))
			check_verdict(policy, &unit, &functions[i], verdict);
		check_calls(decider, &unit, &functions[i]);
	}
	kiln_decider_free(decider);
}

/* To be freed. */
static struct kiln_policy *read_again(const struct kiln_strbuf *text)
{
	struct kiln_policy *policy = kiln_policy_new();

	REQUIRE(policy);
	REQUIRE(!kiln_policy_load_text(policy, "again", text->data, text->length, NULL));
	return policy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct kiln_sink sink = {report};
	struct kiln_strbuf text, other;
	struct kiln_policy *policy;
	char *copy;

	/* Files are none of its business; built-in policies are. */
	if (memmem(data, size, "include", 7) && (memchr(data, '/', size) || memchr(data, '.', size)))
		return 0;
	policy = kiln_policy_new();
	copy = (char *)malloc(size ? size : 1);
	REQUIRE(policy && copy);
	memcpy(copy, data, size);
	if (!kiln_policy_load_text(policy, "fuzz", copy, size, &sink)) {
		struct kiln_policy *again;

		kiln_strbuf_init(&text);
		kiln_strbuf_init(&other);
		kiln_policy_write(policy, &text);
		REQUIRE(!text.failed);
		again = read_again(&text);
		REQUIRE(kiln_policy_nr_rules(again) == kiln_policy_nr_rules(policy));
		kiln_policy_write(again, &other);
		REQUIRE(text.length == other.length && !memcmp(text.data, other.data, text.length));
		decide(policy);
		kiln_policy_free(again);
		kiln_strbuf_release(&text);
		kiln_strbuf_release(&other);
	}
	kiln_policy_free(policy);
	free(copy);
	return 0;
}
