// SPDX-License-Identifier: GPL-2.0-or-later
#include "shell.h"

#include <stdio.h>
#include <string.h>

/* $(echo $(echo ...)) */
#define MAX_DEPTH 8

bool shell_is_name_byte(char c)
{
	return keep_is_letter(c) || keep_is_digit(c);
}

/* ---- words and commands ---- */

static void init_words(struct shell_words *words)
{
	kiln_strbuf_init(&words->text);
	words->count = 0;
}

void shell_reset_words(struct shell *shell, struct shell_words *words)
{
	shell->failed |= words->text.failed;
	kiln_strbuf_reset(&words->text);
	words->count = 0;
}

bool shell_is_whole(const struct shell_command *command)
{
	return !command->words.text.failed && !command->targets.text.failed;
}

const char *shell_word(const struct shell_words *words, size_t index)
{
	return words->text.data + words->at[index];
}

/* Ends the word that was added to the text since BEGIN. */
static void end_word(struct shell_words *words, size_t begin)
{
	if (words->count < SHELL_MAX_WORDS) {
		words->at[words->count++] = begin;
		kiln_strbuf_add(&words->text, "", 1);
	} else {
		kiln_strbuf_truncate(&words->text, begin);
	}
}

void shell_init(struct shell *shell, const struct keep_source *source, struct keep_vars *vars,
		const char *text, size_t length)
{
	*shell = (struct shell){.source = source, .vars = vars, .p = text, .end = text + length};
	init_words(&shell->command.words);
	init_words(&shell->command.targets);
	init_words(&shell->piped.words);
	init_words(&shell->piped.targets);
}

void shell_release(struct shell *shell)
{
	struct shell_words *all[] = {&shell->command.words, &shell->command.targets,
				     &shell->piped.words, &shell->piped.targets};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		shell->failed |= all[i]->text.failed;
		kiln_strbuf_release(&all[i]->text);
	}
	shell->failed |= shell->vars->table.failed;
}

/* ---- a word ---- */

/* The end of a `command`, at its last quote. */
static const char *end_of_quotes(const struct shell *shell)
{
	const char *p = shell->p;

	for (; p < shell->end && *p != '`'; p++) {
		if (*p == '\\' && p + 1 < shell->end)
			p++;
	}
	return p;
}

/* The parenthesis that closes the one before P. */
static const char *end_of_parentheses(const struct shell *shell)
{
	const char *p = shell->p;
	char quote = '\0';
	int depth = 1;

	for (; p < shell->end; p++) {
		if (*p == '\\' && p + 1 < shell->end)
			p++;
		else if (quote)
			quote = *p == quote ? '\0' : quote;
		else if (*p == '\'' || *p == '"')
			quote = *p;
		else if (*p == '(')
			depth++;
		else if (*p == ')' && !--depth)
			break;
	}
	return p;
}

/* Reads the command from P to END; what it prints is a variable's value. */
static void read_inner(struct shell *shell, const char *end, struct kiln_strbuf *word_text)
{
	char name[32];
	struct shell inner;

	snprintf(name, sizeof(name), "$%u/%u", shell->depth, shell->nr_outputs++);
	shell_init(&inner, shell->source, shell->vars, shell->p, (size_t)(end - shell->p));
	inner.output = name;
	inner.output_length = strlen(name);
	inner.writes_probes = shell->writes_probes;
	inner.depth = shell->depth + 1;
	inner.nr_outputs = shell->nr_outputs;
	if (inner.depth < MAX_DEPTH)
		shell_read(&inner);
	shell->nr_outputs = inner.nr_outputs;
	shell_vars_add(shell->vars, name, strlen(name)); /* there even if it prints nothing */
	shell_release(&inner);
	shell->failed |= inner.failed;
	kiln_strbuf_addf(word_text, "%c%s%c", SHELL_VAR_BEGIN, name, SHELL_VAR_END);
	shell->p = end < shell->end ? end + 1 : end;
}

/* "${NAME}" of which the brace was read; with an operator in it it is unknown. */
static void read_braces(struct shell *shell, struct kiln_strbuf *text)
{
	const char *name = shell->p;
	size_t length = 0;

	while (name + length < shell->end && shell_is_name_byte(name[length]))
		length++;
	while (shell->p < shell->end && *shell->p != '}' && *shell->p != '\n')
		shell->p++;
	if (length && name + length == shell->p)
		kiln_strbuf_addf(text, "%c%.*s%c", SHELL_VAR_BEGIN, (int)length, name,
				 SHELL_VAR_END);
	else
		kiln_strbuf_addf(text, "%c", SHELL_UNKNOWN);
	if (shell->p < shell->end && *shell->p == '}')
		shell->p++;
}

/* At the byte after a '$'. */
static void read_dollar(struct shell *shell, struct kiln_strbuf *text)
{
	const char *name = shell->p;

	if (shell->p < shell->end && (*name == '{' || *name == '(')) {
		shell->p++;
		if (*name == '{')
			read_braces(shell, text);
		else
			read_inner(shell, end_of_parentheses(shell), text);
		return;
	}
	while (shell->p < shell->end && shell_is_name_byte(*shell->p))
		shell->p++;
	if (shell->p > name) {
		kiln_strbuf_addf(text, "%c%.*s%c", SHELL_VAR_BEGIN, (int)(shell->p - name), name,
				 SHELL_VAR_END);
		return;
	}
	if (shell->p < shell->end && strchr("@*#?!$-", *shell->p))
		shell->p++;
	kiln_strbuf_addf(text, "%c", SHELL_UNKNOWN);
}

/* A byte that has no meaning of its own where it stands. */
static void add_byte(struct shell *shell, struct kiln_strbuf *text)
{
	char c = *shell->p++;

	if ((unsigned char)c <= SHELL_UNKNOWN)
		c = SHELL_UNKNOWN;
	kiln_strbuf_add(text, &c, 1);
}

static void read_single_quotes(struct shell *shell, struct kiln_strbuf *text)
{
	while (shell->p < shell->end && *shell->p != '\'')
		add_byte(shell, text);
	if (shell->p < shell->end)
		shell->p++;
}

/* What has a meaning in double quotes and outside of quotes: $ ` and \ */
static void read_byte(struct shell *shell, struct kiln_strbuf *text)
{
	char c = *shell->p;

	if (c == '$' || c == '`')
		shell->p++;
	if (c == '$')
		read_dollar(shell, text);
	else if (c == '`')
		read_inner(shell, end_of_quotes(shell), text);
	else
		add_byte(shell, text);
}

static void read_double_quotes(struct shell *shell, struct kiln_strbuf *text)
{
	while (shell->p < shell->end && *shell->p != '"') {
		if (*shell->p == '\\' && shell->end - shell->p >= 2 &&
		    strchr("\"\\$`\n", shell->p[1])) {
			shell->p++;
			add_byte(shell, text);
		} else {
			read_byte(shell, text);
		}
	}
	if (shell->p < shell->end)
		shell->p++;
}

static bool ends_word(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r') || strchr(";&|()<>", c);
}

/* A backslash outside of quotes; at a line's end it is nothing. */
static void read_escape(struct shell *shell, struct kiln_strbuf *text)
{
	shell->p++;
	if (shell->end - shell->p >= 2 && shell->p[0] == '\r' && shell->p[1] == '\n')
		shell->p++;
	if (shell->p >= shell->end)
		return;
	if (*shell->p == '\n')
		shell->p++;
	else
		add_byte(shell, text);
}

static void read_word(struct shell *shell, struct shell_words *words)
{
	size_t begin = words->text.length;

	while (shell->p < shell->end && !(*shell->p && ends_word(*shell->p))) {
		char c = *shell->p;

		if (c == '\'' || c == '"')
			shell->p++;
		if (c == '\'')
			read_single_quotes(shell, &words->text);
		else if (c == '"')
			read_double_quotes(shell, &words->text);
		else if (c == '\\')
			read_escape(shell, &words->text);
		else
			read_byte(shell, &words->text);
	}
	end_word(words, begin);
}

/* The line that P is in, from P on, is the mark but for tabs before it. */
static bool is_here_end(const struct shell *shell, const char *p)
{
	const char *end;

	while (p < shell->end && *p == '\t')
		p++;
	end = p + shell->here_length;
	return end <= shell->end && !memcmp(p, shell->here, shell->here_length) &&
	       (end == shell->end || *end == '\n' || *end == '\r');
}

static const char *next_line(const struct shell *shell, const char *p)
{
	const char *newline = (const char *)memchr(p, '\n', (size_t)(shell->end - p));

	return newline ? newline + 1 : shell->end;
}

/* Does a line after this one end a text of the mark? */
static bool has_here_end(const struct shell *shell)
{
	const char *line = next_line(shell, shell->p);

	while (line < shell->end && !is_here_end(shell, line))
		line = next_line(shell, line);
	return line < shell->end;
}

/* At the mark after "<<"; a shift in an expression has none. */
static void read_here_mark(struct shell *shell)
{
	if (shell->p < shell->end && strchr("\\'\"", *shell->p))
		shell->p++;
	shell->here = shell->p;
	while (shell->p < shell->end && shell_is_name_byte(*shell->p))
		shell->p++;
	shell->here_length = (size_t)(shell->p - shell->here);
	if (shell->p < shell->end && strchr("'\"", *shell->p))
		shell->p++;
	if (!shell->here_length || !has_here_end(shell))
		shell->here = NULL;
}

/* A line of a text that the command reads, or more if a $(command) in it has more. */
static void read_here_line(struct shell *shell)
{
	struct kiln_strbuf line;

	kiln_strbuf_init(&line);
	while (shell->p < shell->end && *shell->p != '\n')
		read_byte(shell, &line);
	if (!line.failed)
		shell_take_here_line(shell, line.data);
	shell->failed |= line.failed;
	kiln_strbuf_release(&line);
}

/* At the newline before the text. */
static void read_here_text(struct shell *shell)
{
	shell->p++;
	while (shell->p < shell->end && !is_here_end(shell, shell->p)) {
		read_here_line(shell);
		shell->p = next_line(shell, shell->p);
	}
	shell->p = next_line(shell, shell->p);
	shell->here = NULL;
}

/* At '<' or '>'. Only files that are written to are of interest, and texts read here. */
static void read_redirection(struct shell *shell)
{
	bool is_output = *shell->p == '>';
	const char *begin = shell->p;
	struct shell_words input;

	while (shell->p < shell->end && *shell->p && strchr("<>&|-", *shell->p))
		shell->p++;
	while (shell->p < shell->end && (*shell->p == ' ' || *shell->p == '\t'))
		shell->p++;
	if (is_output) {
		read_word(shell, &shell->command.targets);
		return;
	}
	if (shell->p - begin >= 2 && begin[1] == '<' && (shell->p - begin < 3 || begin[2] != '<')) {
		read_here_mark(shell);
		return;
	}
	init_words(&input);
	read_word(shell, &input);
	shell->failed |= input.text.failed;
	kiln_strbuf_release(&input.text);
}

/* At one of ; & | ( ) or at a line's end. */
static void read_separator(struct shell *shell)
{
	const char *p = shell->p;
	bool is_double = p + 1 < shell->end && p[1] == *p;

	if (*p == '\n' && shell->here)
		read_here_text(shell);
	else
		shell->p += is_double ? 2 : 1;
	shell_end_command(shell, *p == '|' && !is_double);
}

static void skip_comment(struct shell *shell)
{
	while (shell->p < shell->end && *shell->p != '\n')
		shell->p++;
}

static bool at_continuation(const struct shell *shell)
{
	const char *p = shell->p;

	return shell->end - p >= 2 && p[0] == '\\' &&
	       (p[1] == '\n' || (p[1] == '\r' && shell->end - p >= 3 && p[2] == '\n'));
}

void shell_read(struct shell *shell)
{
	while (shell->p < shell->end) {
		char c = *shell->p;

		if (at_continuation(shell))
			shell->p += shell->p[1] == '\n' ? 2 : 3;
		else if (c == ' ' || (c >= '\t' && c <= '\r' && c != '\n'))
			shell->p++;
		else if (c == '#')
			skip_comment(shell);
		else if (c == '<' || c == '>')
			read_redirection(shell);
		else if (c && strchr(";&|()\n", c))
			read_separator(shell);
		else
			read_word(shell, &shell->command.words);
	}
	shell_end_command(shell, false);
}
