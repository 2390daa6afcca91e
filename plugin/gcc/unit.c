// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include <sys/mman.h>
#include "args.h"
#include "mark.h"
#include "target-cpu.h"
#include "unit.h"
#include "kiln/glob.h"
#include "kiln/treepath.h"

static struct kiln_unit unit;
static char *object_name;	/* as the compiler's working directory sees it */
static bool object_known;
static char *srctree_name;	/* as it was given or found */
static char *marked_object, *marked_srctree;	/* by a mark in the input */
static struct kiln_tree source_tree;
static struct kiln_tree object_tree;	/* the compiler's working directory */

static char *copy_path(const struct kiln_tree *tree, const char *path)
{
	struct kiln_strbuf sb;
	char *copy;

	kiln_strbuf_init(&sb);
	if (kiln_tree_path(tree, path, &sb))
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	copy = xstrdup(sb.data);
	kiln_strbuf_release(&sb);
	return copy;
}

/*
 * icecc's compiler gets the preprocessed text from a pipe. Puts a file in its place,
 * which can be looked at before GCC reads it.
 */
static void keep_stdin(void)
{
	struct kiln_strbuf text;
	int fd;

	if (lseek(STDIN_FILENO, 0, SEEK_CUR) >= 0)
		return;
	kiln_strbuf_init(&text);
	fd = memfd_create("kiln", MFD_CLOEXEC);
	if (fd < 0 || kiln_strbuf_read_fd(&text, STDIN_FILENO) || kiln_strbuf_write_fd(&text, fd) ||
	    lseek(fd, 0, SEEK_SET) || dup2(fd, STDIN_FILENO) < 0)
		fatal_error(UNKNOWN_LOCATION, "kiln: the standard input cannot be read: %s",
			    xstrerror(errno));
	close(fd);
	kiln_strbuf_release(&text);
}

/*
 * The source that a preprocessed file was made from, by its first line:
 *
 *	# 0 "../linux/fs/open.c"	(# 1 before GCC 11)
 *
 * NULL when there is no such line. The result is xmalloc'ed.
 */
static char *preprocessed_source(int fd)
{
	char line[4096];
	char *name, *end;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

	if (!file)
		return NULL;
	name = fgets(line, sizeof(line), file);
	fclose(file);
	if (!name || (strncmp(line, "# 0 \"", 5) && strncmp(line, "# 1 \"", 5)))
		return NULL;
	name = line + 5;
	end = strchr(name, '"');
	return end ? xstrndup(name, end - name) : NULL;
}

static bool is_piped(void)
{
	return args_is_preprocessed() && !strcmp(args_input_file(), "-");
}

static const char *source_file(void)
{
	const char *input = args_input_file();
	const char *source = NULL;
	off_t begin;
	int fd;

	if (is_piped()) {
		keep_stdin();
		mark_read(STDIN_FILENO, &marked_object, &marked_srctree);
		begin = lseek(STDIN_FILENO, 0, SEEK_CUR);
		fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		source = preprocessed_source(fd);
		lseek(STDIN_FILENO, begin, SEEK_SET);
	} else if (args_is_preprocessed()) {
		fd = open(input, O_RDONLY | O_CLOEXEC);
		source = preprocessed_source(fd);
	}
	return source ? source : input;
}

/*
 * The object by the driver's -dumpdir and -dumpbase, since cc1's own output is
 * a temporary file. Kernels before 5.18 with CONFIG_MODVERSIONS compile to
 * .tmp_NAME.o first. NULL when the driver did not say. xmalloc'ed.
 */
static char *object_file(void)
{
	const char *base = KILN_OBJECT_BASE;
	const char *slash, *dot;
	size_t directory;

	if (!base)
		return NULL;
	slash = strrchr(base, '/');
	directory = slash ? slash + 1 - base : 0;
	dot = strrchr(base + directory, '.');
	size_t length = KILN_OBJECT_BASE_HAS_SUFFIX && dot && dot > base + directory
			? dot - base : strlen(base);
	const char *name = base + directory;
	if (!strncmp(name, ".tmp_", 5))
		name += 5;
	return xasprintf("%.*s%.*s.o", (int)directory, base,
			 (int)(base + length - name), name);
}

/*
 * The object as kbuild's macros tell it, for behind a cache or on a farm the compiler
 * is not told its name when it preprocesses:
 *
 *	-DKBUILD_MODFILE='"fs/ext4/ext4"' -DKBUILD_BASENAME='"inode"'
 *
 * NULL: they do not. kbuild writes '_' for '-' and ',' in names. xmalloc'ed.
 */
static char *kbuild_object(const char *source)
{
	const char *module = args_macro("KBUILD_MODFILE"), *name = args_macro("KBUILD_BASENAME");
	const char *slash = module ? strrchr(module, '/') : NULL;

	if (!slash || !name || module[0] != '"' || name[0] != '"' || !source ||
	    (source[0] == '/' && module[1] != '/'))
		return NULL;
	size_t directory = slash - module, length = strlen(name) - 2;
	const char *base = strrchr(source, '/') ? strrchr(source, '/') + 1 : source;
	const char *dot = strrchr(base, '.');
	bool is_sources = dot && (size_t)(dot - base) == length;

	for (size_t i = 0; is_sources && i < length; i++)
		is_sources = base[i] == name[i + 1] || (name[i + 1] == '_' && strchr("-,", base[i]));
	if (!is_sources && strchr(name, '_'))
		return NULL;
	/* $(obj)/%.o is made of $(src)/%.c, where % may have a directory in it. */
	if (is_sources && !strncmp(source, module + 1, directory - 1) && source[directory - 1] == '/')
		return xasprintf("%.*s.o", (int)(dot - source), source);
	return xasprintf("%.*s/%.*s.o", (int)(directory - 1), module + 1, (int)length,
			 is_sources ? base : name + 1);
}

static void find_tree(const char *srctree, const char *source)
{
	/* A working directory that was removed has no name; paths may still be absolute. */
	const char *cwd = getpwd() ? getpwd() : "/";
	char *included = srctree ? NULL : args_srctree();
	struct kiln_strbuf found;

	kiln_strbuf_init(&found);
	if (!srctree)
		srctree = included;
	if (!srctree)
		srctree = marked_srctree;
	if (!srctree && source && kiln_tree_find(cwd, source, &found))
		srctree = found.data;
	srctree_name = srctree ? xstrdup(srctree) : NULL;
	if (kiln_tree_init(&source_tree, cwd, srctree) ||
	    kiln_tree_init(&object_tree, cwd, NULL))
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	kiln_strbuf_release(&found);
	free(included);
}

/* Does kbuild run the compiler where a kernel's objects are made? A module's are elsewhere. */
static bool is_in_object_tree(void)
{
	return !access("include/config/auto.conf", F_OK);
}

/* What kbuild has made, such as *.mod.c, lies in the object tree, under the same name. */
static char *source_path(const char *source)
{
	char *path = copy_path(&source_tree, source);
	char *made = path[0] == '/' && is_in_object_tree() ? copy_path(&object_tree, source) : NULL;

	if (!made || made[0] == '/') {
		free(made);
		return path;
	}
	free(path);
	return made;
}

const struct kiln_unit *unit_init(const char *srctree)
{
	const char *source = source_file();
	char *object = object_name = object_file();
	bool outside = false;
	char *told;

	find_tree(srctree, source);
	unit.arch = target_arch();
	if (source) {
		unit.source = source_path(source);
		outside = unit.source[0] == '/';
	}
	told = marked_object ? marked_object : args_wants_text() ? kbuild_object(unit.source) : NULL;
	object_known = told || !args_wants_text();
	/* A module outside the tree must not look like part of it here either. */
	if (told)
		unit.object = told;
	else if (object && outside && object[0] != '/')
		unit.object = concat(object_tree.cwd.data, "/", object, NULL);
	else if (object)
		unit.object = copy_path(&object_tree, object);
	return &unit;
}

const struct kiln_unit *unit_get(void)
{
	return &unit;
}

bool unit_object_is_known(void)
{
	return object_known;
}

const char *unit_srctree(void)
{
	return srctree_name;
}

bool unit_is_elsewhere(void)
{
	/* icecc's daemon makes every object as icecc-NUMBER.o. */
	static const char name[] = "icecc-";

	return is_piped() && KILN_OBJECT_BASE &&
	       !strncmp(KILN_OBJECT_BASE, name, sizeof(name) - 1);
}

bool unit_is_nameless(void)
{
	return unit_is_elsewhere() && !marked_object;
}

bool unit_can_be(const char *glob)
{
	return !object_known || (unit.object && kiln_glob_match(glob, unit.object)) ||
	       (unit.source && kiln_glob_match(glob, unit.source));
}

const char *unit_object_file(void)
{
	return object_name;
}

const char *unit_tree_path(const char *file)
{
	static const char *last_file;
	static struct kiln_strbuf path;

	if (file == last_file)
		return path.data;
	if (!path.data)
		kiln_strbuf_init(&path);
	if (kiln_tree_path(&source_tree, file, &path))
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	last_file = file;
	return path.data;
}
