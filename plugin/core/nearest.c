// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/nearest.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "banned.h"

static size_t max_size(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* A word of LENGTH bytes and another of OTHER: how many changes are still near? */
static size_t limit(size_t length, size_t other)
{
	return (max_size(length, other) + 2) / 3;
}

static bool lengths_are_near(size_t length, size_t other)
{
	size_t difference = length > other ? length - other : other - length;

	return difference <= limit(length, other);
}

/*
 * Distance with swaps that may have insertions between them (Damerau 1964, in
 * Lowrance and Wagner's form of 1975). CELLS has room for (strlen(a) + 1) times
 * (strlen(b) + 1) numbers: row i, column j is the distance of a's first i bytes
 * from b's first j.
 */
static size_t distance(const char *a, const char *b, size_t *cells)
{
	size_t rows = strlen(a) + 1, columns = strlen(b) + 1;
	size_t row_of[UCHAR_MAX + 1] = {0}; /* last row whose byte of A is that one */

	for (size_t i = 0; i < rows; i++)
		cells[i * columns] = i;
	for (size_t j = 0; j < columns; j++)
		cells[j] = j;
	for (size_t i = 1; i < rows; i++) {
		size_t same_column = 0; /* last column where B's byte is a[i - 1] */

		for (size_t j = 1; j < columns; j++) {
			size_t *cell = &cells[i * columns + j];
			size_t same_row = row_of[(unsigned char)b[j - 1]];
			bool same = a[i - 1] == b[j - 1];
			size_t best = cell[-(ptrdiff_t)columns - 1] + !same;

			if (best > cell[-1] + 1)
				best = cell[-1] + 1;
			if (best > cell[-(ptrdiff_t)columns] + 1)
				best = cell[-(ptrdiff_t)columns] + 1;
			if (same_row && same_column) {
				size_t swapped = cells[(same_row - 1) * columns + same_column - 1] +
						 (i - same_row - 1) + 1 + (j - same_column - 1);

				if (best > swapped)
					best = swapped;
			}
			*cell = best;
			if (same)
				same_column = j;
		}
		row_of[(unsigned char)a[i - 1]] = i;
	}
	return cells[rows * columns - 1];
}

/* Size, with the NUL, of the longest of WORDS that could be near a word of LENGTH; 0: none. */
static size_t longest_candidate(size_t length, const char *const *words)
{
	size_t longest = 0;

	for (; *words; words++) {
		size_t other = strlen(*words);

		if (lengths_are_near(length, other))
			longest = max_size(longest, other + 1);
	}
	return longest;
}

const char *kiln_nearest(const char *word, const char *const *words)
{
	size_t length = strlen(word);
	size_t columns = longest_candidate(length, words);
	size_t best = SIZE_MAX, found;
	const char *nearest = NULL;
	size_t *cells;

	if (!columns || length + 1 > SIZE_MAX / sizeof(*cells) / columns)
		return NULL;
	cells = (size_t *)malloc((length + 1) * columns * sizeof(*cells));
	if (!cells)
		return NULL;
	for (; *words; words++) {
		size_t other = strlen(*words);

		if (!lengths_are_near(length, other))
			continue;
		found = distance(word, *words, cells);
		if (found < best && found <= limit(length, other)) {
			best = found;
			nearest = *words;
		}
	}
	free(cells);
	return nearest;
}
