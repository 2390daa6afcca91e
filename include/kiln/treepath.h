/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Paths as a policy spells them: relative to the root of the kernel tree.
 *
 * A compiler is given fs/open.c, ./fs/open.c, ../linux/fs/open.c or an absolute
 * path, depending on how the build was started; rules must not care. A file
 * inside the tree becomes "fs/open.c". A file outside it (an out-of-tree
 * module) keeps its absolute path, so that no rule for drivers/ ever matches a
 * module that happens to have a directory of that name.
 *
 * Paths are compared as text after "." and ".." are folded; symbolic links are
 * resolved only when that finds no common root.
 */
#ifndef KILN_TREEPATH_H
#define KILN_TREEPATH_H

#include "base.h"
#include "strbuf.h"

KILN_BEGIN_DECLS

struct kiln_tree {
	struct kiln_strbuf cwd;	/* absolute, folded, no trailing slash */
	struct kiln_strbuf root;	/* the tree's root, the same way */
};

/*
 * CWD is absolute. SRCTREE may be relative to it; NULL means that CWD is the
 * tree's root. -1 when memory ran out; TREE must be released in either case.
 */
int kiln_tree_init(struct kiln_tree *tree, const char *cwd, const char *srctree);
void kiln_tree_release(struct kiln_tree *tree);

/* Replaces RET_PATH's text with the tree path of PATH. -1: out of memory. */
int kiln_tree_path(const struct kiln_tree *tree, const char *path,
		   struct kiln_strbuf *ret_path);

/*
 * Looks upwards from the directory of PATH for a kernel tree, which is
 * recognized by its include/linux/kconfig.h. RET_ROOT gets the root and the
 * result is true, or it is untouched and the result is false.
 */
bool kiln_tree_find(const char *cwd, const char *path, struct kiln_strbuf *ret_root);

KILN_END_DECLS

#endif
