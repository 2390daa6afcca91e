// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "args.h"
#include "target-cpu.h"
#include "unit.h"
#include "kiln/treepath.h"

static struct kiln_unit unit;
static char *object_name;	/* as the compiler's working directory sees it */
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
 * The source that a preprocessed file was made from, by its first line:
 *
 *	# 0 "../linux/fs/open.c"	(# 1 before GCC 11)
 *
 * NULL when there is no such line. The result is xmalloc'ed.
 */
static char *preprocessed_source(const char *input)
{
	char line[4096];
	char *name, *end;
	FILE *file = fopen(input, "r");

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

static const char *source_file(void)
{
	const char *input = args_input_file();
	const char *source = args_is_preprocessed() ? preprocessed_source(input) : NULL;

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

static void find_tree(const char *srctree, const char *source)
{
	/* A working directory that was removed has no name; paths may still be absolute. */
	const char *cwd = getpwd() ? getpwd() : "/";
	char *included = srctree ? NULL : args_srctree();
	struct kiln_strbuf found;

	kiln_strbuf_init(&found);
	if (!srctree)
		srctree = included;
	if (!srctree && source && kiln_tree_find(cwd, source, &found))
		srctree = found.data;
	if (kiln_tree_init(&source_tree, cwd, srctree) ||
	    kiln_tree_init(&object_tree, cwd, NULL))
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	kiln_strbuf_release(&found);
	free(included);
}

const struct kiln_unit *unit_init(const char *srctree)
{
	const char *source = source_file();
	char *object = object_name = object_file();
	bool outside = false;

	find_tree(srctree, source);
	unit.arch = target_arch();
	if (source) {
		unit.source = copy_path(&source_tree, source);
		outside = unit.source[0] == '/';
	}
	/* A module outside the tree must not look like part of it here either. */
	if (object && outside && object[0] != '/')
		unit.object = concat(object_tree.cwd.data, "/", object, NULL);
	else if (object)
		unit.object = copy_path(&object_tree, object);
	return &unit;
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
