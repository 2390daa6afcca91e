/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A shell script as `kiln keep` reads it. Private to scan-shell.c, which knows
 * what commands mean, and to its parts:
 *
 *	shell-vars.c	variables, and texts with variables in them
 *	shell-read.c	from text to commands
 *
 * A word is text with references in it, SHELL_VAR_BEGIN name SHELL_VAR_END. What
 * cannot be known, such as a parameter, is the byte SHELL_UNKNOWN, which is
 * part of no name.
 */
#ifndef KILN_SHELL_H
#define KILN_SHELL_H

#include "keep.h"

#define SHELL_VAR_BEGIN '\001'
#define SHELL_VAR_END   '\002'
#define SHELL_UNKNOWN   '\003'

/* ---- shell-vars.c ---- */

struct keep_vars {
	struct keep_table table; /* of struct variable */
	const struct keep_vars *outer;
};

void shell_vars_init(struct keep_vars *vars, const struct keep_vars *outer);
void shell_vars_release(struct keep_vars *vars);

/* A variable that hides one of OUTER's even without a value. */
void shell_vars_add(struct keep_vars *vars, const char *name, size_t length);
/* One more value that the variable may have. */
void shell_vars_add_value(struct keep_vars *vars, const char *name, size_t length,
			  const char *value);

/* What is done with each text that a template stands for. */
struct shell_user {
	void (*take)(struct shell_user *user, const char *text);
};

/*
 * Hands every text that TEMPLATE_TEXT stands for to USER: there is one for each
 * combination of its variables' values, up to a limit. False: no memory.
 */
bool shell_vars_expand(const struct keep_vars *vars, const char *template_text,
		       struct shell_user *user);

/* ---- shell-read.c ---- */

#define SHELL_MAX_WORDS 64

/* Words one after the other, a NUL after each. */
struct shell_words {
	struct kiln_strbuf text;
	size_t at[SHELL_MAX_WORDS];
	size_t count; /* further words are dropped */
};

struct shell_command {
	struct shell_words words;
	struct shell_words targets; /* of > and >> */
};

/* A script that is being read, or a $(command) of one. */
struct shell {
	const struct keep_source *source; /* NULL: only the variables are wanted */
	struct keep_vars *vars;
	const char *p;
	const char *end;
	struct shell_command command;
	struct shell_command piped; /* the one before a '|' */
	const char *output;         /* a variable to give what echo prints, or NULL */
	size_t output_length;
	const char *here; /* the mark at the end of the text after this line, or NULL */
	size_t here_length;
	bool writes_probes; /* the script knows kprobe_events or dynamic_events */
	bool failed;
	unsigned depth;
	unsigned nr_outputs; /* names of variables for $(commands) */
};

void shell_init(struct shell *shell, const struct keep_source *source, struct keep_vars *vars,
		const char *text, size_t length);
/* SHELL's `failed` is final after that. */
void shell_release(struct shell *shell);

/* Reads the script to its end, command by command. */
void shell_read(struct shell *shell);

const char *shell_word(const struct shell_words *words, size_t index);
void shell_reset_words(struct shell *shell, struct shell_words *words);
/* False: memory ran out for the words, and they point nowhere. */
bool shell_is_whole(const struct shell_command *command);

bool shell_is_name_byte(char c);

/* ---- scan-shell.c: what the reader has others do ---- */

/* Ends the command that was read; with IS_PIPED the next one reads what it prints. */
void shell_end_command(struct shell *shell, bool is_piped);
/* LINE: one of the text after "command <<MARK", of which the command was read. */
void shell_take_here_line(struct shell *shell, const char *line);

#endif
