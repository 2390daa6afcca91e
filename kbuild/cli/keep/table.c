// SPDX-License-Identifier: GPL-2.0-or-later
#include "keep.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SLOTS 256

void keep_table_init(struct keep_table *table, size_t entry_size)
{
	*table = (struct keep_table){.entry_size = entry_size};
}

void keep_table_release(struct keep_table *table)
{
	for (size_t i = 0; i < table->nr_slots; i++)
		free(table->slots[i]);
	free(table->slots);
	keep_table_init(table, table->entry_size);
}

/* FNV-1a */
static uint32_t hash_of(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash;
}

/* The slot that the text is in, or the free one where it would be. */
static struct keep_entry **find_slot(const struct keep_table *table, uint32_t hash,
				     const char *text, size_t length)
{
	size_t mask = table->nr_slots - 1;

	for (size_t i = hash & mask;; i = (i + 1) & mask) {
		const struct keep_entry *entry = table->slots[i];

		if (!entry || (entry->hash == hash && entry->length == length &&
			       !memcmp(entry->text, text, length)))
			return &table->slots[i];
	}
}

static bool grow(struct keep_table *table)
{
	struct keep_table grown = *table;

	grown.nr_slots = table->nr_slots ? table->nr_slots * 2 : FIRST_SLOTS;
	grown.slots = (struct keep_entry **)calloc(grown.nr_slots, sizeof(*grown.slots));
	if (!grown.slots)
		return false;
	for (size_t i = 0; i < table->nr_slots; i++) {
		struct keep_entry *entry = table->slots[i];

		if (entry)
			*find_slot(&grown, entry->hash, entry->text, entry->length) = entry;
	}
	free(table->slots);
	*table = grown;
	return true;
}

/* An entry and its text are one allocation. */
static struct keep_entry *new_entry(size_t size, uint32_t hash, const char *text, size_t length)
{
	struct keep_entry *entry = (struct keep_entry *)calloc(1, size + length + 1);
	char *copy = (char *)entry + size;

	if (!entry)
		return NULL;
	memcpy(copy, text, length);
	*entry = (struct keep_entry){copy, length, hash};
	return entry;
}

struct keep_entry *keep_table_find(const struct keep_table *table, const char *text, size_t length)
{
	return table->count ? *find_slot(table, hash_of(text, length), text, length) : NULL;
}

struct keep_entry *keep_table_add(struct keep_table *table, const char *text, size_t length)
{
	uint32_t hash = hash_of(text, length);
	struct keep_entry **slot;

	if (table->count * 2 >= table->nr_slots && !grow(table)) {
		table->failed = true;
		return NULL;
	}
	slot = find_slot(table, hash, text, length);
	if (*slot)
		return *slot;
	*slot = new_entry(table->entry_size, hash, text, length);
	if (*slot)
		table->count++;
	else
		table->failed = true;
	return *slot;
}

static int compare(const void *a, const void *b)
{
	return strcmp((*(struct keep_entry *const *)a)->text,
		      (*(struct keep_entry *const *)b)->text);
}

struct keep_entry **keep_table_sorted(const struct keep_table *table)
{
	struct keep_entry **list;
	size_t count = 0;

	list = (struct keep_entry **)calloc(table->count + 1, sizeof(struct keep_entry *));
	if (!list)
		return NULL;
	for (size_t i = 0; i < table->nr_slots; i++) {
		if (table->slots[i])
			list[count++] = table->slots[i];
	}
	qsort(list, count, sizeof(struct keep_entry *), compare);
	return list;
}
