// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/treepath.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "banned.h"

static void drop_component(struct kiln_strbuf *path)
{
	const char *slash = path->length ? strrchr(path->data, '/') : NULL;

	kiln_strbuf_truncate(path, slash ? (size_t)(slash - path->data) : 0);
}

/* Appends "/component" for each component of PATH; the root is "" meanwhile. */
static void fold_in(struct kiln_strbuf *out, const char *path)
{
	size_t length;

	for (; *path; path += length) {
		path += strspn(path, "/");
		length = strcspn(path, "/");
		if (!length || (length == 1 && path[0] == '.'))
			continue;
		if (length == 2 && path[0] == '.' && path[1] == '.') {
			drop_component(out);
			continue;
		}
		kiln_strbuf_add(out, "/", 1);
		kiln_strbuf_add(out, path, length);
	}
}

/* Replaces OUT by the folded PATH, which may be relative to CWD; -1: out of memory. */
static int fold(struct kiln_strbuf *out, const char *cwd, const char *path)
{
	kiln_strbuf_reset(out);
	if (path[0] != '/')
		fold_in(out, cwd);
	fold_in(out, path);
	if (!out->length)
		kiln_strbuf_add(out, "/", 1);
	return out->failed ? -1 : 0;
}

int kiln_tree_init(struct kiln_tree *tree, const char *cwd, const char *srctree)
{
	kiln_strbuf_init(&tree->cwd);
	kiln_strbuf_init(&tree->root);
	if (fold(&tree->cwd, "/", cwd))
		return -1;
	return fold(&tree->root, tree->cwd.data, srctree ? srctree : ".");
}

void kiln_tree_release(struct kiln_tree *tree)
{
	if (!tree)
		return;
	kiln_strbuf_release(&tree->cwd);
	kiln_strbuf_release(&tree->root);
}

/* What PATH is called inside of ROOT, or NULL when it lies elsewhere. */
static const char *below(const char *root, const char *path)
{
	size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);

	if (strcmp(root, path) == 0)
		return ".";
	if (strncmp(root, path, length) != 0)
		return NULL;
	return path[length] == '/' ? path + length + 1 : NULL;
}

/* Removes the first COUNT bytes. */
static void drop_front(struct kiln_strbuf *sb, size_t count)
{
	memmove(sb->data, sb->data + count, sb->length - count + 1);
	sb->length -= count;
}

static int set(struct kiln_strbuf *sb, const char *text)
{
	kiln_strbuf_reset(sb);
	kiln_strbuf_adds(sb, text);
	return sb->failed ? -1 : 0;
}

/*
 * Sets RET_PATH when PATH's directory, with its symbolic links resolved, lies in
 * the tree. The last component is not resolved: a file belongs to where it
 * stands, and an object need not exist yet. -1: out of memory.
 */
static int resolve(const struct kiln_tree *tree, const char *path, struct kiln_strbuf *ret_path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	char *root = realpath(tree->root.data, NULL);
	struct kiln_strbuf full;
	char *directory = NULL;
	const char *inside;
	int result = -1;

	kiln_strbuf_init(&full);
	if (path[0] != '/') {
		kiln_strbuf_adds(&full, tree->cwd.data);
		kiln_strbuf_add(&full, "/", 1);
	}
	kiln_strbuf_add(&full, path, (size_t)(base - path));
	if (full.failed)
		goto out;
	directory = realpath(full.data, NULL);
	result = 0;
	if (!root || !directory)
		goto out;
	kiln_strbuf_reset(&full);
	kiln_strbuf_adds(&full, directory);
	kiln_strbuf_add(&full, "/", 1);
	kiln_strbuf_adds(&full, base);
	inside = full.failed ? NULL : below(root, full.data);
	if (full.failed || (inside && set(ret_path, inside)))
		result = -1;
out:
	kiln_strbuf_release(&full);
	free(directory);
	free(root);
	return result;
}

int kiln_tree_path(const struct kiln_tree *tree, const char *path, struct kiln_strbuf *ret_path)
{
	const char *inside;

	if (fold(ret_path, tree->cwd.data, path))
		return -1;
	inside = below(tree->root.data, ret_path->data);
	if (!inside)
		return resolve(tree, path, ret_path);
	if (strcmp(inside, ".") == 0)
		return set(ret_path, ".");
	drop_front(ret_path, (size_t)(inside - ret_path->data));
	return 0;
}

static bool is_kernel_tree(struct kiln_strbuf *root)
{
	size_t length = root->length;
	bool found;

	kiln_strbuf_adds(root, "/include/linux/kconfig.h");
	found = !root->failed && access(root->data, F_OK) == 0;
	kiln_strbuf_truncate(root, length);
	return found;
}

bool kiln_tree_find(const char *cwd, const char *path, struct kiln_strbuf *ret_root)
{
	struct kiln_strbuf root;
	bool found = false;

	kiln_strbuf_init(&root);
	if (path[0] != '/')
		fold_in(&root, cwd);
	fold_in(&root, path);
	while (!found && root.length) {
		drop_component(&root);
		found = is_kernel_tree(&root);
	}
	if (found && !root.length)
		kiln_strbuf_add(&root, "/", 1);
	if (!found || root.failed) {
		kiln_strbuf_release(&root);
		return false;
	}
	kiln_strbuf_release(ret_root);
	*ret_root = root;
	return true;
}
