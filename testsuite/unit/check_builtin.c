// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <dirent.h>
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kiln/builtin.h"
#include "kiln/policy.h"

/* The checkout: this program is build/host/unit/check_builtin in it. */
static void enter_checkout(void)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	ck_assert_int_gt(length, 0);
	path[length] = '\0';
	for (int i = 0; i < 4; i++)
		*strrchr(path, '/') = '\0';
	ck_assert_msg(chdir(path) == 0 && access("plugin/core/make-builtin", R_OK) == 0, "%s",
		      path);
}

static int run(const char *format, const char *directory)
{
	char command[2048];

	snprintf(command, sizeof(command), "d=%s; ", directory);
	snprintf(command + strlen(command), sizeof(command) - strlen(command), "%s", format);
	return system(command);
}

static char directory[] = "/tmp/kiln-builtin-XXXXXX";

static void make_directory(void)
{
	strcpy(directory + strlen(directory) - 6, "XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	enter_checkout();
}

static void remove_directory(void)
{
	ck_assert_int_eq(run("rm -r $d", directory), 0);
}

static void put(const char *name, const char *bytes, size_t length)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", directory, name);
	file = fopen(path, "wb");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	fclose(file);
}

/* Compiles the table that make-builtin makes of the files and prints it back. */
#define ROUND_TRIP                                                                               \
	"sh plugin/core/make-builtin $files > $d/table.c && "                                    \
	"printf '%s\\n' '#include <stdio.h>' '#include \"kiln/builtin.h\"' "                     \
	"'int main(void) { for (const struct kiln_builtin *b = kiln_builtins; b->name; b++) {' " \
	"'fprintf(stderr, \"%s\\n\", b->name); fwrite(b->text, 1, b->length, stdout);' "         \
	"'if (b->text[b->length]) return 1; } return 0; }' > $d/main.c && "                      \
	"cc -std=c11 -Wall -Wextra -Werror -Iinclude -o $d/main $d/table.c $d/main.c && "        \
	"$d/main > $d/out 2> $d/names"

START_TEST(every_byte_survives)
{
	char bytes[256 * 4];
	static const char odd[] = "a \"quote\" and \\ and \?\?/ \?\?= trigraphs\r\n\ttab \0017\n"
				  "%s %d %% \xc3\xa4 \xe4 no newline";

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i < 512 ? i : i < 768 ? i * 7 : 'a');
	put("b.policy", bytes, sizeof(bytes));
	put("a.policy", odd, sizeof(odd) - 1);
	put("a-b.policy", "", 0);
	put("c.policy", "x\n", 2);
	put("names.expected", "a\na-b\nb\nc\n", 10);
	ck_assert_int_eq(
		run("files=\"$d/c.policy $d/a-b.policy $d/b.policy $d/a.policy\"; " ROUND_TRIP
		    " && cat $d/a.policy $d/a-b.policy $d/b.policy $d/c.policy "
		    "| cmp - $d/out && cmp $d/names $d/names.expected",
		    directory),
		0);
}
END_TEST

START_TEST(no_files)
{
	ck_assert_int_eq(
		run("files=; " ROUND_TRIP " && ! test -s $d/out && ! test -s $d/names", directory),
		0);
}
END_TEST

START_TEST(refusals)
{
	put("a.policy", "", 0);
	put("a.text", "", 0);
	ck_assert_int_eq(run("mkdir $d/sub $d/dir.policy; cp $d/a.policy $d/sub; exec 2> $d/err; "
			     "m='sh plugin/core/make-builtin'; "
			     "! $m $d/missing.policy && grep -q missing.policy $d/err && "
			     "! $m $d/a.text && ! $m $d/dir.policy && "
			     "! $m $d/a.policy $d/sub/a.policy && grep -q 'called a' $d/err",
			     directory),
			 0);
}
END_TEST

START_TEST(table_is_sorted_and_found)
{
	ck_assert_ptr_null(kiln_builtin_find("no such policy"));
	ck_assert_ptr_null(kiln_builtin_find(""));
	for (const struct kiln_builtin *b = kiln_builtins; b->name; b++) {
		ck_assert_ptr_eq(kiln_builtin_find(b->name), b);
		ck_assert_uint_eq(strlen(b->text), b->length);
		if (b > kiln_builtins)
			ck_assert_int_lt(strcmp(b[-1].name, b->name), 0);
	}
}
END_TEST

START_TEST(every_builtin_loads)
{
	static struct messages messages;

	messages_init(&messages);
	for (const struct kiln_builtin *b = kiln_builtins; b->name; b++) {
		struct kiln_policy *policy = kiln_policy_new();

		ck_assert_msg(kiln_policy_load(policy, b->name, &messages.sink) == 0, "%s",
			      messages.text);
		ck_assert_uint_eq(kiln_policy_nr_files(policy), 0);
		kiln_policy_free(policy);
	}
	ck_assert_str_eq(messages.text, "");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("builtin");
	TCase *tcase = tcase_create("builtin");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, make_directory, remove_directory);
	tcase_add_test(tcase, every_byte_survives);
	tcase_add_test(tcase, no_files);
	tcase_add_test(tcase, refusals);
	tcase_add_test(tcase, table_is_sorted_and_found);
	tcase_add_test(tcase, every_builtin_loads);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
