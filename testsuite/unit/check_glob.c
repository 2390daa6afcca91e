// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <fnmatch.h>

#include "kiln/glob.h"

/* ---- every string over an alphabet ---- */

#define MAX_LENGTH 8

/* Counts STRING, at first "", up through all strings over ALPHABET; false at the end. */
static bool next_string(char *string, const char *alphabet, size_t max_length)
{
	size_t length = strlen(string);

	for (size_t i = 0; i < length; i++) {
		const char *place = strchr(alphabet, string[i]);

		if (place[1]) {
			string[i] = place[1];
			return true;
		}
		string[i] = alphabet[0];
	}
	if (length == max_length)
		return false;
	string[length] = alphabet[0];
	string[length + 1] = '\0';
	return true;
}

/* ---- the oracles ---- */

/*
 * Is PATTERN one that glibc's fnmatch reads in its own way? A slash between
 * brackets makes it take the bracket literally, "**" is one star to it, and it
 * does not find an escaped slash after a star.
 */
static bool is_unlike_fnmatch(const char *pattern)
{
	bool in_set = false;

	if (strstr(pattern, "**") || strstr(pattern, "\\/"))
		return true;
	for (const char *p = pattern; *p; p++) {
		if (*p == '\\' && p[1])
			p++;
		else if (!in_set && *p == '[') {
			in_set = true;
			if (p[1] == '!' || p[1] == '^')
				p++;
			if (p[1] == ']')
				p++;
			continue;
		} else if (in_set && *p == ']')
			in_set = false;
		if (in_set && *p == '/')
			return true;
	}
	return false;
}

static bool in_set(const char **p, char c)
{
	bool held[256] = {false};
	bool inverted = (*p)[1] == '!' || (*p)[1] == '^';
	const char *q = *p + 1 + inverted;
	const char *first = q;
	int before = -1;

	while (*q != ']' || q == first) {
		bool escaped = *q == '\\';
		unsigned char here = (unsigned char)q[escaped];

		if (*q == '-' && before >= 0 && q[1] != ']') {
			escaped = q[1] == '\\';
			here = (unsigned char)q[1 + escaped];
			for (int i = before; i <= here; i++)
				held[i] = true;
			q += 2 + escaped;
			before = -1;
			continue;
		}
		held[here] = true;
		before = here;
		q += 1 + escaped;
	}
	*p = q + 1;
	return c != '/' && held[(unsigned char)c] != inverted;
}

/* What the header says, tried in every way: exponential, but plain to see. */
static bool reference(const char *begin, const char *p, const char *text)
{
	size_t stars = strspn(p, "*");
	bool component = stars == 2 && p[2] == '/' && (p == begin || p[-1] == '/');

	if (!*p)
		return !*text;
	if (component && reference(begin, p + 3, text))
		return true;
	if (stars) {
		const char *rest = p + stars + component;

		for (;; text++) {
			if (!component && reference(begin, rest, text))
				return true;
			if (component && *text == '/' && reference(begin, rest, text + 1))
				return true;
			if (!*text || (stars == 1 && *text == '/'))
				return false;
		}
	}
	if (!*text)
		return false;
	if (*p == '[')
		return in_set(&p, *text) && reference(begin, p, text + 1);
	if (*p == '?')
		return *text != '/' && reference(begin, p + 1, text + 1);
	if (*p == '\\')
		p++;
	return *p == *text && reference(begin, p + 1, text + 1);
}

/* ---- exhaustive comparisons ---- */

struct alphabets {
	const char *pattern;
	size_t pattern_length;
	const char *text;
	size_t text_length;
};

static unsigned long compare_all(const struct alphabets *a, bool with_fnmatch)
{
	char pattern[MAX_LENGTH + 1] = "", text[MAX_LENGTH + 1];
	unsigned long compared = 0;
	size_t offset;

	do {
		bool literal;
		size_t prefix;

		if (kiln_glob_check(pattern, &offset))
			continue;
		if (with_fnmatch && is_unlike_fnmatch(pattern))
			continue;
		literal = kiln_glob_is_literal(pattern);
		prefix = kiln_glob_prefix(pattern);
		text[0] = '\0';
		do {
			bool got = kiln_glob_match(pattern, text);
			bool expected = with_fnmatch ? fnmatch(pattern, text, FNM_PATHNAME) == 0
						     : reference(pattern, pattern, text);

			if (got != expected)
				ck_abort_msg("'%s' on '%s': %d", pattern, text, got);
			if (literal && got != (strcmp(pattern, text) == 0))
				ck_abort_msg("'%s' is not literal: '%s'", pattern, text);
			if (got && strncmp(pattern, text, prefix) != 0)
				ck_abort_msg("'%s' has no prefix of %zu: '%s'", pattern, prefix,
					     text);
			compared++;
		} while (next_string(text, a->text, a->text_length));
	} while (next_string(pattern, a->pattern, a->pattern_length));
	return compared;
}

START_TEST(same_as_fnmatch)
{
	static const struct alphabets table[] = {
		{"ab/*?[]!-\\", 4, "ab/-", 4}, {"a/*?", 6, "ab/", 5},    {"ab-[]!", 6, "ab-]!", 2},
		{"ac-[]\\", 6, "abc-]\\", 2},  {"a[]^!b", 5, "ab^!", 2},
	};

	ck_assert_uint_gt(compare_all(&table[_i], true), 20000);
}
END_TEST

START_TEST(same_as_reference)
{
	static const struct alphabets table[] = {
		{"ab/*?[]!-\\", 4, "ab/-", 3},
		{"a/*", 8, "ab/", 5},
		{"ab/*", 6, "ab/", 6},
		{"a/*?", 6, "ab/", 5},
	};

	ck_assert_uint_gt(compare_all(&table[_i], false), 20000);
}
END_TEST

START_TEST(same_as_reference_when_long)
{
	static const char *const pieces[] = {"*", "**", "/**/", "**/",  "/",   "/",   "a",  "a",
					     "b", "?",  "[ab]", "[!a]", "a/b", "***", "\\*"};
	uint64_t seed = 4711;
	unsigned matched = 0;

	for (int i = 0; i < 60000; i++) {
		char pattern[128] = "", text[32];
		unsigned nr_pieces = 1 + random_below(&seed, 8);
		unsigned length = random_below(&seed, 20);
		bool expected;

		for (unsigned k = 0; k < nr_pieces; k++)
			strcat(pattern, pieces[random_below(&seed, 15)]);
		for (unsigned k = 0; k < length; k++)
			text[k] = "aab/"[random_below(&seed, 4)];
		text[length] = '\0';
		expected = reference(pattern, pattern, text);
		matched += expected;
		if (kiln_glob_match(pattern, text) != expected)
			ck_abort_msg("'%s' on '%s': not %d", pattern, text, expected);
	}
	ck_assert_uint_gt(matched, 1000);
}
END_TEST

/* ---- what the header promises, in words ---- */

START_TEST(paths)
{
	static const struct {
		const char *pattern;
		const char *text;
		bool matches;
	} table[] = {
		{"**/x", "x", true},
		{"**/x", "a/x", true},
		{"**/x", "a/b/x", true},
		{"**/x", "ax", false},
		{"**/x", "a/bx", false},
		{"a/**/b", "a/b", true},
		{"a/**/b", "a/c/d/b", true},
		{"a/**/b", "ab", false},
		{"a/**/b", "a/cb", false},
		{"a/**", "a", false},
		{"a/**", "ab", false},
		{"a/**", "a/b/c", true},
		{"**", "any/thing", true},
		{"a**c", "ab/bc", true},
		{"a**/c", "abc", false},
		{"a**/c", "ab/d/c", true},
		{"drivers/*/*.c", "drivers/net/tun.c", true},
		{"drivers/*/*.c", "drivers/net/phy/x.c", false},
		{"drivers/*.c", "drivers/net/tun.c", false},
		{"[!a]", "/", false},
		{"[.-9]", "/", false},
		{"?", "/", false},
		{"a\\*", "a*", true},
		{"a\\*", "ab", false},
		{"tcp_*", "tcp_", true},
		{"tcp_*", "tcp", false},
		{"[\xe4\xf6]", "\xe4", true},
		{"[\x80-\xff]", "\xc3", true},
		{"?", "\xff", true},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		ck_assert_msg(kiln_glob_match(table[i].pattern, table[i].text) == table[i].matches,
			      "'%s' on '%s'", table[i].pattern, table[i].text);
}
END_TEST

START_TEST(faults)
{
	static const struct {
		const char *pattern;
		size_t offset;
		const char *says; /* NULL: no fault */
	} table[] = {
		{"", 0, "empty"},
		{"a[b", 1, "closed"},
		{"[", 0, "closed"},
		{"[]", 0, "closed"},
		{"[!]", 0, "closed"},
		{"[^]", 0, "closed"},
		{"x[a\\", 1, "closed"},
		{"x[a-\\", 1, "closed"},
		{"[\\]", 0, "closed"},
		{"ab\\", 2, "backslash"},
		{"a[xz-a]", 3, "backwards"},
		{"[[:alpha:]]", 1, "class"},
		{"[a[.x.]]", 2, "class"},
		{"[]]", 0, NULL},
		{"[!]]", 0, NULL},
		{"[a-]", 0, NULL},
		{"[-a]", 0, NULL},
		{"[[]", 0, NULL},
		{"[\\]]", 0, NULL},
		{"]", 0, NULL},
		{"\\[", 0, NULL},
		{"[/]", 0, NULL},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t offset = 4711;
		const char *fault = kiln_glob_check(table[i].pattern, &offset);

		if (!table[i].says) {
			ck_assert_msg(!fault, "'%s': %s", table[i].pattern, fault);
			ck_assert_uint_eq(offset, 4711);
			continue;
		}
		ck_assert_msg(fault, "'%s'", table[i].pattern);
		ck_assert_msg(strstr(fault, table[i].says), "'%s': %s", table[i].pattern, fault);
		ck_assert_msg(offset == table[i].offset, "'%s': %zu", table[i].pattern, offset);
	}
}
END_TEST

START_TEST(longest_pattern)
{
	static char pattern[KILN_GLOB_MAX + 2];
	size_t offset = 0;

	memset(pattern, 'a', KILN_GLOB_MAX);
	ck_assert_ptr_null(kiln_glob_check(pattern, &offset));
	pattern[KILN_GLOB_MAX] = 'a';
	ck_assert_ptr_nonnull(kiln_glob_check(pattern, &offset));
	ck_assert_uint_eq(offset, KILN_GLOB_MAX);
}
END_TEST

/* A matcher that tries all ways, or is only quadratic, would not end before the timeout. */
START_TEST(time_is_bounded)
{
	static const char *const patterns[] = {
		"*a*a*a*b",   "**a*a*a*b",    "**/a*a*a*b",    "**a**a**a**b",
		"**a*b/*a*b", "**/*a*b/**b",  "*a**a*a?a*[b]", "**aaaaaaaaaaaaaaaab",
		"**a*a*/b",   "**?*?*?/**/b",
	};
	const size_t length = 1 << 20;
	char *text = (char *)malloc(length + 1);

	memset(text, 'a', length);
	text[length] = '\0';
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		ck_assert(!kiln_glob_match(patterns[i], text));
	text[length - 2] = '/';
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		ck_assert(!kiln_glob_match(patterns[i], text));
	for (size_t i = 1000; i < length; i += 1000)
		text[i] = '/';
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		ck_assert(!kiln_glob_match(patterns[i], text));
	for (size_t i = 1; i < length; i += 2)
		text[i] = '/';
	for (size_t i = 0; i < sizeof(patterns) / sizeof(patterns[0]); i++)
		ck_assert(!kiln_glob_match(patterns[i], text));
	free(text);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("glob");
	TCase *tcase = tcase_create("glob");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, same_as_fnmatch, 0, 5);
	tcase_add_loop_test(tcase, same_as_reference, 0, 4);
	tcase_add_test(tcase, same_as_reference_when_long);
	tcase_add_test(tcase, paths);
	tcase_add_test(tcase, faults);
	tcase_add_test(tcase, longest_pattern);
	tcase_add_test(tcase, time_is_bounded);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
