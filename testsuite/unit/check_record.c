// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "alloc.h"
#include "kiln/record.h"

static struct messages messages;
static struct kiln_unit unit = {NULL, "fs/open.c", "fs/open.o"};

static const struct kiln_function functions[] = {
	{"do_sys_open", "fs/open.c", NULL, false},
	{"vfs_open", "fs/open.c", ".text.hot", false},
	{"fput_light", "include/linux/file.h", NULL, true},
	{"left_alone", "fs/open.c", NULL, false}, /* by what the call graph says */
	{"in_noinstr", "fs/open.c", ".noinstr.text", false},
};

#define NR_FUNCTIONS (sizeof(functions) / sizeof(functions[0]))

static struct kiln_policy *read_policy(const char *text)
{
	struct kiln_policy *policy = kiln_policy_new();

	messages_init(&messages);
	ck_assert_int_eq(kiln_policy_load_text(policy, "p", text, strlen(text), &messages.sink), 0);
	return policy;
}

/* What the plugin does with these functions. */
static int make_record(struct kiln_record *record, const struct kiln_policy *policy)
{
	struct kiln_decider *decider = kiln_decider_new(policy, &unit);

	if (!decider)
		return -1;
	kiln_record_begin(record, &unit, kiln_decider_unit(decider));
	for (size_t i = 0; i < NR_FUNCTIONS; i++) {
		const struct kiln_verdict *verdict = kiln_decider_function(decider, &functions[i]);
		const struct kiln_rule *rule =
			verdict && verdict->leave ? verdict->leave->rule : NULL;
		bool left = rule || !strcmp(functions[i].name, "left_alone");

		if (left)
			verdict = kiln_decider_left(decider, &functions[i]);
		if (!verdict)
			record->text.failed = true;
		else
			kiln_record_function(record, &functions[i], verdict, left, rule);
	}
	kiln_record_end(record);
	kiln_decider_free(decider);
	return record->text.failed ? -1 : 0;
}

static char *record_of(const char *policy_text)
{
	struct kiln_policy *policy = read_policy(policy_text);
	struct kiln_record record;
	char *text;

	ck_assert_int_eq(make_record(&record, policy), 0);
	text = strdup(record.text.data);
	kiln_record_release(&record);
	kiln_policy_free(policy);
	return text;
}

static enum kiln_record_state state_with(const char *record, size_t length,
					 const char *policy_text, const char *digest)
{
	struct kiln_policy *policy = read_policy(policy_text);
	char *copy = (char *)malloc(length + 1);
	enum kiln_record_state state;

	memcpy(copy, record, length);
	ck_assert_int_eq(kiln_record_compare(copy, length, policy, digest, &state), 0);
	free(copy);
	kiln_policy_free(policy);
	return state;
}

static enum kiln_record_state state_of(const char *record, size_t length, const char *policy_text)
{
	return state_with(record, length, policy_text, NULL);
}

START_TEST(what_is_written)
{
	char *record;

	unit.arch = kiln_arch_find("x86_64");
	record = record_of("all -fa\nfunc do_sys_open keep\nsection .noinstr* leave\n");
	ck_assert_str_eq(record, "kiln-record\t1\n"
				 "unit\tfs/open.c\tfs/open.o\tx86_64\n"
				 "verdict\t0\t-fa\n"
				 "verdict\t1\t-fa keep\n"
				 "function\tdo_sys_open\t1\t-\t-\t-\n"
				 "function\tvfs_open\t0\t-\t-\t.text.hot\n"
				 "function\tfput_light\t0\tc\tinclude/linux/file.h\t-\n"
				 "verdict\t2\t\n"
				 "function\tleft_alone\t2\tl\t-\t-\n"
				 "verdict\t3\tleave\n"
				 "function\tin_noinstr\t3\trsl\t-\t.noinstr.text\n"
				 "end\n");
	free(record);
}
END_TEST

/* The digest of a stamp counts only in a record that has one. */
START_TEST(stamps)
{
	static const char text[] = "all -fa\n";
	struct kiln_policy *policy = read_policy(text);
	struct kiln_decider *decider = kiln_decider_new(policy, &unit);
	struct kiln_record with, without;

	kiln_record_begin(&without, &unit, kiln_decider_unit(decider));
	kiln_record_end(&without);
	kiln_record_begin(&with, &unit, kiln_decider_unit(decider));
	kiln_record_stamp(&with, "12ab");
	kiln_record_end(&with);
	ck_assert_int_eq(state_with(without.text.data, without.text.length, text, "34cd"),
			 KILN_RECORD_HOLDS);
	ck_assert_int_eq(state_with(with.text.data, with.text.length, text, "12ab"),
			 KILN_RECORD_HOLDS);
	ck_assert_int_eq(state_with(with.text.data, with.text.length, text, NULL),
			 KILN_RECORD_HOLDS);
	ck_assert_int_eq(state_with(with.text.data, with.text.length, text, "34cd"),
			 KILN_RECORD_STALE);
	kiln_record_release(&with);
	kiln_record_release(&without);
	kiln_decider_free(decider);
	kiln_policy_free(policy);
}
END_TEST

/* What makes a difference to the unit or one of its functions, and what makes none. */
START_TEST(edited_policies)
{
	static const char before[] = "all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\n";
	static const struct {
		const char *policy;
		bool same;
	} table[] = {
		{before, true},
		{"# why\n\nsection .noinstr* leave\nall --param=p=1\nall -fa # b\nfunc vfs_o* -fb\n", true},
		{"func vfs_* -fb\nall -fa --param=p=1\nsection .noinstr* leave\n",
		 false}, /* the flags' order is another one */
		{"all -fa --param=p=1\nfunc vfs_* -fb\nfunc in_noinstr leave\n",
		 false}, /* what a section's rule leaves alone is more */
		{"# why\n\nall -fa\nall --param=p=1 # b\nsection .noinstr.text leave\nfunc vfs_o* -fb\n", true},
		{"all -fa --param=p=2\nfunc vfs_* -fb\nsection .noinstr* leave\n", false},
		{"all -fa --param=p=1\nfunc vfs_* -fc\nsection .noinstr* leave\n", false},
		{"all -fa --param=p=1\nfunc vfs_* -fb\n", false},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\nfunc no_such keep\n", true},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\nfunc fput_light keep\n", true},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\nfunc fput_light force keep\n",
		 false},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\nfunc left_alone -fz\n", true},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\nfunc left_alone leave\n", false},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\nfile mm/** -fz\n", true},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\nfile fs/open.o -fz\n", false},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\non arm64 -fz\n", true},
		{"all -fa --param=p=1\nfunc vfs_* -fb\nsection .noinstr* leave\nfile include/** noinline\n", false},
		{"", false},
	};
	static const char params[] = "all -fb --param=q=1 -fa --param=p=2 --param=r=0\n";
	char *record;

	unit.arch = kiln_arch_find("x86_64");
	record = record_of(params);
	ck_assert_msg(strstr(record, "\t-fb -fa --param=p=2 --param=q=1 --param=r=0\n") != NULL, "%s",
		      record);
	free(record);
	record = record_of(before);
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		ck_assert_msg(state_of(record, strlen(record), table[i].policy) ==
				      (table[i].same ? KILN_RECORD_HOLDS : KILN_RECORD_STALE),
			      "%s", table[i].policy);
	free(record);
}
END_TEST

START_TEST(odd_names)
{
	const struct kiln_unit before = unit;
	char *record;

	unit = (struct kiln_unit){NULL, "a\\b\tc", NULL};
	record = record_of("file \"a*\tc\" -fa\n");
	ck_assert_msg(strstr(record, "unit\ta\\\\b\\tc\t-\t-\n") != NULL, "%s", record);
	ck_assert_int_eq(state_of(record, strlen(record), "file \"a*\tc\" -fa\n"), KILN_RECORD_HOLDS);
	ck_assert_int_eq(state_of(record, strlen(record), "file \"a*tc\" -fa\n"), KILN_RECORD_STALE);
	free(record);
	unit = before;
}
END_TEST

/* A record that was cut, by a full disk or a killed compile, is never taken for a whole one. */
START_TEST(every_prefix_is_bad)
{
	static const char policy[] = "all -fa\nfunc vfs_* -fb\n";
	char *record = record_of(policy);
	size_t length = strlen(record);

	ck_assert_int_eq(state_of(record, length, policy), KILN_RECORD_HOLDS);
	for (size_t i = 0; i < length; i++)
		ck_assert_int_eq(state_of(record, i, policy), KILN_RECORD_BAD);
	free(record);
}
END_TEST

START_TEST(bad_records)
{
	static const char later[] = "kiln-record\t2\nunit\ta\tb\tc\nend\n";
	static const char *const tails[] = {
		"verdict\t9\t-fa\nend\n", "verdict\t\t-fa\nend\n",  "verdict\tx\t-fa\nend\n",
		"verdict\t0\t-fa\nend\n", "function\tf\t7\t-\t-\t-\nend\n",
		"function\tf\t0\t-\t-\nend\n", "function\tf\t0\t-\t-\t-\t-\nend\n",
		"something\nend\n", "verdict\t1\ta\\b\nend\n", "end", "\nend\n",
	};

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		char text[256];

		snprintf(text, sizeof(text), "kiln-record\t1\nunit\ta.c\ta.o\tx86_64\nverdict\t0\t-fa\n%s",
			 tails[i]);
		ck_assert_msg(state_of(text, strlen(text), "all -fa\n") == KILN_RECORD_BAD, "%s", text);
	}
	ck_assert_int_eq(state_of(later, strlen(later), ""), KILN_RECORD_BAD);
	ck_assert_int_eq(state_of("", 0, ""), KILN_RECORD_BAD);
}
END_TEST

START_TEST(every_byte_changed)
{
	static const char policy[] = "all -fa\nfunc vfs_* -fb\n";
	char *record = record_of(policy);
	size_t length = strlen(record);

	/* Nothing to expect but an answer: run under the sanitizers. */
	for (size_t i = 0; i < length; i++) {
		for (const char *byte = "\t\n\\-0\xff"; *byte; byte++) {
			char before = record[i];

			record[i] = *byte;
			state_of(record, length, policy);
			record[i] = before;
		}
	}
	free(record);
}
END_TEST

START_TEST(every_allocation_fails)
{
	struct kiln_policy *policy = read_policy("all -fa\nfunc vfs_* -fb\nfunc do_* -fc\n");
	char *whole = record_of("all -fa\nfunc vfs_* -fb\nfunc do_* -fc\n");
	bool failed = true;
	unsigned long n = 1;

	for (; failed; n++) {
		struct kiln_record record = {.numbers = NULL};
		int made;

		kiln_strbuf_init(&record.text);
		alloc_fail_at(n);
		made = make_record(&record, policy);
		failed = alloc_failed();
		alloc_stop();
		ck_assert_int_eq(made != 0, failed);
		kiln_record_release(&record);
	}
	ck_assert_uint_gt(n, 4);
	failed = true;
	for (n = 1; failed; n++) {
		char *copy = strdup(whole);
		enum kiln_record_state state;
		int compared;

		alloc_fail_at(n);
		compared = kiln_record_compare(copy, strlen(whole), policy, NULL, &state);
		failed = alloc_failed();
		alloc_stop();
		ck_assert_int_eq(compared != 0, failed);
		if (!compared)
			ck_assert_int_eq(state, KILN_RECORD_HOLDS);
		free(copy);
	}
	free(whole);
	kiln_policy_free(policy);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("record");
	TCase *tcase = tcase_create("record");

	tcase_add_test(tcase, what_is_written);
	tcase_add_test(tcase, stamps);
	tcase_add_test(tcase, edited_policies);
	tcase_add_test(tcase, odd_names);
	tcase_add_test(tcase, every_prefix_is_bad);
	tcase_add_test(tcase, bad_records);
	tcase_add_test(tcase, every_byte_changed);
	tcase_add_test(tcase, every_allocation_fails);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
