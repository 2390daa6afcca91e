/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory for what is built once and freed at once. Private to the core.
 *
 * A policy is parsed in every compile, so neither a word nor a rule may cost a
 * call of malloc.
 */
#ifndef KILN_CORE_MEM_H
#define KILN_CORE_MEM_H

#include "kiln/base.h"

#define KILN_ARENA_ALIGN _Alignof(max_align_t)

struct kiln_chunk;

struct kiln_arena {
	struct kiln_chunk *chunks; /* the newest first */
	char *next;                /* first free byte of the newest */
	size_t left;
};

void kiln_arena_init(struct kiln_arena *arena);
void kiln_arena_release(struct kiln_arena *arena);

void *kiln_arena_alloc_slowly(struct kiln_arena *arena, size_t size);

/* SIZE bytes for any type, not cleared; NULL: out of memory. */
static inline void *kiln_arena_alloc(struct kiln_arena *arena, size_t size)
{
	const size_t align = KILN_ARENA_ALIGN;
	size_t whole = (size + align - 1) / align * align;
	void *memory = arena->next;

	if (!whole || whole > arena->left)
		return kiln_arena_alloc_slowly(arena, size);
	arena->next += whole;
	arena->left -= whole;
	return memory;
}

/* The first A_LENGTH bytes of A and the string B, as one string; NULL: out of memory. */
char *kiln_arena_join(struct kiln_arena *arena, const char *a, size_t a_length, const char *b);

/*
 * ARRAY with room for one element beyond COUNT, each of SIZE bytes; it may have
 * moved. *CAPACITY is in elements. NULL: out of memory, ARRAY is as it was.
 */
void *kiln_grow_slowly(void *array, size_t *capacity, size_t size);

static inline void *kiln_grow(void *array, size_t count, size_t *capacity, size_t size)
{
	return count < *capacity ? array : kiln_grow_slowly(array, capacity, size);
}

#endif
