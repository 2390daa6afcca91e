// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A record: what it tells of is counted, numbers must be of what came before, and what
 * is refused says where. A record that can be read is compared with two policies: by none,
 * and by one that has a bit of everything.
 */
#include "fuzz.h"

#include "kiln/decisions.h"
#include "kiln/policy.h"
#include "kiln/record.h"

static const char rules[] = "all --param=early-inlining-insns=14\nfile fs/** -fno-gcse\n"
			    "func vfs_* keep\nfunc f leave\nsection .init.text noinline\n"
			    "func * call v* inline\nfunc f call g force noinline\n";

struct reader {
	struct kiln_record_visitor visitor;
	unsigned numbers;
	size_t visits;
};

static void visit(struct kiln_record_visitor *visitor, const struct kiln_unit *unit,
		  const struct kiln_function *function, const char *settings, bool left)
{
	struct reader *reader = (struct reader *)visitor;

	(void)left;
	REQUIRE(unit && settings);
	REQUIRE(!function == !reader->visits);
	if (function) {
		REQUIRE(function->name);
		reader->numbers++;
	}
	reader->visits++;
}

static void check_text(const char *text)
{
	REQUIRE(text && strlen(text) + 1);
}

static void decide(struct kiln_record_visitor *visitor, const struct kiln_decision *decision)
{
	struct reader *reader = (struct reader *)visitor;

	switch (decision->kind) {
	case KILN_DECIDED_FLAGS:
		check_text(decision->text);
		break;
	case KILN_DECIDED_NAME:
		check_text(decision->text);
		REQUIRE(decision->number == reader->numbers);
		reader->numbers++;
		break;
	case KILN_DECIDED_RULED:
		if (decision->why)
			check_text(decision->why);
		/* fall through */
	case KILN_DECIDED_CLONE:
		check_text(decision->text);
		/* fall through */
	case KILN_DECIDED_MERGED:
		REQUIRE(decision->number < reader->numbers && decision->other < reader->numbers);
		break;
	case KILN_DECIDED_REFUSED:
		check_text(decision->text);
		if (decision->limit)
			check_text(decision->limit);
		/* fall through */
	case KILN_DECIDED_EARLY:
		REQUIRE(decision->body < reader->numbers);
		REQUIRE(decision->call.callee < reader->numbers);
		break;
	case KILN_DECIDED_WITHIN:
	case KILN_DECIDED_INLINED:
		REQUIRE(decision->number == reader->numbers);
		REQUIRE(decision->body < reader->numbers);
		REQUIRE(decision->call.callee < reader->numbers);
		reader->numbers++;
		break;
	case KILN_DECIDED_SIZE:
	case KILN_DECIDED_CODE:
		REQUIRE(decision->number < reader->numbers);
		break;
	}
}

static void compare(const uint8_t *data, size_t size, const char *text, bool is_good)
{
	struct kiln_policy *policy = kiln_policy_new();
	enum kiln_record_state state;
	char *copy = fuzz_string(data, size);

	REQUIRE(policy);
	REQUIRE(!kiln_policy_load_text(policy, "rules", text, strlen(text), NULL));
	REQUIRE(!kiln_record_compare(copy, size, policy, NULL, &state));
	/* What comes after what the policy decides is not looked at. */
	REQUIRE(!is_good || state != KILN_RECORD_BAD);
	kiln_policy_free(policy);
	free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct reader reader = {.visitor = {.visit = visit, .decide = decide}};
	enum kiln_record_state state;
	char *copy = fuzz_string(data, size);

	REQUIRE(!kiln_record_visit(copy, size, &reader.visitor, &state));
	REQUIRE(state == KILN_RECORD_HOLDS || state == KILN_RECORD_BAD);
	if (state == KILN_RECORD_BAD)
		REQUIRE(reader.visitor.line && reader.visitor.why);
	else
		REQUIRE(reader.visits);
	free(copy);
	compare(data, size, "", state == KILN_RECORD_HOLDS);
	compare(data, size, rules, state == KILN_RECORD_HOLDS);
	return 0;
}
