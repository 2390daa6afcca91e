// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Patterns: the first line is one, the rest is the text. A second matcher, as slow as it
 * is short, must agree.
 */
#include "fuzz.h"

#include "kiln/glob.h"

/* Longer ones take the second matcher too long. */
#define LONGEST 24

/* One byte of the set that begins at PATTERN, past its '['; RET_END: past its ']'. */
static bool set_has(const char *pattern, unsigned char c, const char **ret_end)
{
	bool negative = *pattern == '!' || *pattern == '^';
	bool found = false, first = true;

	for (pattern += negative; first || *pattern != ']'; first = false) {
		unsigned char low, high;

		pattern += *pattern == '\\';
		low = high = (unsigned char)*pattern++;
		if (*pattern == '-' && pattern[1] != ']') {
			pattern++;
			pattern += *pattern == '\\';
			high = (unsigned char)*pattern++;
		}
		found |= low <= c && c <= high;
	}
	*ret_end = pattern + 1;
	return c != '/' && found != negative;
}

static bool matches(const char *start, const char *pattern, const char *text)
{
	if (pattern[0] == '*' && pattern[1] == '*') {
		bool is_component = pattern[2] == '/' && (pattern == start || pattern[-1] == '/');
		const char *rest = pattern + (is_component ? 3 : strspn(pattern, "*"));

		while (!matches(start, rest, text)) {
			text = is_component ? strchr(text, '/') : text;
			if (!text || !*text)
				return false;
			text++;
		}
		return true;
	}
	if (*pattern == '*') {
		for (;; text++) {
			if (matches(start, pattern + 1, text))
				return true;
			if (!*text || *text == '/')
				return false;
		}
	}
	if (!*pattern)
		return !*text;
	if (!*text)
		return false;
	if (*pattern == '?')
		return *text != '/' && matches(start, pattern + 1, text + 1);
	if (*pattern == '[') {
		const char *end;
		bool has = set_has(pattern + 1, (unsigned char)*text, &end);

		return has && matches(start, end, text + 1);
	}
	pattern += *pattern == '\\';
	return *pattern == *text && matches(start, pattern + 1, text + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *pattern = fuzz_string(data, size);
	char *text = strchr(pattern, '\n');
	size_t offset = 0;

	if (text)
		*text++ = '\0';
	else
		text = pattern + strlen(pattern);
	if (kiln_glob_check(pattern, &offset)) {
		REQUIRE(offset <= strlen(pattern));
	} else {
		bool match = kiln_glob_match(pattern, text);
		size_t prefix = kiln_glob_prefix(pattern);

		REQUIRE(prefix <= strlen(pattern));
		if (kiln_glob_is_literal(pattern))
			REQUIRE(match == !strcmp(pattern, text));
		if (match)
			REQUIRE(!strncmp(pattern, text, prefix));
		if (strlen(pattern) <= LONGEST && strlen(text) <= LONGEST)
			REQUIRE(match == matches(pattern, pattern, text));
	}
	free(pattern);
	return 0;
}
