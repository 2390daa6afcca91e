// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <unistd.h>

#include "../../kbuild/cli/native/native.h"
#include "alloc.h"

/* ---- sets ---- */

static void check_invariants(const struct native_set *set)
{
	const char *const *list = native_set_list(set);

	for (size_t i = 0; i < set->count; i++)
		ck_assert_str_eq(list[i], set->words[i]);
	ck_assert_ptr_null(list[set->count]);
	for (size_t i = 1; i < set->count; i++)
		ck_assert_int_lt(strcmp(set->words[i - 1], set->words[i]), 0);
}

#define NR_WORDS 64

/* Word NUMBER: some are the beginning of others. */
static const char *word_of(unsigned number)
{
	static char word[8];

	snprintf(word, sizeof(word), "%.*s%u", (int)(number % 3), "xx", number / 3);
	return word;
}

/* A set as bits. */
static void fill(struct native_set *set, uint64_t bits)
{
	for (unsigned i = 0; i < NR_WORDS; i++) {
		if (bits >> i & 1)
			native_set_add_string(set, word_of(i));
	}
}

static uint64_t bits_of(const struct native_set *set)
{
	uint64_t bits = 0;
	size_t count = 0;

	check_invariants(set);
	for (unsigned i = 0; i < NR_WORDS; i++) {
		bool has = native_set_has(set, word_of(i));

		bits |= (uint64_t)has << i;
		count += has;
	}
	ck_assert_uint_eq(count, set->count);
	return bits;
}

static uint64_t random_bits(uint64_t *seed)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < NR_WORDS; i++)
		bits = bits << 1 | (random_below(seed, 3) == 0);
	return bits;
}

START_TEST(same_as_bits)
{
	uint64_t seed = (uint64_t)_i + 1;

	for (int step = 0; step < 50; step++) {
		uint64_t a = random_bits(&seed), b = random_bits(&seed);
		unsigned one = random_below(&seed, NR_WORDS);
		struct native_set x, y;

		native_set_init(&x);
		native_set_init(&y);
		fill(&x, a);
		fill(&y, b);
		ck_assert(bits_of(&x) == a && bits_of(&y) == b);
		native_set_add_all(&x, &y);
		ck_assert(bits_of(&x) == (a | b));
		native_set_remove(&x, word_of(one));
		native_set_remove(&x, word_of(one));
		ck_assert(bits_of(&x) == ((a | b) & ~((uint64_t)1 << one)));
		native_set_release(&x);
		fill(&x, a);
		native_set_subtract(&x, &y);
		ck_assert(bits_of(&x) == (a & ~b));
		native_set_release(&x);
		fill(&x, a);
		native_set_intersect(&x, &y);
		ck_assert(bits_of(&x) == (a & b));
		native_set_release(&x);
		native_set_release(&y);
	}
}
END_TEST

START_TEST(split_into_words)
{
	static const char text[] = "  b a,c\t a\nd\re beyond";
	struct native_set set;

	native_set_init(&set);
	native_set_split(&set, text, strlen(text) - strlen(" beyond"));
	ck_assert_uint_eq(set.count, 5);
	ck_assert_str_eq(set.words[0], "a");
	ck_assert_str_eq(set.words[4], "e");
	check_invariants(&set);
	native_set_release(&set);
	native_set_split(&set, "", 0);
	ck_assert_ptr_null(native_set_list(&set)[0]);
}
END_TEST

START_TEST(a_set_remembers_that_memory_ran_out)
{
	struct native_set set, other;
	bool failed;

	native_set_init(&set);
	native_set_init(&other);
	alloc_fail_at((unsigned long)_i + 1);
	for (unsigned i = 0; i < NR_WORDS; i++)
		native_set_add_string(&set, word_of(i));
	failed = alloc_failed();
	alloc_stop();
	ck_assert(failed == set.failed);
	check_invariants(&set);
	native_set_add_all(&other, &set);
	ck_assert(other.failed == failed);
	native_set_release(&set);
	native_set_release(&other);
}
END_TEST

/* ---- machines ---- */

static const char *const keys[] = {"vendor", "model", NULL};
static const struct native_arch arch = {.pattern = "test", .keys = keys, .words_key = "flags"};

/* With the allocation number FAIL_AT failing, if it is not 0: *RET_FAILED says if it did. */
static enum cli_status read_failing(struct native_machine *machine, const char *text,
				    unsigned long fail_at, bool *ret_failed)
{
	char file[] = "/tmp/kiln-check-native.XXXXXX";
	enum cli_status status;
	int fd = mkstemp(file);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	alloc_fail_at(fail_at);
	status = native_machine_read(machine, file, &arch);
	*ret_failed = alloc_failed();
	alloc_stop();
	unlink(file);
	return status;
}

static enum cli_status read_text(struct native_machine *machine, const char *text)
{
	bool failed;

	return read_failing(machine, text, 0, &failed);
}

#define CPU(number, model, flags) \
	"processor\t: " number "\nvendor\t: A\nmodel\t\t: " model "\nflags\t\t: " flags "\n\n"

/* A file; its types as "MODEL/NR_CPUS", what all of them have. */
static const struct {
	const char *text;
	const char *types;
	const char *words;
} machines[] = {
	{CPU("0", "1", "a b"), "1/1", "a b"},
	{CPU("0", "1", "a b") CPU("1", "1", "b a"), "1/2", "a b"},
	{CPU("0", "2", "a b c") CPU("1", "1", "b c d"), "1/1 2/1", "b c"},
	{CPU("0", "1", "b c d") CPU("1", "2", "a b c"), "1/1 2/1", "b c"},
	{CPU("0", "1", "a b") CPU("1", "1", "a"), "1/1 1/1", "a"},
	{CPU("0", "1", "a") CPU("1", "2", "a") CPU("2", "1", "a"), "1/2 2/1", "a"},
	{"board\t: X\n\n" CPU("0", "1", "a") "\n\nHardware\t: Y\n", "1/1", "a"},
	{"processor : 0\r\nmodel : 1\r\nflags : a b\r\n", "1/1", "a b"},
	{"\r\nmodel : 1\r\nflags : a b\r\n\r\nmodel : 2\r\nflags : a\r\n\r\n", "1/1 2/1", "a"},
	{" \nmodel : 1\nflags : a b\n\t\n \n\nmodel : 1\nflags : a b\n ", "1/2", "a b"},
	{"processor : 0\nflags : a b", "-/1", "a b"},
	{"processor : 0\nmodel :\nflags:a", "/1", "a"},
};

static void describe(const struct native_machine *machine, char *types, char *words, size_t size)
{
	*types = *words = '\0';
	for (size_t i = 0; i < machine->nr_types; i++) {
		const char *model = machine->types[i].values[1];
		size_t length = strlen(types);

		snprintf(types + length, size - length, "%s%s/%u", i ? " " : "",
			 model ? model : "-", machine->types[i].nr_cpus);
	}
	for (size_t i = 0; i < machine->words.count; i++) {
		size_t length = strlen(words);

		snprintf(words + length, size - length, "%s%s", i ? " " : "",
			 machine->words.words[i]);
	}
}

START_TEST(read_machines)
{
	struct native_machine machine;
	char types[100], words[100];

	ck_assert_int_eq(read_text(&machine, machines[_i].text), CLI_OK);
	describe(&machine, types, words, sizeof(types));
	ck_assert_str_eq(types, machines[_i].types);
	ck_assert_str_eq(words, machines[_i].words);
	native_machine_release(&machine);
	native_machine_release(&machine);
}
END_TEST

START_TEST(no_machine)
{
	static const char *const texts[] = {"", "\n\n", "flags", "x : y\n", "flags :\n", ":"};
	struct native_machine machine;

	ck_assert_int_eq(read_text(&machine, texts[_i]), CLI_TROUBLE);
	native_machine_release(&machine);
}
END_TEST

START_TEST(a_machine_without_memory)
{
	static const char text[] = CPU("0", "1", "a b") CPU("1", "2", "a c") CPU("2", "1", "a b");
	struct native_machine machine;
	enum cli_status status;
	bool failed;

	status = read_failing(&machine, text, (unsigned long)_i + 1, &failed);
	ck_assert_int_eq(status, failed ? CLI_TROUBLE : CLI_OK);
	native_machine_release(&machine);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("native");
	TCase *tcase = tcase_create("native");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, same_as_bits, 0, 20);
	tcase_add_test(tcase, split_into_words);
	tcase_add_loop_test(tcase, a_set_remembers_that_memory_ran_out, 0, 6);
	tcase_add_loop_test(tcase, read_machines, 0, sizeof(machines) / sizeof(machines[0]));
	tcase_add_loop_test(tcase, no_machine, 0, 6);
	tcase_add_loop_test(tcase, a_machine_without_memory, 0, 12);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
