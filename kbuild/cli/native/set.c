// SPDX-License-Identifier: GPL-2.0-or-later
#include "native.h"

#include <stdlib.h>
#include <string.h>

void native_set_init(struct native_set *set)
{
	*set = (struct native_set){.words = NULL};
}

void native_set_release(struct native_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		free(set->words[i]);
	free(set->words);
	native_set_init(set);
}

/* Where WORD is, or would be. */
static size_t find(const struct native_set *set, const char *word, size_t length, bool *ret_found)
{
	size_t low = 0, high = set->count;

	*ret_found = false;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strncmp(set->words[middle], word, length);

		if (!order && set->words[middle][length])
			order = 1;
		if (!order) {
			*ret_found = true;
			return middle;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool grow(struct native_set *set)
{
	size_t capacity = set->capacity ? set->capacity * 2 : 16;
	char **words = (char **)realloc(set->words, capacity * sizeof(*words));

	if (!words)
		return false;
	set->words = words;
	set->capacity = capacity;
	return true;
}

void native_set_add(struct native_set *set, const char *word, size_t length)
{
	bool found;
	size_t at = find(set, word, length, &found);
	char *copy;

	if (found || set->failed)
		return;
	copy = strndup(word, length);
	if (!copy || (set->count + 2 > set->capacity && !grow(set))) {
		free(copy);
		set->failed = true;
		return;
	}
	memmove(&set->words[at + 1], &set->words[at], (set->count - at) * sizeof(*set->words));
	set->words[at] = copy;
	set->words[++set->count] = NULL;
}

void native_set_add_string(struct native_set *set, const char *word)
{
	native_set_add(set, word, strlen(word));
}

bool native_set_has(const struct native_set *set, const char *word)
{
	bool found;

	find(set, word, strlen(word), &found);
	return found;
}

static void remove_at(struct native_set *set, size_t at)
{
	free(set->words[at]);
	memmove(&set->words[at], &set->words[at + 1], (set->count - at) * sizeof(*set->words));
	set->count--;
}

void native_set_remove(struct native_set *set, const char *word)
{
	bool found;
	size_t at = find(set, word, strlen(word), &found);

	if (found)
		remove_at(set, at);
}

void native_set_add_all(struct native_set *set, const struct native_set *other)
{
	set->failed |= other->failed;
	for (size_t i = 0; i < other->count; i++)
		native_set_add_string(set, other->words[i]);
}

void native_set_subtract(struct native_set *set, const struct native_set *other)
{
	set->failed |= other->failed;
	for (size_t i = 0; i < other->count; i++)
		native_set_remove(set, other->words[i]);
}

void native_set_intersect(struct native_set *set, const struct native_set *other)
{
	set->failed |= other->failed;
	for (size_t i = set->count; i-- > 0;) {
		if (!native_set_has(other, set->words[i]))
			remove_at(set, i);
	}
}

void native_set_split(struct native_set *set, const char *text, size_t length)
{
	static const char blanks[] = " \t\n\r,";

	for (size_t i = 0; i < length;) {
		size_t begin = i;

		while (i < length && !strchr(blanks, text[i]))
			i++;
		if (i > begin)
			native_set_add(set, text + begin, i - begin);
		else
			i++;
	}
}

const char *const *native_set_list(const struct native_set *set)
{
	static const char *const none[] = {NULL};

	return set->count ? (const char *const *)set->words : none;
}
