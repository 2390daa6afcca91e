/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `kiln make`, the command in ../make.c. Private to kbuild/cli, and to
 * kiln-refresh, which has some of them in a kernel tree: ../../tree.
 *
 *	build.c		what the arguments of make say of the build
 *	file.c		a file that is written where its text changes
 *	walk.c		the files beside the objects
 *	wrappers.c	caches and farms between make and the compiler
 *	refresh.c	which objects a policy's edit concerns
 *	summary.c	what was done, by the records
 */
#ifndef KILN_MAKE_H
#define KILN_MAKE_H

#include <sys/types.h>
#include <fts.h>

#include "../cli.h"

/* ---- build.c ---- */

/* A kernel build. Strings belong to the arguments or the environment. */
struct make_build {
	char *const *args; /* of make, those below among them */
	int nr_args;
	struct kiln_strbuf directory; /* the -C's, each from the one before */
	const char *output;        /* O= */
	const char *module;        /* M= */
	const char *module_output; /* MO= */
	const char *cross_compile; /* CROSS_COMPILE= */
	const char *cc;            /* CC= */
	const char *llvm;          /* LLVM= */
	const char *kcflags;       /* KCFLAGS= */
	const char *krustflags;    /* KRUSTFLAGS= */
	struct kiln_strbuf compiler; /* what CC will be */
	struct kiln_strbuf objtree;  /* absolute */
	struct kiln_strbuf objects;  /* where the objects are: it, or M='s */
};

/* The directories must be there; CC= must be no clang's. */
enum cli_status make_build_init(struct make_build *build, char *const *args, int nr_args);
void make_build_release(struct make_build *build);

/* Does ARG set NAME, as "NAME=...", "NAME:=..."? Its value, or NULL. */
const char *make_value(const char *arg, const char *name);

/* ---- file.c ---- */

/* Is TEXT what is in the file PATH? */
bool make_file_has(const char *path, const struct kiln_strbuf *text);

/* Replaces the file as a whole. */
enum cli_status make_write_file(const char *path, const struct kiln_strbuf *text);

/* ---- wrappers.c ---- */

/* What CC runs the compiler through, by name, by a link, or by ccache's prefix. */
struct make_wrappers {
	bool ccache;
	bool distcc;
	bool icecc;
	bool sccache;
};

void make_find_wrappers(const char *compiler, struct make_wrappers *ret_wrappers);

/* Are records written, and are they those of the objects? */
bool make_keeps_records(const struct make_wrappers *wrappers);

/* One note about each that changes what the user may expect. */
void make_say_wrappers(const struct make_wrappers *wrappers);

/* Sets the environment in which they give right objects. */
enum cli_status make_tell_wrappers(const struct make_wrappers *wrappers,
				   const struct kiln_policy *policy, const char *plugin);

/* ---- walk.c ---- */

/* Of an object NAME.o the record is .NAME.o.kiln. */
#define MAKE_RECORD_END ".o.kiln"

/* Gets every file whose name begins with a dot. */
struct make_walker {
	enum cli_status (*see)(struct make_walker *walker, const FTSENT *entry);
};

/* Until SEE fails. Links are not followed, nor is another build's directory entered. */
enum cli_status make_walk(const char *directory, struct make_walker *walker);

/* Is ENTRY's name a dot, more, and END? */
bool make_ends_with(const FTSENT *entry, const char *end);

/*
 * Sets SB to the path of a neighbour of ENTRY: BEFORE, of ENTRY's name as much as is
 * left without its first byte and an END of that length, AFTER. Returns SB's text.
 */
const char *make_beside(struct kiln_strbuf *sb, const FTSENT *entry, const char *before,
			size_t end, const char *after);

/* Is there what the record ENTRY tells of? SB is for the names. */
bool make_has_object(struct kiln_strbuf *sb, const FTSENT *entry);

/* A link is not followed; a pipe is empty. */
bool make_read_file(const char *path, struct kiln_strbuf *ret_text);

/* Of an object NAME.o kbuild writes the command down in .NAME.o.cmd. */
#define MAKE_COMMAND_END ".o.cmd"

/* The line of such a file that has the command, for free(); NULL: there is none. */
char *make_command(const char *path);

/* ---- refresh.c ---- */

struct make_refreshed {
	size_t units;   /* with a record and an object */
	size_t stale;   /* the policy says otherwise now */
	size_t bad;     /* cut, or of another version */
	size_t missing; /* compiled for a record, and there is none */
};

/*
 * Removes the objects below DIRECTORY that POLICY, the guard included, would have
 * compiled otherwise, so that make builds those again and no others, and records
 * without an object. DIGEST (NULL: none) is what stamps should say. VERBOSE tells which
 * objects.
 */
enum cli_status make_refresh(const char *directory, const struct kiln_policy *policy,
			     const char *digest, bool verbose,
			     struct make_refreshed *ret_refreshed);

/* ---- summary.c ---- */

/* Tells what became of POLICY in ARCH's units below DIRECTORY, and which rules held nowhere. */
enum cli_status make_summary(const char *directory, const struct kiln_policy *policy,
			     const struct kiln_arch *arch);

#endif
