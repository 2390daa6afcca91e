// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "alloc.h"
#include "kiln/nearest.h"

/*
 * The oracle: all words of up to 5 letters out of three are the nodes of a graph,
 * single changes its edges, and the distance is the length of the shortest way.
 */
#define LETTERS    "abc"
#define MAX_LENGTH 5
#define NR_WORDS   (1 + 3 + 9 + 27 + 81 + 243)
#define NR_SHORT   (1 + 3 + 9 + 27 + 81) /* of up to 4 letters */

static char all_words[NR_WORDS][MAX_LENGTH + 1];
static unsigned char way[NR_SHORT][NR_WORDS];

static unsigned index_of(const char *word)
{
	unsigned index = 0;

	/* Bijective numeration, the first letter being the lowest digit. */
	for (size_t i = strlen(word); i--;)
		index = index * 3 + 1 + (unsigned)(word[i] - 'a');
	return index;
}

static void list_words(void)
{
	for (unsigned i = 0; i < NR_WORDS; i++) {
		unsigned rest = i;
		char *end = all_words[i];

		for (; rest; rest = (rest - 1) / 3)
			*end++ = LETTERS[(rest - 1) % 3];
		*end = '\0';
		ck_assert_uint_eq(index_of(all_words[i]), i);
	}
}

/* Lists the words that one change makes of WORD. */
static unsigned list_neighbours(const char *word, unsigned *ret_list)
{
	size_t length = strlen(word);
	unsigned count = 0;
	char other[MAX_LENGTH + 2];

	for (size_t i = 0; i <= length; i++) {
		for (const char *letter = LETTERS; *letter; letter++) {
			if (length < MAX_LENGTH) {
				memcpy(other, word, i);
				other[i] = *letter;
				strcpy(other + i + 1, word + i);
				ret_list[count++] = index_of(other);
			}
			if (i < length) {
				strcpy(other, word);
				other[i] = *letter;
				ret_list[count++] = index_of(other);
			}
		}
		if (i < length) {
			memcpy(other, word, i);
			strcpy(other + i, word + i + 1);
			ret_list[count++] = index_of(other);
		}
		if (i + 1 < length) {
			strcpy(other, word);
			other[i] = word[i + 1];
			other[i + 1] = word[i];
			ret_list[count++] = index_of(other);
		}
	}
	return count;
}

static void measure_ways(void)
{
	for (unsigned from = 0; from < NR_SHORT; from++) {
		unsigned queue[NR_WORDS], first = 0, last = 0, list[64];

		memset(way[from], 0xff, NR_WORDS);
		way[from][from] = 0;
		queue[last++] = from;
		while (first < last) {
			unsigned here = queue[first++];
			unsigned count = list_neighbours(all_words[here], list);

			for (unsigned i = 0; i < count; i++) {
				if (way[from][list[i]] != 0xff)
					continue;
				way[from][list[i]] = way[from][here] + 1;
				queue[last++] = list[i];
			}
		}
		ck_assert_uint_eq(last, NR_WORDS);
	}
}

static bool is_near(unsigned from, unsigned to)
{
	size_t a = strlen(all_words[from]), b = strlen(all_words[to]);
	size_t longer = a > b ? a : b;

	return way[from][to] <= (longer + 2) / 3;
}

/* Each pair of candidates in either order, so that ties are met too. */
START_TEST(same_as_shortest_way)
{
	unsigned suggested = 0;

	list_words();
	measure_ways();
	for (unsigned from = 0; from < NR_SHORT; from += 1 + from / 40) {
		for (unsigned a = 0; a < NR_SHORT; a++) {
			for (unsigned b = a % 7; b < NR_SHORT; b += 7) {
				const char *words[] = {all_words[a], all_words[b], NULL};
				const char *expected = NULL;
				const char *got = kiln_nearest(all_words[from], words);

				if (is_near(from, a))
					expected = words[0];
				if (is_near(from, b) && (!expected || way[from][b] < way[from][a]))
					expected = words[1];
				suggested += expected != NULL;
				if (got != expected)
					ck_abort_msg("'%s' among '%s' '%s': %s", all_words[from],
						     words[0], words[1], got ? got : "none");
			}
		}
	}
	ck_assert_uint_gt(suggested, 10000);
}
END_TEST

START_TEST(what_people_write)
{
	static const char *const words[] = {"all",      "call",    "default", "file", "force",
					    "func",     "include", "inline",  "keep", "leave",
					    "noinline", "on",      "section", NULL};
	static const struct {
		const char *word;
		const char *nearest;
	} table[] = {
		{"fnuc", "func"},       {"function", "section"}, {"flie", "file"},
		{"files", "file"},      {"incldue", "include"},  {"no-inline", "noinline"},
		{"kep", "keep"},        {"Keep", "keep"},        {"defualt", "default"},
		{"sectoin", "section"}, {"xyzzy", NULL},         {"", NULL},
		{"keep", "keep"},       {"calls", "call"},       {"al", "all"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const char *got = kiln_nearest(table[i].word, words);

		if (!table[i].nearest)
			ck_assert_msg(!got, "'%s': '%s'", table[i].word, got);
		else
			ck_assert_msg(got && strcmp(got, table[i].nearest) == 0, "'%s': '%s'",
				      table[i].word, got ? got : "none");
	}
}
END_TEST

START_TEST(no_words)
{
	static const char *const none[] = {NULL};

	ck_assert_ptr_null(kiln_nearest("keep", none));
}
END_TEST

START_TEST(long_words)
{
	const size_t length = 1 << 20;
	static const char *const few[] = {"keep", NULL};
	char *word = (char *)malloc(length + 1);
	char other[2001];
	const char *words[] = {other, NULL};

	memset(word, 'k', length);
	word[length] = '\0';
	ck_assert_ptr_null(kiln_nearest(word, few));
	word[2000] = '\0';
	memcpy(other, word, 2001);
	memset(other, 'x', 667);
	ck_assert_ptr_eq(kiln_nearest(word, words), other);
	other[1000] = 'x';
	ck_assert_ptr_null(kiln_nearest(word, words));
	free(word);
}
END_TEST

START_TEST(no_memory_no_suggestion)
{
	static const char *const words[] = {"keep", NULL};
	const char *got;

	alloc_fail_at(1);
	got = kiln_nearest("kepe", words);
	alloc_stop();
	ck_assert_ptr_null(got);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("nearest");
	TCase *tcase = tcase_create("nearest");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, same_as_shortest_way);
	tcase_add_test(tcase, what_people_write);
	tcase_add_test(tcase, no_words);
	tcase_add_test(tcase, long_words);
	tcase_add_test(tcase, no_memory_no_suggestion);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
