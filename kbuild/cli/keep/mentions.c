// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks for words in the whole source of a kernel: more than a gigabyte. Where
 * identifiers begin is found for 64 bytes at a time, without a branch, and then
 * nearly all of them are turned away by their first three bytes.
 */
#include "keep.h"

#include <stdlib.h>
#include <string.h>

/*
 * A glob of a test that more functions of the kernel match than this is one
 * that the test uses because much answers to it: it relies on none of them.
 */
#define MAX_GLOB_MATCHES 16

#define FILTER_BITS 16

struct word {
	struct keep_entry entry;
	bool is_anchor;
	bool is_seen;
	bool is_called; /* seen before a parenthesis, as a function is defined and called */
};

struct glob {
	const struct keep_name *name;
	size_t prefix;            /* the name without its star */
	struct keep_table called; /* the words that it matches */
};

struct keep_mentions {
	struct keep_table words;
	struct glob *globs;
	size_t nr_globs;
	bool failed;
	uint8_t filter[1 << (FILTER_BITS - 3)];
};

/* ---- the filter: a bit per beginning of a word ---- */

static uint32_t beginning(const char *text)
{
	uint32_t bytes = (uint32_t)(unsigned char)text[0] | (uint32_t)(unsigned char)text[1] << 8 |
			 (uint32_t)(unsigned char)text[2] << 16;

	return (bytes * 2654435761u) >> (32 - FILTER_BITS);
}

/* TEXT has at least KEEP_MIN_WORD bytes. */
static bool passes(const struct keep_mentions *mentions, const char *text)
{
	uint32_t bit = beginning(text);

	return mentions->filter[bit >> 3] & (1u << (bit & 7));
}

static void let_pass(struct keep_mentions *mentions, const char *text)
{
	uint32_t bit = beginning(text);

	mentions->filter[bit >> 3] |= (uint8_t)(1u << (bit & 7));
}

/* ---- words and globs ---- */

static void add_word(struct keep_mentions *mentions, const char *text, bool is_anchor)
{
	size_t length = strlen(text);
	struct word *word = (struct word *)keep_table_add(&mentions->words, text, length);

	if (!word)
		return;
	word->is_anchor |= is_anchor;
	let_pass(mentions, text);
}

static void add_glob(struct keep_mentions *mentions, const struct keep_name *name)
{
	struct glob *glob = &mentions->globs[mentions->nr_globs++];

	glob->name = name;
	glob->prefix = name->entry.length - 1;
	keep_table_init(&glob->called, sizeof(struct keep_entry));
	let_pass(mentions, name->entry.text);
}

static void add_names(struct keep_mentions *mentions, const struct keep_names *names)
{
	for (size_t i = 0; i < names->table.nr_slots; i++) {
		const struct keep_name *name = (struct keep_name *)names->table.slots[i];

		if (!name || name->is_sure)
			continue;
		if (name->is_glob)
			add_glob(mentions, name);
		else
			add_word(mentions, name->entry.text + name->word_offset, false);
	}
}

struct keep_mentions *keep_mentions_new(const struct keep_names *names, const char *const *anchors)
{
	struct keep_mentions *mentions = (struct keep_mentions *)calloc(1, sizeof(*mentions));

	if (!mentions)
		return NULL;
	keep_table_init(&mentions->words, sizeof(struct word));
	mentions->globs = (struct glob *)calloc(names->table.count + 1, sizeof(struct glob));
	if (!mentions->globs) {
		free(mentions);
		return NULL;
	}
	add_names(mentions, names);
	for (; *anchors; anchors++)
		add_word(mentions, *anchors, true);
	return mentions;
}

void keep_mentions_free(struct keep_mentions *mentions)
{
	if (!mentions)
		return;
	for (size_t i = 0; i < mentions->nr_globs; i++)
		keep_table_release(&mentions->globs[i].called);
	keep_table_release(&mentions->words);
	free(mentions->globs);
	free(mentions);
}

/* ---- reading ---- */

#define BLOCK 64

static const unsigned char in_identifier[256] = {
	['$'] = 1, ['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['_'] = 1, ['a' ... 'z'] = 1,
};

/* A bit for each of eight bytes that is in an identifier: bit 0 for the first. */
static unsigned find_in_eight(const unsigned char *p)
{
	return (unsigned)(in_identifier[p[0]] | in_identifier[p[1]] << 1 |
			  in_identifier[p[2]] << 2 | in_identifier[p[3]] << 3 |
			  in_identifier[p[4]] << 4 | in_identifier[p[5]] << 5 |
			  in_identifier[p[6]] << 6 | in_identifier[p[7]] << 7);
}

/* The same for a block. */
static uint64_t find_identifiers(const char *block)
{
	uint64_t bits = 0;

	for (int i = 0; i < BLOCK; i += 8)
		bits |= (uint64_t)find_in_eight((const unsigned char *)block + i) << i;
	return bits;
}

static void match_globs(struct keep_mentions *mentions, const char *text, size_t length)
{
	for (size_t i = 0; i < mentions->nr_globs; i++) {
		struct glob *glob = &mentions->globs[i];

		if (length >= glob->prefix && glob->called.count <= MAX_GLOB_MATCHES &&
		    !memcmp(text, glob->name->entry.text, glob->prefix))
			keep_table_add(&glob->called, text, length);
	}
}

static bool is_called(const char *end_of_word, const char *end)
{
	if (end_of_word < end && *end_of_word == ' ')
		end_of_word++;
	return end_of_word < end && *end_of_word == '(';
}

/* An identifier that passed the filter. True: it is an anchor. */
static bool read_word(struct keep_mentions *mentions, const char *text, const char *end,
		      enum keep_note note)
{
	struct word *word;
	const char *after = text;
	bool called;

	while (after < end && in_identifier[(unsigned char)*after])
		after++;
	word = (struct word *)keep_table_find(&mentions->words, text, (size_t)(after - text));
	if (note == KEEP_NOTE_NOTHING)
		return word && word->is_anchor;
	called = note == KEEP_NOTE_ALL || is_called(after, end);
	if (called)
		match_globs(mentions, text, (size_t)(after - text));
	if (!word)
		return false;
	word->is_seen = true;
	word->is_called |= called;
	return word->is_anchor;
}

/* BEFORE: the byte before the text is in an identifier. The same byte by byte. */
static bool read_rest(struct keep_mentions *mentions, const char *text, const char *end,
		      bool before, enum keep_note note)
{
	bool has_anchor = false;

	for (; end - text >= KEEP_MIN_WORD; text++) {
		bool is_in = in_identifier[(unsigned char)*text];

		if (is_in && !before && passes(mentions, text))
			has_anchor |= read_word(mentions, text, end, note);
		before = is_in;
	}
	return has_anchor;
}

bool keep_mentions_read(struct keep_mentions *mentions, const char *text, size_t length,
			enum keep_note note)
{
	const char *end = text + length;
	bool has_anchor = false;
	uint64_t before = 0;

	for (; end - text >= BLOCK + KEEP_MIN_WORD; text += BLOCK) {
		uint64_t bits = find_identifiers(text);
		uint64_t begins = bits & ~(bits << 1 | before);

		before = bits >> (BLOCK - 1);
		for (; begins; begins &= begins - 1) {
			const char *word = text + __builtin_ctzll(begins);

			if (passes(mentions, word))
				has_anchor |= read_word(mentions, word, end, note);
		}
	}
	return read_rest(mentions, text, end, before, note) || has_anchor;
}

bool keep_mentions_mark(const struct keep_mentions *mentions, struct keep_names *names)
{
	bool failed = mentions->words.failed;

	for (size_t i = 0; i < names->table.nr_slots; i++) {
		struct keep_name *name = (struct keep_name *)names->table.slots[i];
		const struct word *word;

		if (!name || name->is_glob)
			continue;
		word = (const struct word *)keep_table_find(&mentions->words,
							    name->entry.text + name->word_offset,
							    name->entry.length - name->word_offset);
		name->is_mentioned = word && (name->word_offset ? word->is_seen : word->is_called);
	}
	for (size_t i = 0; i < mentions->nr_globs; i++) {
		const struct glob *glob = &mentions->globs[i];
		struct keep_name *name = (struct keep_name *)keep_table_find(
			&names->table, glob->name->entry.text, glob->name->entry.length);

		failed |= glob->called.failed;
		name->is_mentioned = glob->called.count && glob->called.count <= MAX_GLOB_MATCHES;
	}
	return !failed;
}
