// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/glob.h"

#include <string.h>

#include "banned.h"

/* The bytes that mean something else than themselves, and the end. */
static const bool is_special[256] = {
	['\0'] = true, ['*'] = true, ['?'] = true, ['['] = true, ['\\'] = true,
};

size_t kiln_glob_prefix(const char *pattern)
{
	const char *p = pattern;

	while (!is_special[(unsigned char)*p])
		p++;
	return (size_t)(p - pattern);
}

bool kiln_glob_is_literal(const char *pattern)
{
	return pattern[kiln_glob_prefix(pattern)] == '\0';
}

/* The first byte after "[", "[!" or "[^". */
static const char *set_begin(const char *set)
{
	return set + (set[1] == '!' || set[1] == '^' ? 2 : 1);
}

/* Reads one possibly escaped byte of a set. */
static unsigned char set_byte(const char **p)
{
	if (**p == '\\')
		++*p;
	return (unsigned char)*(*p)++;
}

static bool begins_range(const char *p)
{
	return p[0] == '-' && p[1] && p[1] != ']';
}

/*
 * Checks the set at SET; *RET_END is then the byte after it, or the fault.
 * A ']' that comes first is a byte of the set, as in fnmatch.
 */
static const char *check_set(const char *set, const char **ret_end)
{
	const char *first = set_begin(set);
	const char *p = first;
	const char *item;
	unsigned char low;

	while (*p && (*p != ']' || p == first)) {
		item = *ret_end = p;
		if (p[0] == '[' && (p[1] == ':' || p[1] == '.' || p[1] == '='))
			return "a set has bytes and ranges; classes like [:alpha:] are not known";
		if (p[0] == '\\' && !p[1])
			break;
		low = set_byte(&p);
		if (!begins_range(p))
			continue;
		p++;
		if (p[0] == '\\' && !p[1])
			break;
		if (low > set_byte(&p)) {
			*ret_end = item;
			return "the range runs backwards";
		}
	}
	if (*p != ']') {
		*ret_end = set;
		return "the set is not closed by ']'";
	}
	*ret_end = p + 1;
	return NULL;
}

static const char *check(const char *pattern, const char **ret_fault)
{
	const char *p = pattern + kiln_glob_prefix(pattern);
	const char *fault;

	while (*p) {
		*ret_fault = p;
		if (*p == '\\' && !p[1])
			return "a backslash at the end stands for nothing";
		if (*p == '[') {
			fault = check_set(p, &p);
			*ret_fault = p;
			if (fault)
				return fault;
			continue;
		}
		p += *p == '\\' ? 2 : 1;
	}
	*ret_fault = pattern;
	if (p == pattern)
		return "the pattern is empty";
	*ret_fault = pattern + KILN_GLOB_MAX;
	return p - pattern > KILN_GLOB_MAX ? "the pattern is longer than 4096 bytes" : NULL;
}

const char *kiln_glob_check(const char *pattern, size_t *ret_offset)
{
	const char *where = pattern;
	const char *fault = check(pattern, &where);

	if (fault)
		*ret_offset = (size_t)(where - pattern);
	return fault;
}

/* Does the set at *P hold C? Moves *P behind the set. */
static bool match_set(const char **p, unsigned char c)
{
	const char *first = set_begin(*p);
	bool inverted = first - *p == 2;
	bool found = false;
	unsigned char low, high;

	*p = first;
	do {
		low = high = set_byte(p);
		if (begins_range(*p)) {
			++*p;
			high = set_byte(p);
		}
		found |= low <= c && c <= high;
	} while (**p != ']');
	++*p;
	return found != inverted && c != '/';
}

/* Does the pattern's next element, which is no star, match C? Moves *P behind it. */
static bool match_one(const char **p, char c)
{
	switch (**p) {
	case '\0':
		return false;
	case '?':
		++*p;
		return c != '/';
	case '[':
		return match_set(p, (unsigned char)c);
	case '\\':
		++*p;
		break;
	}
	return *(*p)++ == c;
}

/* Where to go on after a mismatch: a star takes one byte more. */
struct retry {
	const char *pattern; /* what follows the star; NULL: there was none */
	const char *text;    /* where that was tried last */
};

/*
 * Only the latest "*" and the latest "**" are ever tried again. Each star takes
 * as little as it can, so whatever follows it is found as early as possible, and
 * an earlier star that took more could only make a later one's choice smaller.
 *
 * That alone would be quadratic: "**" starts anew at each byte, and "*" then
 * scans the rest of the directory each time. But what a "*" could find from one
 * start in a directory is what it could find from any earlier one, so once a "*"
 * was passed, every later start in the same directory fails alike, and the next
 * one to try is behind the next slash.
 */
struct state {
	const char *pattern;
	const char *text;
	struct retry star;
	struct retry deep;
	bool whole_directories; /* the "**" stands between slashes */
	bool by_directory;      /* go on behind the next slash */
};

/* Is "**" at P a component of its own that another one follows? */
static bool is_component(const char *begin, const char *p)
{
	return p[2] == '/' && (p == begin || p[-1] == '/');
}

/* Passes the stars at the pattern's next element; they take nothing at first. */
static void pass_stars(struct state *s, const char *begin)
{
	size_t length = strspn(s->pattern, "*");

	if (length == 1) {
		s->pattern++;
		s->star = (struct retry){s->pattern, s->text};
		s->by_directory = true;
		return;
	}
	s->whole_directories = is_component(begin, s->pattern);
	s->by_directory = s->whole_directories;
	s->pattern += length + s->whole_directories;
	s->deep = (struct retry){s->pattern, s->text};
	s->star.pattern = NULL;
}

/* Lets the star that can take more do so; false when none can. */
static bool retry(struct state *s)
{
	if (s->star.pattern && *s->star.text != '/') {
		s->pattern = s->star.pattern;
		s->text = ++s->star.text;
		return true;
	}
	if (!s->deep.pattern)
		return false;
	if (s->by_directory)
		s->deep.text = strchr(s->deep.text, '/');
	if (!s->deep.text)
		return false;
	s->pattern = s->deep.pattern;
	s->text = ++s->deep.text;
	s->by_directory = s->whole_directories;
	return true;
}

bool kiln_glob_match(const char *pattern, const char *text)
{
	struct state s = {.pattern = pattern, .text = text};

	for (;;) {
		if (*s.pattern == '*') {
			pass_stars(&s, pattern);
		} else if (!*s.text) {
			/* A star that took more would leave even less for what is missing. */
			return !*s.pattern;
		} else if (match_one(&s.pattern, *s.text)) {
			s.text++;
		} else if (!retry(&s)) {
			return false;
		}
	}
}
