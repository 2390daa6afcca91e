// SPDX-License-Identifier: GPL-2.0-or-later
#include "keep.h"

#include <stdlib.h>
#include <string.h>

#include "kiln/glob.h"

/* How much of a name a tree's glob must spell out: `do_execve*`, not `*lock*`. */
#define MIN_GLOB_PREFIX 4

/* The kernel's own limit, KSYM_NAME_LEN, is 512 bytes with the NUL. */
#define MAX_NAME 1024

void keep_names_init(struct keep_names *names)
{
	keep_table_init(&names->table, sizeof(struct keep_name));
	keep_table_init(&names->origins, sizeof(struct keep_entry));
}

void keep_names_release(struct keep_names *names)
{
	for (size_t i = 0; i < names->table.nr_slots; i++) {
		if (names->table.slots[i])
			free(((struct keep_name *)names->table.slots[i])->origins);
	}
	keep_table_release(&names->table);
	keep_table_release(&names->origins);
}

bool keep_names_failed(const struct keep_names *names)
{
	return names->table.failed || names->origins.failed;
}

bool keep_name_counts(const struct keep_name *name)
{
	return name->is_sure || name->is_mentioned;
}

/* ---- what can be a name ---- */

static bool is_wild(char c)
{
	return c == '*' || c == '?' || c == '[';
}

/* The end of the set "[!a-z]" that GLOB begins with, or GLOB. */
static const char *skip_set(const char *glob)
{
	const char *p = glob + 1 + (glob[1] == '!' || glob[1] == '^');

	while (keep_is_letter(*p) || keep_is_digit(*p) || *p == '-')
		p++;
	return *glob == '[' && *p == ']' ? p + 1 : glob;
}

size_t keep_name_length(const char *text, size_t length)
{
	const char *dot = (const char *)memchr(text, '.', length);

	return dot && dot > text ? (size_t)(dot - text) : length;
}

/* The name is a string. */
static enum keep_verdict judge_glob(const char *name)
{
	size_t offset, letters = 0;

	if (kiln_glob_check(name, &offset))
		return KEEP_NO_NAME;
	for (; *name; name++)
		letters += keep_is_letter(*name) || keep_is_digit(*name);
	return letters ? KEEP_NAME : KEEP_ANY_NAME;
}

static enum keep_verdict judge(const char *name, bool *ret_is_glob)
{
	bool is_glob = false;

	if (!keep_is_letter(*name) && !is_wild(*name))
		return KEEP_NO_NAME;
	for (const char *p = name; *p; p++) {
		if (is_wild(*p)) {
			const char *set_end = skip_set(p);

			is_glob = true;
			p = set_end > p ? set_end - 1 : p;
		} else if (!keep_is_letter(*p) && !keep_is_digit(*p) && *p != '$') {
			return KEEP_NO_NAME;
		}
	}
	*ret_is_glob = is_glob;
	return is_glob ? judge_glob(name) : KEEP_NAME;
}

/* Is it a function's name though a test names it, or a glob that tells which? */
static bool is_tests_name(const char *name, bool is_glob)
{
	size_t prefix = kiln_glob_prefix(name);
	size_t small = 0;

	if (is_glob)
		return prefix >= MIN_GLOB_PREFIX && strcmp(name + prefix, "*") == 0;
	for (const char *p = name; *p; p++)
		small += *p >= 'a' && *p <= 'z';
	return small && strlen(name) >= KEEP_MIN_WORD;
}

/* ---- adding ---- */

static void add_origin(struct keep_names *names, struct keep_name *name, const char *path)
{
	const struct keep_entry *origin = keep_table_add(&names->origins, path, strlen(path));
	size_t capacity = name->origins_capacity ? name->origins_capacity * 2 : 2;
	void *grown;

	for (size_t i = 0; i < name->nr_origins; i++) {
		if (name->origins[i] == origin)
			return;
	}
	if (name->nr_origins == name->origins_capacity) {
		grown = realloc(name->origins, capacity * sizeof(struct keep_entry *));
		if (!grown) {
			names->origins.failed = true;
			return;
		}
		name->origins = (const struct keep_entry **)grown;
		name->origins_capacity = capacity;
	}
	name->origins[name->nr_origins++] = origin;
}

static void add_name(const struct keep_source *source, const char *text, size_t word_offset,
		     bool is_glob)
{
	struct keep_name *name;

	name = (struct keep_name *)keep_table_add(&source->names->table, text, strlen(text));
	if (!name)
		return;
	name->is_glob = is_glob;
	name->is_sure |= !source->is_test;
	if (name->word_offset < word_offset)
		name->word_offset = word_offset; /* whichever file was read first */
	add_origin(source->names, name, source->origin);
}

enum keep_verdict keep_add_prefixed(const struct keep_source *source, const char *prefix,
				    const char *text, size_t length)
{
	size_t before = strlen(prefix);
	char name[MAX_NAME + 1];
	enum keep_verdict verdict;
	bool is_glob;

	length = keep_name_length(text, length);
	if (!length || before + length > MAX_NAME || memchr(text, '\0', length))
		return KEEP_NO_NAME;
	memcpy(name, prefix, before);
	memcpy(name + before, text, length);
	name[before + length] = '\0';
	verdict = judge(name + before, &is_glob);
	if (verdict != KEEP_NAME)
		return verdict;
	if (source->is_test && !is_tests_name(name + before, is_glob))
		return KEEP_NO_NAME;
	add_name(source, name, before, is_glob);
	return KEEP_NAME;
}

enum keep_verdict keep_add(const struct keep_source *source, const char *text, size_t length)
{
	return keep_add_prefixed(source, "", text, length);
}
