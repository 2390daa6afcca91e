/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of a line of a policy. Private to the core.
 *
 *	file "a b".c  keep	# why
 *
 * has the words «file», «a b.c» and «keep». Words without quotes are terminated
 * in place; only a quoted word is copied, so that a column can be found in what
 * was written.
 */
#ifndef KILN_CORE_WORDS_H
#define KILN_CORE_WORDS_H

#include "mem.h"

struct kiln_word {
	const char *text; /* without the quotes */
	const char *raw;  /* as written if there are quotes in it, else NULL */
	unsigned column;  /* from 1, in bytes */
};

/* A line that is being read. */
struct kiln_words {
	char *line;               /* ends in a NUL, which is its only one */
	char *next;               /* first byte not read yet */
	struct kiln_arena *arena; /* of quoted words */
};

enum kiln_read {
	KILN_READ_WORD,
	KILN_READ_END,        /* no word is left */
	KILN_READ_OPEN_QUOTE, /* only the word's column is set: to the quote's */
	KILN_READ_NO_MEMORY,
};

/* The message for an open quote. */
#define KILN_OPEN_QUOTE "the quote that begins here is not closed in this line"

/* Finishes WORD, which has a quote at P. */
enum kiln_read kiln_words_quoted(struct kiln_words *words, char *p, struct kiln_word *word);

/* The bytes that are not simply part of a word. */
extern const bool kiln_ends_run[256];

/* Reads the next word. It lives as long as the line and the arena do. */
static inline enum kiln_read kiln_words_next(struct kiln_words *words, struct kiln_word *ret_word)
{
	char *p = words->next;

	while (*p == ' ' || *p == '\t')
		p++;
	if (!*p || *p == '#')
		return KILN_READ_END;
	*ret_word = (struct kiln_word){p, NULL, (unsigned)(p - words->line) + 1};
	while (!kiln_ends_run[(unsigned char)*p])
		p++;
	if (*p == '"')
		return kiln_words_quoted(words, p, ret_word);
	words->next = p + (*p != '\0');
	*p = '\0';
	return KILN_READ_WORD;
}

/* The column of the byte at OFFSET of WORD's text. */
unsigned kiln_word_column(const struct kiln_word *word, size_t offset);

#endif
