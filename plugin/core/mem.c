// SPDX-License-Identifier: GPL-2.0-or-later
#include "mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "banned.h"

#define FIRST_CHUNK ((size_t)4000)
#define LAST_CHUNK  ((size_t)256 * 1024)

struct kiln_chunk {
	struct kiln_chunk *older;
	size_t size;
	max_align_t bytes[];
};

void kiln_arena_init(struct kiln_arena *arena)
{
	arena->chunks = NULL;
	arena->next = NULL;
	arena->left = 0;
}

void kiln_arena_release(struct kiln_arena *arena)
{
	struct kiln_chunk *older;

	for (struct kiln_chunk *c = arena->chunks; c; c = older) {
		older = c->older;
		free(c);
	}
	kiln_arena_init(arena);
}

static bool add_chunk(struct kiln_arena *arena, size_t at_least)
{
	size_t size = FIRST_CHUNK;
	struct kiln_chunk *chunk;

	if (arena->chunks)
		size = arena->chunks->size < LAST_CHUNK ? arena->chunks->size * 2 : LAST_CHUNK;
	if (size < at_least)
		size = at_least;
	if (size > SIZE_MAX - sizeof(*chunk))
		return false;
	chunk = (struct kiln_chunk *)malloc(sizeof(*chunk) + size);
	if (!chunk)
		return false;
	chunk->older = arena->chunks;
	chunk->size = size;
	arena->chunks = chunk;
	arena->next = (char *)chunk->bytes;
	arena->left = size;
	return true;
}

void *kiln_arena_alloc_slowly(struct kiln_arena *arena, size_t size)
{
	const size_t align = KILN_ARENA_ALIGN;

	if (size > SIZE_MAX / 2)
		return NULL;
	/* Not even nothing is allocated at NULL. */
	if (!size)
		size = 1;
	if (arena->left < size + align && !add_chunk(arena, size + align))
		return NULL;
	return kiln_arena_alloc(arena, size);
}

char *kiln_arena_join(struct kiln_arena *arena, const char *a, size_t a_length, const char *b)
{
	size_t b_size = strlen(b) + 1;
	char *joined = (char *)kiln_arena_alloc(arena, a_length + b_size);

	if (!joined)
		return NULL;
	memcpy(joined, a, a_length);
	memcpy(joined + a_length, b, b_size);
	return joined;
}

void *kiln_grow_slowly(void *array, size_t *capacity, size_t size)
{
	size_t more = *capacity ? *capacity * 2 : 16;
	void *grown;

	if (more > SIZE_MAX / 2 / size)
		return NULL;
	grown = realloc(array, more * size);
	if (grown)
		*capacity = more;
	return grown;
}
