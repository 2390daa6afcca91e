// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel trees. First the tests are read, which name functions and much else;
 * then all source of the kernel proper, for its own lists of functions, and to
 * see which of the tests' names it mentions.
 */
#include "keep.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TESTS "tools/testing/selftests"

/* What ftracetest has every test of its directory read first. */
#define FTRACE_TESTS     TESTS "/ftrace/"
#define FTRACE_FUNCTIONS FTRACE_TESTS "test.d/functions"

/* What counts in the kernel's own C, see keep_scan_c(). */
#define KERNEL_PARTS (KEEP_C_KERNEL | KEEP_C_STRUCTS)

/* Files between two looks at the clock of who waits. */
#define PROGRESS_STEP 512

struct walk {
	const char *root;
	struct keep_names *names;
	struct keep_mentions *mentions; /* NULL: the tests are read */
	struct keep_vars *functions;    /* FTRACE_FUNCTIONS' */
	struct kiln_strbuf path;        /* of the file or directory, in the tree */
	struct kiln_strbuf text;        /* of the file */
	size_t nr_files;
	bool shows_progress;
};

static enum cli_status say_unreadable(const struct walk *walk)
{
	return cli_trouble("'%s/%s' of the kernel tree cannot be read: %s", walk->root,
			   walk->path.data, strerror(errno));
}

/* ---- progress ---- */

static void show_progress(struct walk *walk)
{
	if (walk->shows_progress && walk->nr_files % PROGRESS_STEP == 0)
		fprintf(stderr, "\rkiln: %zu files read", walk->nr_files);
	walk->nr_files++;
}

static void end_progress(const struct walk *walk)
{
	if (walk->shows_progress && walk->nr_files)
		fputs("\r\033[K", stderr);
}

/* ---- files ---- */

static bool begins_with(const char *text, const char *begin)
{
	return strncmp(text, begin, strlen(begin)) == 0;
}

static void scan_test(struct walk *walk)
{
	struct keep_source source = {
		.names = walk->names,
		.origin = walk->path.data,
		.is_test = true,
	};

	if (begins_with(source.origin, FTRACE_TESTS))
		source.vars = walk->functions;
	keep_scan_test(&source, walk->text.data, walk->text.length);
}

/* What samples/ mentions is a sample's, and not the kernel's. */
static void scan_kernel(struct walk *walk)
{
	struct keep_source source = {.names = walk->names, .origin = walk->path.data};
	bool is_assembly = keep_ends_in(walk->path.data, ".S");
	enum keep_note note = is_assembly ? KEEP_NOTE_ALL : KEEP_NOTE_CALLS;

	if (begins_with(walk->path.data, "samples/"))
		note = KEEP_NOTE_NOTHING;
	if (keep_mentions_read(walk->mentions, walk->text.data, walk->text.length, note) &&
	    !is_assembly)
		keep_scan_c(&source, KERNEL_PARTS, walk->text.data, walk->text.length);
}

static enum cli_status read_text(struct walk *walk, int directory, const char *name)
{
	int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	int failed;

	if (fd < 0)
		return say_unreadable(walk);
	kiln_strbuf_reset(&walk->text);
	failed = kiln_strbuf_read_fd(&walk->text, fd);
	close(fd);
	return failed ? say_unreadable(walk) : CLI_OK;
}

static enum cli_status read_file(struct walk *walk, int directory, const char *name)
{
	const char *path = walk->path.data;
	enum cli_status status;

	if (walk->mentions && !keep_ends_in(path, ".c") && !keep_ends_in(path, ".h") &&
	    !keep_ends_in(path, ".S"))
		return CLI_OK;
	status = read_text(walk, directory, name);
	if (status != CLI_OK)
		return status;
	show_progress(walk);
	if (walk->mentions)
		scan_kernel(walk);
	else
		scan_test(walk);
	return CLI_OK;
}

/* ---- directories ---- */

/* Not the kernel's source, or not there before a build. */
static bool is_skipped(const struct walk *walk, const char *name)
{
	if (!walk->mentions)
		return false;
	return strcmp(walk->path.data, "tools") == 0 ||
	       strcmp(walk->path.data, "Documentation") == 0 || strcmp(name, "generated") == 0;
}

static enum cli_status read_directory(struct walk *walk, int parent, const char *name);

/* Links are not followed: what they point at is read in its own place, or is not the tree's. */
static enum cli_status read_entry(struct walk *walk, int directory, const char *name)
{
	struct stat st;

	if (fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW))
		return say_unreadable(walk);
	if (S_ISDIR(st.st_mode))
		return is_skipped(walk, name) ? CLI_OK : read_directory(walk, directory, name);
	return S_ISREG(st.st_mode) ? read_file(walk, directory, name) : CLI_OK;
}

static enum cli_status read_entries(struct walk *walk, DIR *stream)
{
	size_t length = walk->path.length;
	enum cli_status status = CLI_OK;
	struct dirent *entry;

	while (status == CLI_OK && (errno = 0, entry = readdir(stream))) {
		if (*entry->d_name == '.')
			continue;
		kiln_strbuf_addf(&walk->path, "%s%s", length ? "/" : "", entry->d_name);
		status = walk->path.failed ? cli_no_memory()
					   : read_entry(walk, dirfd(stream), entry->d_name);
		kiln_strbuf_truncate(&walk->path, length);
	}
	if (status == CLI_OK && errno)
		status = say_unreadable(walk);
	return status;
}

static enum cli_status read_directory(struct walk *walk, int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	enum cli_status status;

	if (!stream) {
		status = say_unreadable(walk);
		if (fd >= 0)
			close(fd);
		return status;
	}
	status = read_entries(walk, stream);
	closedir(stream);
	return status;
}

/* ---- the tree ---- */

/* A kernel need not have its tests with it. */
static enum cli_status read_tests(struct walk *walk, int root)
{
	enum cli_status status = CLI_OK;

	kiln_strbuf_adds(&walk->path, FTRACE_FUNCTIONS);
	if (!faccessat(root, FTRACE_FUNCTIONS, F_OK, 0))
		status = read_text(walk, root, FTRACE_FUNCTIONS);
	if (status != CLI_OK)
		return status;
	walk->functions = keep_shell_vars(walk->text.data, walk->text.length);
	if (!walk->functions)
		return cli_no_memory();
	kiln_strbuf_reset(&walk->path);
	kiln_strbuf_adds(&walk->path, TESTS);
	if (walk->path.failed)
		return cli_no_memory();
	if (faccessat(root, TESTS, F_OK, 0))
		return CLI_OK;
	return read_directory(walk, root, TESTS);
}

static enum cli_status read_kernel(struct walk *walk, int root)
{
	const char *anchors[KEEP_C_MAX_ANCHORS];
	enum cli_status status;

	kiln_strbuf_reset(&walk->path);
	keep_c_anchors(KERNEL_PARTS, anchors);
	walk->mentions = keep_mentions_new(walk->names, anchors);
	if (!walk->mentions)
		return cli_no_memory();
	status = read_directory(walk, root, ".");
	if (status == CLI_OK && !keep_mentions_mark(walk->mentions, walk->names))
		status = cli_no_memory();
	keep_mentions_free(walk->mentions);
	return status;
}

enum cli_status keep_read_tree(const char *root, struct keep_names *names)
{
	struct walk walk = {.root = root, .names = names, .shows_progress = isatty(2)};
	int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	enum cli_status status;

	if (fd < 0)
		return cli_trouble("the kernel tree '%s' cannot be read: %s", root,
				   strerror(errno));
	kiln_strbuf_init(&walk.path);
	kiln_strbuf_init(&walk.text);
	status = read_tests(&walk, fd);
	if (status == CLI_OK)
		status = read_kernel(&walk, fd);
	end_progress(&walk);
	keep_vars_free(walk.functions);
	kiln_strbuf_release(&walk.text);
	kiln_strbuf_release(&walk.path);
	close(fd);
	return status;
}

/* ---- its version ---- */

/* Appends what "KEY = value" says in a makefile. False: it says nothing. */
static bool add_value(struct kiln_strbuf *sb, const char *before, const char *makefile,
		      const char *key)
{
	size_t length = strlen(key);

	for (const char *line = makefile; line; line = strchr(line, '\n')) {
		const char *p;

		line += *line == '\n';
		p = line + length;
		if (strncmp(line, key, length))
			continue;
		p += strspn(p, " \t");
		if (*p++ != '=')
			continue;
		p += strspn(p, " \t");
		length = strcspn(p, " \t\r\n");
		kiln_strbuf_addf(sb, "%s%.*s", length ? before : "", (int)length, p);
		return length > 0;
	}
	return false;
}

static bool add_version(struct kiln_strbuf *sb, const char *makefile)
{
	if (!add_value(sb, "", makefile, "VERSION") || !add_value(sb, ".", makefile, "PATCHLEVEL"))
		return false;
	add_value(sb, ".", makefile, "SUBLEVEL");
	add_value(sb, "", makefile, "EXTRAVERSION");
	return true;
}

static bool read_makefile(const char *root, struct kiln_strbuf *text)
{
	struct kiln_strbuf path;
	bool is_read = false;
	int fd;

	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "%s/Makefile", root);
	fd = open(path.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0) {
		is_read = !kiln_strbuf_read_fd(text, fd);
		close(fd);
	}
	kiln_strbuf_release(&path);
	return is_read;
}

enum cli_status keep_tree_version(const char *root, struct kiln_strbuf *ret_version)
{
	struct kiln_strbuf makefile;
	enum cli_status status = CLI_OK;

	kiln_strbuf_init(&makefile);
	if (!read_makefile(root, &makefile))
		status = cli_trouble("'%s' is no kernel tree: its Makefile cannot be read: %s",
				     root, strerror(errno));
	else if (!add_version(ret_version, makefile.data))
		status = cli_trouble("'%s' is no kernel tree: its Makefile has no VERSION and "
				     "PATCHLEVEL",
				     root);
	kiln_strbuf_release(&makefile);
	return status;
}
