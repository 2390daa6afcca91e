// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "../../kbuild/cli/keep/keep.h"
#include "alloc.h"

static struct messages messages;
static struct keep_names names;
static struct keep_source source;

static void init(bool is_test)
{
	messages_init(&messages);
	keep_names_init(&names);
	source = (struct keep_source){
		.names = &names,
		.origin = "origin",
		.path = "path",
		.is_test = is_test,
		.sink = &messages.sink,
	};
}

/* The names there are, a blank after each; those that do not count are in brackets. */
static const char *got(void)
{
	static char text[1 << 16];
	struct keep_entry **list = keep_table_sorted(&names.table);
	size_t length = 0;

	ck_assert_ptr_nonnull(list);
	*text = '\0';
	for (size_t i = 0; list[i]; i++) {
		bool counts = keep_name_counts((struct keep_name *)list[i]);

		length += (size_t)snprintf(text + length, sizeof(text) - length,
					   counts ? "%s " : "(%s) ", list[i]->text);
	}
	free(list);
	return text;
}

/* ---- the table, against a list that is searched from end to end ---- */

START_TEST(table_is_a_set)
{
	struct keep_table table;
	static char texts[2000][8];
	size_t count = 0;
	uint64_t seed = 1;

	keep_table_init(&table, sizeof(struct keep_entry));
	ck_assert_ptr_null(keep_table_find(&table, "a", 1));
	for (int round = 0; round < 2000; round++) {
		char text[8];
		size_t length = random_below(&seed, 4), at = 0;
		const struct keep_entry *entry;

		for (size_t i = 0; i < length; i++)
			text[i] = (char)('a' + random_below(&seed, 6));
		text[length] = '\0';
		while (at < count && strcmp(texts[at], text))
			at++;
		entry = keep_table_find(&table, text, length);
		ck_assert_int_eq(entry != NULL, at < count);
		if (at == count)
			strcpy(texts[count++], text);
		entry = keep_table_add(&table, text, length);
		ck_assert_str_eq(entry->text, text);
		ck_assert_ptr_eq(entry, keep_table_find(&table, text, length));
		ck_assert_uint_eq(table.count, count);
	}
	keep_table_release(&table);
	ck_assert_uint_eq(table.count, 0);
}
END_TEST

START_TEST(table_is_sorted)
{
	static const char *const words[] = {"b", "a", "ab", "", "B", "a_", "aa"};
	static const char *const sorted[] = {"", "B", "a", "a_", "aa", "ab", "b"};
	struct keep_entry **list;
	struct keep_table table;

	keep_table_init(&table, sizeof(struct keep_entry));
	for (size_t i = 0; i < 7; i++)
		keep_table_add(&table, words[i], strlen(words[i]));
	list = keep_table_sorted(&table);
	for (size_t i = 0; i < 7; i++)
		ck_assert_str_eq(list[i]->text, sorted[i]);
	ck_assert_ptr_null(list[7]);
	free(list);
	keep_table_release(&table);
}
END_TEST

/* ---- names ---- */

START_TEST(what_is_a_name)
{
	static const struct {
		const char *text;
		enum keep_verdict verdict, of_a_test;
	} table[] = {
		{"vfs_read", KEEP_NAME, KEEP_NAME},    {"_", KEEP_NAME, KEEP_NO_NAME},
		{"ab", KEEP_NAME, KEEP_NO_NAME},       {"abc", KEEP_NAME, KEEP_NAME},
		{"FUNC", KEEP_NAME, KEEP_NO_NAME},     {"a$b1", KEEP_NAME, KEEP_NAME},
		{"f.isra.0", KEEP_NAME, KEEP_NO_NAME}, {"func.isra.0", KEEP_NAME, KEEP_NAME},
		{"", KEEP_NO_NAME, KEEP_NO_NAME},      {".f", KEEP_NO_NAME, KEEP_NO_NAME},
		{"0x10", KEEP_NO_NAME, KEEP_NO_NAME},  {"a b", KEEP_NO_NAME, KEEP_NO_NAME},
		{"a-b", KEEP_NO_NAME, KEEP_NO_NAME},   {"a#", KEEP_NO_NAME, KEEP_NO_NAME},
		{"a\"b", KEEP_NO_NAME, KEEP_NO_NAME},  {"a\\b", KEEP_NO_NAME, KEEP_NO_NAME},
		{"a\n", KEEP_NO_NAME, KEEP_NO_NAME},   {"abcd*", KEEP_NAME, KEEP_NAME},
		{"abc*", KEEP_NAME, KEEP_NO_NAME},     {"abcd*e", KEEP_NAME, KEEP_NO_NAME},
		{"abcd**", KEEP_NAME, KEEP_NO_NAME},   {"abcd?", KEEP_NAME, KEEP_NO_NAME},
		{"*abcd", KEEP_NAME, KEEP_NO_NAME},    {"[a-z]_x", KEEP_NAME, KEEP_NO_NAME},
		{"x[!a-z]*", KEEP_NAME, KEEP_NO_NAME}, {"x[", KEEP_NO_NAME, KEEP_NO_NAME},
		{"x[]", KEEP_NO_NAME, KEEP_NO_NAME},   {"x]", KEEP_NO_NAME, KEEP_NO_NAME},
		{"*", KEEP_ANY_NAME, KEEP_ANY_NAME},   {"**?*", KEEP_ANY_NAME, KEEP_ANY_NAME},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		init(false);
		ck_assert_msg(keep_add(&source, table[i].text, strlen(table[i].text)) ==
				      table[i].verdict,
			      "%s", table[i].text);
		ck_assert_uint_eq(names.table.count, table[i].verdict == KEEP_NAME);
		keep_names_release(&names);
		init(true);
		ck_assert_msg(keep_add(&source, table[i].text, strlen(table[i].text)) ==
				      table[i].of_a_test,
			      "%s of a test", table[i].text);
		keep_names_release(&names);
	}
}
END_TEST

START_TEST(long_names)
{
	static char name[1 << 20];

	init(false);
	memset(name, 'a', sizeof(name) - 1);
	ck_assert_int_eq(keep_add(&source, name, 1024), KEEP_NAME);
	ck_assert_int_eq(keep_add(&source, name, 1025), KEEP_NO_NAME);
	ck_assert_int_eq(keep_add_prefixed(&source, "b", name, 1024), KEEP_NO_NAME);
	ck_assert_int_eq(keep_add(&source, name, sizeof(name) - 1), KEEP_NO_NAME);
	keep_names_release(&names);
}
END_TEST

START_TEST(origins_are_counted_once)
{
	static const char *const origins[] = {"c", "a", "b", "a", "c"};
	const struct keep_name *name;

	init(false);
	for (size_t i = 0; i < 5; i++) {
		source.origin = origins[i];
		keep_add(&source, "f", 1);
	}
	name = (struct keep_name *)keep_table_find(&names.table, "f", 1);
	ck_assert_uint_eq(name->nr_origins, 3);
	keep_names_release(&names);
}
END_TEST

/* ---- mentions ---- */

/* Adds the test's names WORDS, has TEXT read AT bytes into a buffer, compares. */
static void check_mentions(const char *const *words, const char *text, size_t at, const char *want)
{
	static const char *const anchors[] = {"ANCHOR", NULL};
	static char buffer[1024];
	struct keep_mentions *mentions;
	size_t length = at + strlen(text);

	init(true);
	for (; *words; words++)
		keep_add(&source, *words, strlen(*words));
	mentions = keep_mentions_new(&names, anchors);
	memset(buffer, ' ', sizeof(buffer));
	memcpy(buffer + at, text, strlen(text));
	ck_assert_int_eq(keep_mentions_read(mentions, buffer, length, KEEP_NOTE_CALLS),
			 strstr(text, "(ANCHOR)") != NULL);
	ck_assert(keep_mentions_mark(mentions, &names));
	ck_assert_msg(strcmp(got(), want) == 0, "at %zu: %s", at, got());
	keep_mentions_free(mentions);
	keep_names_release(&names);
}

/* The block boundary falls on every byte of the text in turn. */
START_TEST(mentions_wherever_they_stand)
{
	static const char *const words[] = {"abc",  "abcdef", "long_name", "only_word",
					    "tail", "glob_*", "none_*",    NULL};
	static const char text[] = "xabc( abc_( 1abc() abcdef (x) only_word; long_name(a, tail), "
				   "glob_a() glob_b(), none_x tail(";

	for (size_t at = 0; at < 200; at++)
		check_mentions(words, text, at,
			       "(abc) abcdef glob_* long_name (none_*) (only_word) tail ");
	check_mentions(words, "abc(", 0,
		       "abc (abcdef) (glob_*) (long_name) (none_*) (only_word) (tail) ");
	check_mentions(words, "x (ANCHOR) ANCHORS", 0,
		       "(abc) (abcdef) (glob_*) (long_name) (none_*) (only_word) (tail) ");
}
END_TEST

START_TEST(globs_that_match_much)
{
	static const char *const words[] = {"many_*", NULL};
	char text[1024] = "";

	for (int i = 0; i < 16; i++)
		sprintf(text + strlen(text), "many_%d() many_%d()", i, i);
	check_mentions(words, text, 0, "many_* ");
	strcat(text, " many_more()");
	check_mentions(words, text, 0, "(many_*) ");
}
END_TEST

/* ---- notations of single probes ---- */

static void check_each(void (*scan)(const struct keep_source *source, const char *text),
		       const char *const (*table)[2], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		init(false);
		scan(&source, table[i][0]);
		ck_assert_msg(strcmp(got(), table[i][1]) == 0, "'%s' gave '%s'", table[i][0],
			      got());
		keep_names_release(&names);
	}
}

#define CHECK_EACH(scan, table) check_each(scan, table, sizeof(table) / sizeof((table)[0]))

START_TEST(definitions)
{
	static const char *const table[][2] = {
		{"p f", "f "},
		{"p f\np:ev g a=b\n\n r h\r\n", "f g h "},
		{"p:ev\nf", ""},
		{"p\nf", ""},
		{"p:ev f", "f "},
		{" r10:g/ev f $retval", "f "},
		{"r f", "f "},
		{"f:ev f%return", "f "},
		{"p:ev mod:f+4 a=+0(%di)", "f "},
		{"^p:^ev ^f^+4", "f "},
		{"r^100 f", "f "},
		{"p:ev\tf", "f "},
		{"p:ev f-4", ""},
		{"p:ev f*", ""},
		{"p:ev 0xffff", ""},
		{"p:ev 10", ""},
		{"p:ev /bin/sh:10", ""},
		{"p:ev \3f", ""},
		{"p:ev f\3", ""},
		{"p:ev", ""},
		{"p:", ""},
		{"p", ""},
		{"", ""},
		{"-:ev f", ""},
		{"t:ev f", ""},
		{"e:ev s.f", ""},
		{"a:ev f", ""},
		{"r10fuzz:ev f", ""},
		{"print f", ""},
	};

	CHECK_EACH(keep_scan_definition, table);
}
END_TEST

START_TEST(filters)
{
	static const char *const table[][2] = {
		{"f", "f "},
		{" f  g\th ", "f g h "},
		{"f:traceoff:3 !g:mod:x", "f g "},
		{"f* [ab]_x", "[ab]_x f* "},
		{"* ** :traceoff # 12 a/b a=b", ""},
		{"! f", "f "},
		{"\3 f\3 \3:x", ""},
		{"", ""},
	};

	CHECK_EACH(keep_scan_filter, table);
}
END_TEST

START_TEST(perf_probes)
{
	static const char *const table[][2] = {
		{"f", "f "},           {"f a b=c", "f "},
		{"ev=f", "f "},        {"g:ev=f:3 a", "f "},
		{"f@fs/open.c", "f "}, {"f@fs/open.c:12", "f "},
		{"f+4", "f "},         {"f%return $retval", "f "},
		{"f;r=*", "f "},       {"f_*", "f_* "},
		{"fs/open.c:12", ""},  {"open.c:12", ""},
		{"0xffff", ""},        {"", ""},
	};

	CHECK_EACH(keep_scan_perf, table);
}
END_TEST

/* ---- memory ---- */

static const char script[] = "A=`echo aaa bbb`; B=\"$A\"\necho \"p:x $B\" > kprobe_events\n"
			     "echo $A | tee set_ftrace_filter\nperf probe ccc\n"
			     "printf '%s\\n' \"p:x $A\" > kprobe_events\n";
static const char program[] = "#define NAME \"aaa\"\nSEC(\"fentry/bbb\") BTF_ID(func, ccc)\n"
			      ".symbol_name = NAME; __bpf_kfunc int ddd(void);";

static void scan_everything(void)
{
	static const char *const anchors[] = {"BTF_ID", NULL};
	struct keep_mentions *mentions;

	keep_scan_shell(&source, script, sizeof(script) - 1);
	keep_scan_c(&source, KEEP_C_KERNEL | KEEP_C_STRUCTS | KEEP_C_PROGRAMS, program,
		    sizeof(program) - 1);
	keep_scan_list(&source, "eee\nfff*\n", 9);
	mentions = keep_mentions_new(&names, anchors);
	if (!mentions) {
		names.table.failed = true;
		return;
	}
	keep_mentions_read(mentions, program, sizeof(program) - 1, KEEP_NOTE_CALLS);
	if (!keep_mentions_mark(mentions, &names))
		names.table.failed = true;
	keep_mentions_free(mentions);
}

/* Each allocation fails in turn: that is told, and nothing is lost or read twice. */
START_TEST(no_memory)
{
	unsigned long count;

	init(false);
	alloc_fail_at(0);
	scan_everything();
	count = alloc_stop();
	ck_assert_str_eq(got(), "aaa bbb ccc ddd eee fff* ");
	ck_assert(!keep_names_failed(&names));
	keep_names_release(&names);
	ck_assert_uint_gt(count, 20);
	for (unsigned long i = 1; i <= count; i++) {
		init(false);
		alloc_fail_at(i);
		scan_everything();
		ck_assert(alloc_failed());
		alloc_stop();
		ck_assert_msg(keep_names_failed(&names), "allocation %lu", i);
		keep_names_release(&names);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("keep");
	TCase *tcase = tcase_create("keep");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, table_is_a_set);
	tcase_add_test(tcase, table_is_sorted);
	tcase_add_test(tcase, what_is_a_name);
	tcase_add_test(tcase, long_names);
	tcase_add_test(tcase, origins_are_counted_once);
	tcase_add_test(tcase, mentions_wherever_they_stand);
	tcase_add_test(tcase, globs_that_match_much);
	tcase_add_test(tcase, definitions);
	tcase_add_test(tcase, filters);
	tcase_add_test(tcase, perf_probes);
	tcase_add_test(tcase, no_memory);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
