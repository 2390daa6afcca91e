/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `kiln integrate`, the command in ../integrate.c. Private to kbuild/cli.
 *
 *	edit.c		the few lines in files of the kernel
 *	plan.c		what is to become of each file, before any is written
 *	apply.c		the plan carried out, wholly or not at all
 *	patch.c		the plan as a patch
 */
#ifndef KILN_INTEGRATE_H
#define KILN_INTEGRATE_H

#include "../cli.h"

/* Of the tree: where Kiln's own files go, and the list of them, first the version. */
#define INTEGRATE_DIRECTORY "scripts/gcc-plugins/kiln"
#define INTEGRATE_LIST      "files"

/* ---- edit.c ---- */

/* A block that goes before a line of a kernel's file, and before that line's comment. */
struct integrate_edit {
	const char *path;   /* in the tree */
	const char *anchor; /* what the line begins with; no other line does */
	const char *line;   /* the block, between the two lines that mark it */
};

/* Ends with a NULL path. */
extern const struct integrate_edit integrate_edits[];

/*
 * Appends TEXT, of the file that EDIT is for, to RET_TEXT without the block, and with
 * one as of today where ADD says so. What is wrong with the text is said.
 */
enum cli_status integrate_edit_text(const struct integrate_edit *edit, const struct kiln_strbuf *text,
				    bool add, struct kiln_strbuf *ret_text);

/* ---- plan.c ---- */

struct integrate_file {
	char *path; /* in the tree */
	bool before_exists, after_exists;
	struct kiln_strbuf before, after;
};

/* What differs, sorted by path. */
struct integrate_plan {
	const char *tree;
	struct integrate_file *files;
	size_t nr_files;
	char *old_version; /* of what is there; NULL: nothing is */
	char *new_version; /* NULL: removal */
};

/*
 * SOURCE is the directory that Kiln's own files are in; NULL: they are to be removed.
 * TREE and SOURCE must outlive PLAN, which must be released in any case.
 */
enum cli_status integrate_plan(struct integrate_plan *plan, const char *tree, const char *source);
void integrate_plan_release(struct integrate_plan *plan);

/* ---- apply.c ---- */

/* CLI_OK: all is done. Otherwise the tree is as before, or it is said what is not. */
enum cli_status integrate_apply(const struct integrate_plan *plan);

/* Takes away what kbuild made of Kiln's files beside them, and the directories; notes what is left. */
void integrate_sweep(const struct integrate_plan *plan);

/* ---- patch.c ---- */

/* Appends the plan as "git am" and "patch -p1" take it. */
void integrate_patch(const struct integrate_plan *plan, struct kiln_strbuf *ret_patch);

#endif
