// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "alloc.h"
#include "kiln/decisions.h"
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

/* One of each kind of decision. */
static void decide(struct kiln_record *record)
{
	const struct kiln_call calls[] = {
		{.callee = 2, .line = 7}, {.callee = 1}, {.callee = 0, .line = 9, .has_growth = true, .growth = -3},
	};
	const struct kiln_sizes gone = {.size = 4, .time = 5};
	const struct kiln_sizes left = {.size = 4, .time = 5, .is_left = true, .size_after = 10, .time_after = 0};
	const struct kiln_code plain = {.frame = 8};
	const struct kiln_code odd = {-1, true, true, true, true, ".init.text"};
	unsigned clone, copy, reason;

	kiln_record_decisions(record);
	kiln_record_flags(record, "-O2 -fno-ipa-sra");
	clone = kiln_record_name(record, "vfs_open.isra.0");
	kiln_record_clone(record, clone, 1, "isra");
	kiln_record_merged(record, 4, 3);
	kiln_record_early(record, 0, calls, 2);
	copy = kiln_record_copy(record, 3, &calls[0], true);
	copy = kiln_record_copy(record, copy, &calls[1], false);
	reason = kiln_record_reason(record, "MAX_INLINE_INSNS_AUTO_LIMIT", "max-inline-insns-auto", 15);
	kiln_record_refused(record, copy, reason, &calls[1], 2);
	reason = kiln_record_reason(record, "RECURSIVE_INLINING", NULL, 0);
	kiln_record_refused(record, 0, reason, &calls[2], 1);
	kiln_record_ruled(record, 0, 1, KILN_INLINE, NULL);
	kiln_record_ruled(record, 1, 2, KILN_NOINLINE, "it is always_inline");
	kiln_record_size(record, 0, &gone);
	kiln_record_size(record, clone, &left);
	kiln_record_code(record, 0, &plain);
	kiln_record_code(record, clone, &odd);
}

static const char decided[] = "decisions\n"
			      "flags\t-O2 -fno-ipa-sra\n"
			      "name\tvfs_open.isra.0\n"
			      "clone\t5\t1\tisra\n"
			      "merged\t4\t3\n"
			      "early\t0\t2:7 1:0\n"
			      "within\t3\t2:7\n"
			      "inlined\t6\t1:0\n"
			      "reason\tMAX_INLINE_INSNS_AUTO_LIMIT\tmax-inline-insns-auto=15\n"
			      "refused\t7\t0\t1:0 0:9:-3\n"
			      "reason\tRECURSIVE_INLINING\t-\n"
			      "refused\t0\t1\t0:9:-3\n"
			      "ruled\t0\t1\tinline\n"
			      "ruled\t1\t2\tnoinline\tit is always_inline\n"
			      "size\t0\t4\t5\n"
			      "size\t5\t4\t5\t10\t0\n"
			      "code\t0\t8\n"
			      "code\t5\t-\ttcdb\t.init.text\n"
			      "end\n";

/* What the plugin does with these functions. */
static int make_record(struct kiln_record *record, const struct kiln_policy *policy)
{
	const char *names[NR_FUNCTIONS];
	struct kiln_decider *decider = kiln_decider_new(policy, &unit);

	if (!decider)
		return -1;
	kiln_record_begin(record, &unit, kiln_decider_unit(decider));
	for (size_t i = 0; i < NR_FUNCTIONS; i++) {
		const struct kiln_verdict *verdict = kiln_decider_function(decider, &functions[i]);
		const struct kiln_rule *rule =
			verdict && verdict->leave ? verdict->leave->rule : NULL;
		const struct kiln_record_how how = {
			.rule = rule,
			.left = rule || !strcmp(functions[i].name, "left_alone"),
			.by_asm = functions[i].is_copied,
			.always_inline = functions[i].is_copied,
		};

		if (how.left)
			verdict = kiln_decider_left(decider, &functions[i]);
		if (!verdict)
			record->text.failed = true;
		else
			kiln_record_function(record, &functions[i], verdict, &how);
		names[i] = functions[i].name;
	}
	for (size_t i = 0; i < NR_FUNCTIONS; i++) {
		const struct kiln_verdict *verdict = kiln_decider_function(decider, &functions[i]);
		struct kiln_calls calls;

		if (!verdict || kiln_decider_calls(decider, &functions[i],
						   verdict->leave || !strcmp(names[i], "left_alone"), &calls))
			record->text.failed = true;
		else
			kiln_record_calls(record, (unsigned)i, &calls, names, NR_FUNCTIONS);
	}
	decide(record);
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

/* Spells out what a visitor is told. */
struct speller {
	struct kiln_record_visitor visitor;
	struct kiln_strbuf text;
};

static void spell_function(struct kiln_record_visitor *visitor, const struct kiln_unit *of,
			   const struct kiln_function *function, const char *settings, bool left)
{
	struct speller *speller = (struct speller *)(void *)visitor;

	kiln_strbuf_addf(&speller->text, "%s: %s, %s, '%s'%s\n", of->source,
			 function ? function->name : "-", function ? function->file : "-", settings,
			 left ? ", left" : "");
}

static void spell_decision(struct kiln_record_visitor *visitor, const struct kiln_decision *d)
{
	struct speller *speller = (struct speller *)(void *)visitor;

	kiln_strbuf_addf(&speller->text, "%d number %u other %u body %u call %u:%u:%d text %s limit %s",
			 d->kind, d->number, d->other, d->body, d->call.callee, d->call.line,
			 d->call.has_growth ? d->call.growth : 99, d->text ? d->text : "-",
			 d->limit ? d->limit : "-");
	if (d->kind == KILN_DECIDED_RULED)
		kiln_strbuf_addf(&speller->text, " why %s", d->why ? d->why : "-");
	if (d->kind == KILN_DECIDED_SIZE)
		kiln_strbuf_addf(&speller->text, " %d %d %d %d %d", d->sizes.size, d->sizes.time,
				 d->sizes.is_left, d->sizes.size_after, d->sizes.time_after);
	if (d->kind == KILN_DECIDED_CODE)
		kiln_strbuf_addf(&speller->text, " %ld %d%d%d%d %s", d->code.frame, d->code.traceable,
				 d->code.has_cold, d->code.is_dynamic, d->code.is_bounded,
				 d->code.section ? d->code.section : "-");
	kiln_strbuf_adds(&speller->text, "\n");
}

/* What a visitor is told of TEXT; the speller is to be released. */
static enum kiln_record_state spell(struct speller *speller, const char *text, size_t length)
{
	char *copy = (char *)malloc(length + 1);
	enum kiln_record_state state;

	*speller = (struct speller){.visitor = {.visit = spell_function, .decide = spell_decision}};
	kiln_strbuf_init(&speller->text);
	memcpy(copy, text, length);
	ck_assert_int_eq(kiln_record_visit(copy, length, &speller->visitor, &state), 0);
	free(copy);
	return state;
}

START_TEST(what_is_written)
{
	char *record;

	unit.arch = kiln_arch_find("x86_64");
	record = record_of("all -fa\nfunc do_sys_open keep\nsection .noinstr* leave\n");
	ck_assert_ptr_nonnull(strstr(record, "decisions"));
	ck_assert_str_eq(strstr(record, "decisions"), decided);
	*strstr(record, "decisions") = '\0';
	ck_assert_str_eq(record, "kiln-record\t2\n"
				 "unit\tfs/open.c\tfs/open.o\tx86_64\n"
				 "verdict\t0\t-fa\n"
				 "verdict\t1\t-fa keep\n"
				 "function\tdo_sys_open\t1\n"
				 "function\tvfs_open\t0\t-\t-\t.text.hot\n"
				 "file\tinclude/linux/file.h\n"
				 "function\tfput_light\t0\tca\t1\n"
				 "verdict\t2\t\n"
				 "function\tleft_alone\t2\tl\n"
				 "verdict\t3\tleave\n"
				 "function\tin_noinstr\t3\trsl\t-\t.noinstr.text\n");
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

/* Rules for calls count where there are both functions, and nothing else is told of them. */
START_TEST(calls)
{
	static const char one[] = "func vfs_open call fput_light inline\n";
	static const struct {
		const char *before, *after;
		bool same;
	} table[] = {
		{"", "func vfs_open call no_such inline\n", true},
		{"", "func no_such call fput_light inline\n", true},
		{"", "file mm/** func vfs_open call fput_light inline\n", true},
		{"", one, false},
		{one, "", false},
		{one, one, true},
		{one, "func vfs_open call fput_* inline\n", false}, /* that may say more */
		{one, "func vfs_open call fput_light noinline\n", false},
		{one, "func vfs_open call fput_light inline\nfunc vfs_open call fput_light noinline\n", false},
		{one, "# why\nfile fs/open.c func vfs_o* call fput_light inline\n", true},
		{one, "func vfs_open call fput_light inline\nfunc vfs_open default\n", false},
		{"", "func vfs_open call fput_light inline\nfunc vfs_open default\n", true},
		{"", "func left_alone call fput_light inline\n", true},
		{"", "func left_alone call fput_light force inline\n", false},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char *record = record_of(table[i].before);

		ck_assert_msg(state_of(record, strlen(record), table[i].after) ==
				      (table[i].same ? KILN_RECORD_HOLDS : KILN_RECORD_STALE),
			      "%zu: %s", i, table[i].after);
		free(record);
	}
}
END_TEST

START_TEST(how_calls_are_written)
{
	char *record = record_of("func vfs_open call fput_* inline\nfunc do_sys_open call no_such inline\n"
				 "func vfs_* call do_sys_open noinline\n");

	ck_assert_ptr_nonnull(strstr(record, "\ncalls\t1\tfput_*\tinline\ncalls\t1\tdo_sys_open\tnoinline\n"
					     "decisions\n"));
	ck_assert_ptr_null(strstr(record, "no_such"));
	free(record);
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
	for (size_t i = 0; i < length; i++) {
		struct speller speller;

		ck_assert_int_eq(spell(&speller, record, i), KILN_RECORD_BAD);
		kiln_strbuf_release(&speller.text);
	}
	free(record);
}
END_TEST

START_TEST(bad_records)
{
	static const char earlier[] = "kiln-record\t1\nunit\ta\tb\tc\nend\n";
	static const char later[] = "kiln-record\t3\nunit\ta\tb\tc\nend\n";
	static const char *const tails[] = {
		"verdict\t9\t-fa\nend\n", "verdict\t\t-fa\nend\n",  "verdict\tx\t-fa\nend\n",
		"verdict\t0\t-fa\nend\n", "function\tf\t7\t-\t-\t-\nend\n",
		"function\tf\t0\t-\t1\nend\n", "function\tf\t0\t-\t-\t-\t-\nend\n",
		"file\ta.h\nfunction\tf\t0\t-\t2\nend\n", "file\ta.h\nfunction\tf\t0\t-\t0\nend\n",
		"function\nend\n", "file\nend\n",
		"calls\t0\tg\tinline\nend\n", "function\tf\ncalls\t0\tg\nend\n",
		"function\tf\ncalls\t0\tg\tkeep\nend\n",
		"something\nend\n", "verdict\t1\ta\\b\nend\n", "end", "\nend\n",
	};

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		char text[256];

		snprintf(text, sizeof(text), "kiln-record\t2\nunit\ta.c\ta.o\tx86_64\nverdict\t0\t-fa\n%s",
			 tails[i]);
		ck_assert_msg(state_of(text, strlen(text), "all -fa\n") == KILN_RECORD_BAD, "%s", text);
	}
	ck_assert_int_eq(state_of(later, strlen(later), ""), KILN_RECORD_BAD);
	ck_assert_int_eq(state_of(earlier, strlen(earlier), ""), KILN_RECORD_BAD);
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
			struct speller speller;
			char before = record[i];

			record[i] = *byte;
			state_of(record, length, policy);
			spell(&speller, record, length);
			kiln_strbuf_release(&speller.text);
			record[i] = before;
		}
	}
	free(record);
}
END_TEST

START_TEST(what_is_visited)
{
	char *record = record_of("all -fa\nfunc do_sys_open keep\nsection .noinstr* leave\n");
	struct speller speller;

	ck_assert_int_eq(spell(&speller, record, strlen(record)), KILN_RECORD_HOLDS);
	ck_assert_str_eq(speller.text.data,
			 "fs/open.c: -, -, '-fa'\n"
			 "fs/open.c: do_sys_open, fs/open.c, '-fa keep'\n"
			 "fs/open.c: vfs_open, fs/open.c, '-fa'\n"
			 "fs/open.c: fput_light, include/linux/file.h, '-fa'\n"
			 "fs/open.c: left_alone, fs/open.c, '', left\n"
			 "fs/open.c: in_noinstr, fs/open.c, 'leave', left\n"
			 "0 number 0 other 0 body 0 call 0:0:99 text -O2 -fno-ipa-sra limit -\n"
			 "1 number 5 other 0 body 0 call 0:0:99 text vfs_open.isra.0 limit -\n"
			 "2 number 5 other 1 body 0 call 0:0:99 text isra limit -\n"
			 "3 number 4 other 3 body 0 call 0:0:99 text - limit -\n"
			 "4 number 0 other 0 body 0 call 2:7:99 text - limit -\n"
			 "4 number 0 other 0 body 0 call 1:0:99 text - limit -\n"
			 "5 number 6 other 0 body 3 call 2:7:99 text - limit -\n"
			 "6 number 7 other 0 body 6 call 1:0:99 text - limit -\n"
			 "7 number 0 other 0 body 7 call 1:0:99 text MAX_INLINE_INSNS_AUTO_LIMIT limit "
			 "max-inline-insns-auto=15\n"
			 "7 number 0 other 0 body 7 call 0:9:-3 text MAX_INLINE_INSNS_AUTO_LIMIT limit "
			 "max-inline-insns-auto=15\n"
			 "7 number 0 other 0 body 0 call 0:9:-3 text RECURSIVE_INLINING limit -\n"
			 "10 number 0 other 1 body 0 call 0:0:99 text inline limit - why -\n"
			 "10 number 1 other 2 body 0 call 0:0:99 text noinline limit - why it is always_inline\n"
			 "8 number 0 other 0 body 0 call 0:0:99 text - limit - 4 5 0 0 0\n"
			 "8 number 5 other 0 body 0 call 0:0:99 text - limit - 4 5 1 10 0\n"
			 "9 number 0 other 0 body 0 call 0:0:99 text - limit - 8 0000 -\n"
			 "9 number 5 other 0 body 0 call 0:0:99 text - limit - -1 1111 .init.text\n");
	kiln_strbuf_release(&speller.text);
	free(record);
}
END_TEST

/* Where a record is bad, by its lines, and that nothing of it is past a fault. */
START_TEST(bad_decisions)
{
	static const char *const lines[] = {
		"early\t1\t0:1", "early\t0\t1:1", "early\t0\t0", "early\t0\t0:", "early\t0\t:1",
		"early\t0\t0:-1", "early\t0\t0:1x", "early\t0\t0:1:", "early\t0\t0:1:2:3",
		"early\t0\t0:99999999999", "early\t0", "early\t0\t0:1\t0:1", "early\t-\t0:1",
		"within\t0\t0:1 0:2", "inlined\t0\t", "inlined\t1\t0:1", "refused\t0\t0\t0:1",
		"reason\tx", "size\t0\t1", "size\t0\t1\t2\t3", "size\t0\tx\t2", "size\t1\t1\t2",
		"code\t0\t-8", "code\t0\tx", "code\t0", "code\t0\t1\t-\t-\t-", "clone\t0\t1\tisra",
		"merged\t0\t1", "ruled\t0\t0", "ruled\t0\t1\tinline", "flags", "name", "decisions", "function\tg", "something", "",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct speller speller;
		char text[256];

		snprintf(text, sizeof(text),
			 "kiln-record\t2\nunit\ta.c\ta.o\tx86_64\nverdict\t0\t-fa\nfunction\tf\n"
			 "decisions\n%s\nearly\t0\t0:1\nend\n", lines[i]);
		ck_assert_msg(spell(&speller, text, strlen(text)) == KILN_RECORD_BAD, "%s", lines[i]);
		ck_assert_msg(speller.visitor.line == 6, "%s: line %u", lines[i], speller.visitor.line);
		ck_assert_ptr_nonnull(speller.visitor.why);
		kiln_strbuf_release(&speller.text);
		/* kiln make asks for what the policy decided, and that is in order. */
		ck_assert_int_eq(state_of(text, strlen(text), "all -fa\n"), KILN_RECORD_HOLDS);
	}
}
END_TEST

START_TEST(what_is_wrong)
{
	static const struct {
		const char *text, *why;
		unsigned line;
	} table[] = {
		{"", "this is no record of Kiln", 1},
		{"\177ELF\n", "this is no record of Kiln", 1},
		{"kiln-record\t1\nunit\ta\tb\tc\nend\n", "this is a record of another version", 1},
		{"kiln-record\t2\nunit\ta\tb\tc\nen", "the record was cut, its last line is not 'end'", 1},
		{"kiln-record\t2\nunit\ta\nend\n", "this is no line that tells of the unit", 2},
		{"kiln-record\t2\nunit\ta\tb\tc\nend\n",
		 "the unit's verdict, number 0, must come before this line", 3},
		{"kiln-record\t2\nunit\ta\tb\tc\nverdict\t1\t\nend\n",
		 "this line does not say what a line of its kind says", 3},
		{"kiln-record\t2\nunit\ta\tb\tc\nfunction\tf\nend\n",
		 "this line does not say what a line of its kind says", 3},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		struct speller speller;

		ck_assert_int_eq(spell(&speller, table[i].text, strlen(table[i].text)), KILN_RECORD_BAD);
		ck_assert_str_eq(speller.visitor.why, table[i].why);
		ck_assert_uint_eq(speller.visitor.line, table[i].line);
		kiln_strbuf_release(&speller.text);
	}
}
END_TEST

static void ignore_function(struct kiln_record_visitor *visitor, const struct kiln_unit *of,
			    const struct kiln_function *function, const char *settings, bool left)
{
	(void)visitor, (void)of, (void)function, (void)settings, (void)left;
}

static void ignore_decision(struct kiln_record_visitor *visitor, const struct kiln_decision *decision)
{
	(void)visitor, (void)decision;
}

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
		struct kiln_record_visitor visitor = {.visit = ignore_function, .decide = ignore_decision};
		enum kiln_record_state state;
		int visited;

		alloc_fail_at(n);
		visited = kiln_record_visit(copy, strlen(whole), &visitor, &state);
		failed = alloc_failed();
		alloc_stop();
		ck_assert_int_eq(visited != 0, failed);
		free(copy);
	}
	ck_assert_uint_gt(n, 3);
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
	tcase_add_test(tcase, calls);
	tcase_add_test(tcase, how_calls_are_written);
	tcase_add_test(tcase, edited_policies);
	tcase_add_test(tcase, odd_names);
	tcase_add_test(tcase, every_prefix_is_bad);
	tcase_add_test(tcase, bad_records);
	tcase_add_test(tcase, every_byte_changed);
	tcase_add_test(tcase, what_is_visited);
	tcase_add_test(tcase, bad_decisions);
	tcase_add_test(tcase, what_is_wrong);
	tcase_add_test(tcase, every_allocation_fails);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
