// SPDX-License-Identifier: GPL-2.0-or-later
#include "words.h"

#include <string.h>

#include "banned.h"

const bool kiln_ends_run[256] = {['\0'] = true, ['\t'] = true, [' '] = true, ['"'] = true};

/* Skips the quotes and backslashes at P that are not part of the word. */
static const char *skip_marks(const char *p, bool *quoted)
{
	while (*p == '"') {
		*quoted = !*quoted;
		p++;
	}
	/* Outside of quotes and before any other byte a backslash belongs to a glob. */
	if (*quoted && p[0] == '\\' && (p[1] == '"' || p[1] == '\\'))
		p++;
	return p;
}

/* First byte after the quoted text that P is in, or NULL when the line ends before. */
static char *skip_quoted(char *p)
{
	for (p++; *p != '"'; p++) {
		if (p[0] == '\\' && (p[1] == '"' || p[1] == '\\'))
			p++;
		if (!*p)
			return NULL;
	}
	return p + 1;
}

/* The end of WORD, which has a quote at P; NULL: WORD's column is that of an open quote. */
static char *skip_quoted_word(struct kiln_word *word, char *p)
{
	char *quote;

	word->raw = word->text;
	while (*p == '"') {
		quote = p;
		p = skip_quoted(p);
		if (!p) {
			word->column += (unsigned)(quote - word->raw);
			return NULL;
		}
		while (!kiln_ends_run[(unsigned char)*p])
			p++;
	}
	return p;
}

/* RAW without its quotes; NULL: out of memory. */
static const char *unquote(const char *raw, struct kiln_arena *arena)
{
	char *text = (char *)kiln_arena_alloc(arena, strlen(raw) + 1);
	char *out = text;
	bool quoted = false;

	if (!text)
		return NULL;
	for (raw = skip_marks(raw, &quoted); *raw; raw = skip_marks(raw + 1, &quoted))
		*out++ = *raw;
	*out = '\0';
	return text;
}

unsigned kiln_word_column(const struct kiln_word *word, size_t offset)
{
	const char *raw = word->raw;
	bool quoted = false;

	if (!raw || !*word->text)
		return word->column + (unsigned)offset;
	raw = skip_marks(raw, &quoted);
	while (offset-- && *raw)
		raw = skip_marks(raw + 1, &quoted);
	return word->column + (unsigned)(raw - word->raw);
}

enum kiln_read kiln_words_quoted(struct kiln_words *words, char *p, struct kiln_word *word)
{
	p = skip_quoted_word(word, p);
	if (!p)
		return KILN_READ_OPEN_QUOTE;
	words->next = p + (*p != '\0');
	*p = '\0';
	word->text = unquote(word->raw, words->arena);
	return word->text ? KILN_READ_WORD : KILN_READ_NO_MEMORY;
}
