// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alloc.h"
#include "kiln/treepath.h"

static char *scratch; /* a directory of the running test, without symbolic links above it */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void make_scratch(void)
{
	char name[] = "/tmp/kiln-treepath-XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(name));
	scratch = realpath(name, NULL);
	ck_assert_ptr_nonnull(scratch);
}

static void remove_scratch(void)
{
	nftw(scratch, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(scratch);
	scratch = NULL;
}

static const char *in_scratch(const char *name)
{
	static char paths[4][512];
	static unsigned next;
	char *path = paths[next++ % 4];

	snprintf(path, sizeof(paths[0]), "%s/%s", scratch, name);
	return path;
}

static void make_directory(const char *name)
{
	ck_assert_int_eq(mkdir(in_scratch(name), 0777), 0);
}

static void make_file(const char *name)
{
	FILE *file = fopen(in_scratch(name), "w");

	ck_assert_ptr_nonnull(file);
	fclose(file);
}

static void make_link(const char *target, const char *name)
{
	ck_assert_int_eq(symlink(target, in_scratch(name)), 0);
}

static void check_path(const char *cwd, const char *srctree, const char *path, const char *expected)
{
	struct kiln_tree tree;
	struct kiln_strbuf got;

	kiln_strbuf_init(&got);
	kiln_strbuf_adds(&got, "old text");
	ck_assert_int_eq(kiln_tree_init(&tree, cwd, srctree), 0);
	ck_assert_int_eq(kiln_tree_path(&tree, path, &got), 0);
	ck_assert_msg(strcmp(got.data, expected) == 0, "%s %s %s: %s, not %s", cwd,
		      srctree ? srctree : "-", path, got.data, expected);
	kiln_strbuf_release(&got);
	kiln_tree_release(&tree);
}

/* None of these exist, so that nothing but text can decide. */
START_TEST(folded_as_text)
{
	static const struct {
		const char *cwd;
		const char *srctree;
		const char *path;
		const char *expected;
	} table[] = {
		{"/no/linux", NULL, "fs/open.c", "fs/open.c"},
		{"/no/linux", NULL, "./fs/open.c", "fs/open.c"},
		{"/no/linux", NULL, "fs//./open.c", "fs/open.c"},
		{"/no/linux", NULL, "../linux/fs/open.c", "fs/open.c"},
		{"/no/linux", NULL, "/no/linux/fs/open.c", "fs/open.c"},
		{"/no/linux", ".", "fs/../mm/slub.c", "mm/slub.c"},
		{"/no/linux/", "./", "fs/open.c", "fs/open.c"},
		{"/no/./linux//", NULL, "/no/linux/fs/open.c", "fs/open.c"},
		{"/no/build", "../linux", "../linux/fs/open.c", "fs/open.c"},
		{"/no/build", "/no/linux", "/no/linux/fs/open.c", "fs/open.c"},
		{"/no/build", "/no/linux", "fs/open.o", "/no/build/fs/open.o"},
		{"/no/linux/out", "..", "../fs/open.c", "fs/open.c"},
		{"/no/linux/out", "..", "include/generated/x.h", "out/include/generated/x.h"},
		{"/no/linux", NULL, "../module/drivers/a.c", "/no/module/drivers/a.c"},
		{"/no/linux", NULL, "../linux2/fs/open.c", "/no/linux2/fs/open.c"},
		{"/no/linux2", "/no/linux", "a.c", "/no/linux2/a.c"},
		{"/no/linux", NULL, "/no/linux", "."},
		{"/no/linux", NULL, ".", "."},
		{"/no/linux", NULL, "../../../../x.c", "/x.c"},
		{"/", NULL, "fs/open.c", "fs/open.c"},
		{"/", NULL, "/", "."},
		{"/no", "/", "open.c", "no/open.c"},
		{"/no/linux", NULL, "fs/..open.c", "fs/..open.c"},
		{"/no/linux", NULL, "fs/.../a.c", "fs/.../a.c"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		check_path(table[i].cwd, table[i].srctree, table[i].path, table[i].expected);
}
END_TEST

/* Where there are no symbolic links, realpath says the same. */
START_TEST(same_as_realpath)
{
	static const char *const steps[] = {"a", "b", ".", "..", "", "a", "b"};
	static const char *const directories[] = {"t",       "t/a",    "t/b",   "t/a/a",
						  "t/a/b",   "t/b/a",  "t/b/b", "t/a/a/a",
						  "t/a/b/a", "t/b/a/b"};
	uint64_t seed = 99;
	unsigned compared = 0;

	for (size_t i = 0; i < sizeof(directories) / sizeof(directories[0]); i++)
		make_directory(directories[i]);
	for (int i = 0; i < 20000; i++) {
		char path[512] = "", expected[512], *real;
		unsigned nr_steps = 1 + random_below(&seed, 9);
		size_t root_length;

		if (random_below(&seed, 4) == 0)
			snprintf(path, sizeof(path), "%s/", in_scratch("t"));
		for (unsigned k = 0; k < nr_steps; k++) {
			strcat(path, steps[random_below(&seed, 7)]);
			strcat(path, "/");
		}
		if (path[0] == '/' && strncmp(path, scratch, strlen(scratch)) != 0)
			continue;
		ck_assert_int_eq(chdir(in_scratch("t/a")), 0);
		real = realpath(path, NULL);
		if (!real)
			continue;
		root_length = strlen(in_scratch("t"));
		snprintf(expected, sizeof(expected), "%s", real);
		if (strncmp(real, in_scratch("t"), root_length) == 0)
			snprintf(expected, sizeof(expected), "%s",
				 real[root_length] ? real + root_length + 1 : ".");
		free(real);
		check_path(in_scratch("t/a"), in_scratch("t"), path, expected);
		compared++;
	}
	ck_assert_uint_gt(compared, 5000);
}
END_TEST

START_TEST(symbolic_links)
{
	make_directory("real");
	make_directory("real/fs");
	make_directory("module");
	make_file("real/fs/open.c");
	make_file("module/m.c");
	make_link("real", "link");
	make_link(in_scratch("real/fs/open.c"), "module/linked.c");
	make_link(in_scratch("module/m.c"), "real/fs/foreign.c");
	make_link("../module", "real/out");

	/* The build was started through the link, the compiler was given the real path. */
	check_path(in_scratch("link"), NULL, in_scratch("real/fs/open.c"), "fs/open.c");
	check_path(in_scratch("real"), NULL, in_scratch("link/fs/open.c"), "fs/open.c");
	/* An object is named before it exists. */
	check_path(in_scratch("real"), NULL, in_scratch("link/fs/open.o"), "fs/open.o");
	/* ".." behind a link is not where the text says. */
	check_path(in_scratch("module"), in_scratch("real"), "../link/../real/fs/open.c",
		   "fs/open.c");
	/* A file belongs to the directory that it stands in, link or not. */
	check_path(in_scratch("real"), NULL, in_scratch("module/linked.c"),
		   in_scratch("module/linked.c"));
	check_path(in_scratch("real"), NULL, "fs/foreign.c", "fs/foreign.c");
	/* Text that has a common root is believed. */
	check_path(in_scratch("real"), NULL, "out/m.c", "out/m.c");
	/* Relative and outside. */
	check_path(in_scratch("real"), NULL, "../module/m.c", in_scratch("module/m.c"));
	check_path(in_scratch("real"), NULL, "../nothing/m.c", in_scratch("nothing/m.c"));
}
END_TEST

static void check_found(const char *cwd, const char *path, const char *expected)
{
	struct kiln_strbuf root;
	bool found;

	kiln_strbuf_init(&root);
	kiln_strbuf_adds(&root, "untouched");
	found = kiln_tree_find(cwd, path, &root);
	ck_assert_msg(found == (expected != NULL), "%s %s", cwd, path);
	ck_assert_str_eq(root.data, expected ? expected : "untouched");
	kiln_strbuf_release(&root);
}

START_TEST(tree_is_found)
{
	make_directory("linux");
	make_directory("linux/fs");
	make_directory("linux/include");
	make_directory("linux/include/linux");
	make_directory("other");
	make_file("linux/include/linux/kconfig.h");

	check_found(in_scratch("linux"), "fs/open.c", in_scratch("linux"));
	check_found(in_scratch("linux/fs"), "open.c", in_scratch("linux"));
	check_found(in_scratch("other"), "../linux/fs/deep/open.c", in_scratch("linux"));
	check_found(in_scratch("other"), in_scratch("linux/a.c"), in_scratch("linux"));
	check_found(in_scratch("linux"), in_scratch("other/a.c"), NULL);
	check_found(in_scratch("other"), "a.c", NULL);
	/* The directory of the path, not the path itself. */
	check_found(in_scratch("other"), in_scratch("linux"), NULL);
	check_found("/", "a.c", NULL);
}
END_TEST

/* Every allocation fails once; the answer is an error or the right one. */
START_TEST(without_memory)
{
	unsigned failures = 0;
	bool failed;

	make_directory("real");
	make_directory("real/include");
	make_directory("real/include/linux");
	make_file("real/include/linux/kconfig.h");
	make_link("real", "link");
	for (unsigned long n = 1;; n++) {
		struct kiln_tree tree;
		struct kiln_strbuf got, root;
		int result;
		bool found;

		kiln_strbuf_init(&got);
		kiln_strbuf_init(&root);
		alloc_fail_at(n);
		result = kiln_tree_init(&tree, in_scratch("link/include"), "..");
		if (!result)
			result = kiln_tree_path(&tree, in_scratch("real/include/main.c"), &got);
		found = kiln_tree_find(scratch, "real/include/linux/x.h", &root);
		failed = alloc_failed();
		alloc_stop();
		ck_assert(failed || (!result && found));
		ck_assert(!failed || result || !found);
		if (!result)
			ck_assert_str_eq(got.data, "include/main.c");
		if (found)
			ck_assert_str_eq(root.data, in_scratch("real"));
		kiln_tree_release(&tree);
		kiln_strbuf_release(&got);
		kiln_strbuf_release(&root);
		failures += failed;
		if (!failed)
			break;
	}
	ck_assert_uint_gt(failures, 5);
	kiln_tree_release(NULL);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("treepath");
	TCase *tcase = tcase_create("treepath");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, make_scratch, remove_scratch);
	tcase_add_test(tcase, folded_as_text);
	tcase_add_test(tcase, same_as_realpath);
	tcase_add_test(tcase, symbolic_links);
	tcase_add_test(tcase, tree_is_found);
	tcase_add_test(tcase, without_memory);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
