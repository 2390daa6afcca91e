/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policy language: a list of GCC flags with a place each.
 *
 * One rule per line; '#' at the start of a word begins a comment; words are
 * separated by blanks and tabs; "double quotes" keep blanks inside a word, with
 * \" and \\ for the two characters. CR before LF is ignored, as is a missing
 * last newline. A NUL byte is an error.
 *
 *	line	= [rule | "include" NAME] [comment]
 *	rule	= place {place} {"force"} what {what}
 *	place	= "all"		every function of every unit
 *		| "on" GLOB	units compiled for that architecture (arch.h)
 *		| "file" GLOB	the unit's source file, the object it makes, or
 *				the file where the function is defined, as
 *				tree paths (treepath.h)
 *		| "func" GLOB	the function's name
 *		| "section" GLOB	the section the source puts the function in
 *		| "call" GLOB	with func: calls of that function by this one
 *	what	= FLAG		a GCC flag, as GCC spells it; "?FLAG": skipped
 *				with a note by a GCC that does not know it;
 *				"--param NAME=N" is read as "--param=NAME=N";
 *				"+NAME", "+noNAME": see cpu.h
 *		| "default"	forget what earlier lines set here
 *		| "leave"	hands off: only `force` rules change anything
 *		| "keep"	stays one real function under its own name with
 *				its own arguments
 *		| "noinline"	calls of it are not inlined
 *		| "inline"	calls of it are inlined whatever its size
 *
 * All places of a rule must hold. A rule without func, section and call has
 * unit scope: its flags hold for the whole translation unit, as if they had
 * been given on the command line. `call` goes with func and takes only inline
 * and noinline. `force` makes a rule's settings hold where `leave` does too.
 *
 * NAME is that of a built-in policy (builtin.h), or of a file when it has a '/'
 * or a '.' in it, relative to the including file. A built-in policy wins:
 * "keep-6.1" is one, "./keep-6.1" is a file. A file that includes itself,
 * directly or not, is refused.
 */
#ifndef KILN_POLICY_H
#define KILN_POLICY_H

#include "base.h"
#include "err.h"
#include "sha256.h"
#include "strbuf.h"

KILN_BEGIN_DECLS

enum kiln_place_kind {
	KILN_ALL,
	KILN_ON,
	KILN_FILE,
	KILN_FUNC,
	KILN_SECTION,
	KILN_CALL,
};

struct kiln_place {
	enum kiln_place_kind kind;
	unsigned column;	/* of the word "file", "func"... */
	const char *glob;	/* NULL for KILN_ALL */
};

enum kiln_what {
	KILN_FLAG,
	KILN_DEFAULT,
	KILN_LEAVE,
	KILN_KEEP,
	KILN_NOINLINE,
	KILN_INLINE,
};

struct kiln_rule;

struct kiln_setting {
	enum kiln_what what;
	unsigned column;
	bool optional;		/* written with a leading '?' */
	const char *flag;	/* KILN_FLAG: without the '?'; otherwise NULL */
	const struct kiln_rule *rule;	/* the line that says so */
};

struct kiln_rule {
	const char *path;	/* file name as given, or "<built-in NAME>" */
	unsigned line;
	bool force;
	bool unit_scope;	/* no func, no section, no call */
	unsigned nr_places;
	unsigned nr_settings;
	const struct kiln_place *places;
	const struct kiln_setting *settings;
};

/* The word of the language for WHAT ("keep"...); "flag" for KILN_FLAG. */
const char *kiln_what_name(enum kiln_what what);
const char *kiln_place_name(enum kiln_place_kind kind);

/* Does RULE name a place of this kind? */
bool kiln_rule_names(const struct kiln_rule *rule, enum kiln_place_kind kind);

struct kiln_policy;

/* Is NAME, of an `include` or of a command line, that of a file? */
bool kiln_policy_names_file(const char *name);

/* NULL: out of memory. The policy owns everything reachable from its rules. */
struct kiln_policy *kiln_policy_new(void);
void kiln_policy_free(struct kiln_policy *policy);

/*
 * Appends the rules of NAME (a file or a built-in policy, told apart as for
 * `include`; a relative file name is relative to the working directory). Every
 * fault goes to SINK; 0 when there was no error, else -1, and then the
 * policy's rules are those that could be read. The path in messages is NAME
 * as given; the path of an included file is the including file's directory
 * joined with the name in the line.
 */
int kiln_policy_load(struct kiln_policy *policy, const char *name,
		     struct kiln_sink *sink);

/* The same for LENGTH bytes of text; PATH names them in messages. */
int kiln_policy_load_text(struct kiln_policy *policy, const char *path,
			  const char *text, size_t length, struct kiln_sink *sink);

/*
 * What is read from now on has the flags of CPU, a policy that `kiln native`
 * wrote, in place of -mtune=native (-mtune= and --param=), -march=native (the
 * others) and -mcpu=native (all). CPU must outlive POLICY and counts among its
 * files. -1: out of memory.
 */
int kiln_policy_set_cpu(struct kiln_policy *policy, const struct kiln_policy *cpu);

/* Rules in policy order: the order in which they were read. */
size_t kiln_policy_nr_rules(const struct kiln_policy *policy);
const struct kiln_rule *kiln_policy_rule(const struct kiln_policy *policy, size_t index);

/* Every file read so far, built-in policies left out, in the order of reading. */
size_t kiln_policy_nr_files(const struct kiln_policy *policy);
const char *kiln_policy_file(const struct kiln_policy *policy, size_t index);

/*
 * Appends RULE as a line of a policy, or all rules of POLICY. Read again, the text
 * gives the same rules: what was included, a resolved CPU and quotes are in it,
 * comments and the names of files are not.
 */
void kiln_rule_write(const struct kiln_rule *rule, struct kiln_strbuf *sb);
void kiln_policy_write(const struct kiln_policy *policy, struct kiln_strbuf *sb);

/* The SHA-256 of what kiln_policy_write() gives. -1: out of memory. */
int kiln_policy_digest(const struct kiln_policy *policy, char ret_digest[KILN_SHA256_SIZE]);

/*
 * What a flag sets: two flags of one key replace each other. The key of
 * "--param=NAME=N" is "--param=NAME", of "-fno-NAME" and "-fNAME=V" it is
 * "-fNAME" ("-mno-" and "-m" alike), of "+noNAME" it is "+NAME", of anything
 * else the part before '='.
 * Flags of -fsanitize and its kin add up: there the value belongs to the key.
 */
bool kiln_flag_same_key(const char *flag, const char *other);

KILN_END_DECLS

#endif
