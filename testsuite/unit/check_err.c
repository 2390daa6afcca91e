// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "kiln/err.h"

struct one {
	struct kiln_sink sink;
	unsigned count;
	char text[KILN_ERR_TEXT_MAX + 2];
	struct kiln_err err;
};

static void take(struct kiln_sink *sink, const struct kiln_err *err)
{
	struct one *one = (struct one *)(void *)sink;

	one->count++;
	one->err = *err;
	snprintf(one->text, sizeof(one->text), "%s", err->text);
}

static struct one new_one(void)
{
	struct one one = {.sink = {take}};

	return one;
}

START_TEST(fields_arrive)
{
	struct one one = new_one();

	kiln_report(&one.sink, KILN_WARNING, "a/b.policy", 3, 7, "%s %d", "seven", 7);
	ck_assert_uint_eq(one.count, 1);
	ck_assert_int_eq(one.err.severity, KILN_WARNING);
	ck_assert_str_eq(one.err.path, "a/b.policy");
	ck_assert_uint_eq(one.err.line, 3);
	ck_assert_uint_eq(one.err.column, 7);
	ck_assert_str_eq(one.text, "seven 7");
}
END_TEST

START_TEST(no_file_and_no_sink)
{
	struct one one = new_one();

	kiln_report(NULL, KILN_ERROR, NULL, 0, 0, "%s", "unheard");
	kiln_report(&one.sink, KILN_NOTE, NULL, 0, 0, "note");
	ck_assert_ptr_null(one.err.path);
	ck_assert_uint_eq(one.err.line, 0);
}
END_TEST

/* Texts around the limit, the last bytes of which are a character of 1 to 4 bytes. */
START_TEST(long_text_is_cut)
{
	static const char *const characters[] = {"x", "\xc3\xa4", "\xe2\x82\xac",
						 "\xf0\x9f\x90\xa7"};
	char text[KILN_ERR_TEXT_MAX + 16];
	size_t size = strlen(characters[_i]);

	for (size_t length = KILN_ERR_TEXT_MAX - 8; length < KILN_ERR_TEXT_MAX + 8; length++) {
		struct one one = new_one();
		size_t got, at;

		memset(text, 'a', sizeof(text));
		for (at = length % size; at + size <= length; at += size)
			memcpy(text + at, characters[_i], size);
		text[at] = '\0';
		kiln_report(&one.sink, KILN_ERROR, "p", 1, 1, "%s", text);
		got = strlen(one.text);
		ck_assert_uint_le(got, KILN_ERR_TEXT_MAX);
		if (length <= KILN_ERR_TEXT_MAX) {
			ck_assert_str_eq(one.text, text);
			continue;
		}
		ck_assert_uint_gt(got, KILN_ERR_TEXT_MAX - 4);
		ck_assert_str_eq(one.text + got - 3, "...");
		ck_assert_int_eq(memcmp(one.text, text, got - 3), 0);
		ck_assert_uint_eq((got - 3 - length % size) % size, 0);
	}
}
END_TEST

START_TEST(one_message_is_one_line)
{
	struct one one = new_one();

	kiln_report(&one.sink, KILN_ERROR, "p", 1, 1, "a%sb", "\n\r\x1b[0m\x7f\xc3\xa4");
	ck_assert_str_eq(one.text, "a???[0m?\xc3\xa4"
				   "b");
}
END_TEST

START_TEST(severities_have_names)
{
	ck_assert_str_eq(kiln_severity_name(KILN_ERROR), "error");
	ck_assert_str_eq(kiln_severity_name(KILN_WARNING), "warning");
	ck_assert_str_eq(kiln_severity_name(KILN_NOTE), "note");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("err");
	TCase *tcase = tcase_create("err");

	tcase_add_test(tcase, fields_arrive);
	tcase_add_test(tcase, no_file_and_no_sink);
	tcase_add_loop_test(tcase, long_text_is_cut, 0, 4);
	tcase_add_test(tcase, one_message_is_one_line);
	tcase_add_test(tcase, severities_have_names);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
