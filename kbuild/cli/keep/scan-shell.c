// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Shell scripts: what they write into tracefs, and perf probe.
 *
 *	FUNC=vfs_read
 *	echo "p:event $FUNC \$arg1" > kprobe_events
 *	echo $FUNC:traceoff >> /sys/kernel/tracing/set_ftrace_filter
 *
 * A script is read as a list of commands, whatever controls them. A variable
 * has every value that the script gives it anywhere, since a test often asks
 * the running kernel which of several names to take. A text with variables in
 * it stands for every combination of their values; what cannot be known (a
 * parameter, a command's output) is a byte that is part of no name.
 */
#include "shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Files of tracefs that take names of functions. */
static const char *const filter_files[] = {
	"set_ftrace_filter", "set_ftrace_notrace", "set_graph_function",
	"set_graph_notrace", "stack_trace_filter",
};

/* Words that a command may stand behind. */
static const char *const keywords[] = {
	"!", "do", "elif", "else", "if", "sudo", "then", "time", "until", "while", "{",
};

/* Commands whose operands are assignments. */
static const char *const declarations[] = {
	"declare", "export", "local", "readonly", "typeset",
};

/*
 * Commands of whose words none is a definition, though it may look like one, as in
 * "for f in a b". What printf makes of its words is read instead of them.
 */
static const char *const no_definitions[] = {
	"case", "declare",  "export", "for",     "local", "printf",
	"read", "readonly", "select", "typeset", "unset",
};

#define HAS(list, text) has(list, sizeof(list) / sizeof((list)[0]), text)

static bool has(const char *const *list, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i], text) == 0)
			return true;
	}
	return false;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Bytes of the NAME of "NAME=value"; 0: TEXT is something else. */
static size_t assigned_name(const char *text)
{
	size_t length = 0;

	while (shell_is_name_byte(text[length]))
		length++;
	return keep_is_letter(*text) && text[length] == '=' ? length : 0;
}

struct assignment {
	struct shell_user user;
	struct shell *shell;
	const char *name;
	size_t length;
};

static void take_value(struct shell_user *user, const char *text)
{
	const struct assignment *to = (const struct assignment *)user;

	if (!strchr(text, SHELL_UNKNOWN))
		shell_vars_add_value(to->shell->vars, to->name, to->length, text);
}

static void assign(struct shell *shell, const char *name, size_t length, const char *value)
{
	struct assignment to = {{take_value}, shell, name, length};

	shell->failed |= !shell_vars_expand(shell->vars, value, &to.user);
}

struct reader {
	struct shell_user user;
	struct shell *shell;
	bool is_filter; /* of the target that was looked at */
};

static void take_definition(struct shell_user *user, const char *text)
{
	keep_scan_definition(((const struct reader *)user)->shell->source, text);
}

static void take_filter(struct shell_user *user, const char *text)
{
	keep_scan_filter(((const struct reader *)user)->shell->source, text);
}

static void take_target(struct shell_user *user, const char *text)
{
	((struct reader *)user)->is_filter |= HAS(filter_files, base_name(text));
}

static void take_perf(struct shell_user *user, const char *text)
{
	keep_scan_perf(((const struct reader *)user)->shell->source, text);
}

static void read_text(struct shell *shell, const char *text,
		      void (*take)(struct shell_user *user, const char *text))
{
	struct reader reader = {{take}, shell, false};

	shell->failed |= !shell_vars_expand(shell->vars, text, &reader.user);
}

static bool writes_filter(struct shell *shell, const struct shell_words *targets)
{
	struct reader reader = {{take_target}, shell, false};

	for (size_t i = 0; i < targets->count; i++)
		shell->failed |=
			!shell_vars_expand(shell->vars, shell_word(targets, i), &reader.user);
	return reader.is_filter;
}

static void read_definition(struct shell *shell, const char *text)
{
	read_text(shell, text, take_definition);
}

static void read_filter(struct shell *shell, const char *text)
{
	read_text(shell, text, take_filter);
}

/* What the command of a $(command) prints is one of a variable's values. */
static void read_output(struct shell *shell, const char *text)
{
	assign(shell, shell->output, shell->output_length, text);
}

/* ---- echo and printf ---- */

static bool is_echo(const char *text)
{
	return strcmp(text, "echo") == 0 || strcmp(text, "printf") == 0;
}

/* The escape at P, a backslash: its end. */
static const char *add_escape(struct kiln_strbuf *text, const char *p)
{
	static const char known[][2] = {{'n', '\n'}, {'t', '\t'}, {'\\', '\\'}, {'"', '"'}};
	char c = SHELL_UNKNOWN;

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (p[1] == known[i][0])
			c = known[i][1];
	}
	kiln_strbuf_add(text, &c, 1);
	return p + (p[1] ? 2 : 1);
}

static void add_escaped(struct kiln_strbuf *text, const char *p)
{
	while (*p) {
		if (*p == '\\')
			p = add_escape(text, p);
		else
			kiln_strbuf_add(text, p++, 1);
	}
}

/* "%s" at P: its end. It stands for word *NEXT, if there is one. */
static const char *add_conversion(struct kiln_strbuf *text, const char *p,
				  const struct shell_words *words, size_t *next)
{
	static const char unknown[] = {SHELL_UNKNOWN, '\0'};
	const char *word = "";

	p += 1 + strspn(p + 1, "-+ #.0123456789");
	if (*p == '%')
		word = "%";
	else if (*next < words->count)
		word = shell_word(words, (*next)++);
	if (*p == 'b')
		add_escaped(text, word);
	else
		kiln_strbuf_adds(text, *p && strchr("sdiuq%", *p) ? word : unknown);
	return p + (*p != '\0');
}

static void add_format(struct kiln_strbuf *text, const char *format,
		       const struct shell_words *words, size_t *next)
{
	for (const char *p = format; *p;) {
		if (*p == '\\')
			p = add_escape(text, p);
		else if (*p == '%')
			p = add_conversion(text, p, words, next);
		else
			kiln_strbuf_add(text, p++, 1);
	}
}

/* Words that the format leaves over stand alone: it may be a variable. */
static void add_printf(struct kiln_strbuf *text, const struct shell_words *words, size_t format)
{
	size_t next = format + 1, before;

	do {
		before = next;
		add_format(text, shell_word(words, format), words, &next);
	} while (before < next && next < words->count);
	for (; next < words->count; next++)
		kiln_strbuf_addf(text, "\n%s", shell_word(words, next));
}

/* Escapes count with -e only, or always: nobody has others in a name. */
static void add_echo(struct kiln_strbuf *text, const struct shell_words *words, size_t begin,
		     const char *separator)
{
	for (size_t i = begin; i < words->count; i++) {
		if (i > begin)
			kiln_strbuf_adds(text, separator);
		add_escaped(text, shell_word(words, i));
	}
}

/* The first word after the options, -v with a variable among them; "-:event" is none. */
static size_t skip_options(const struct shell_words *words, size_t first)
{
	size_t i = first + 1;

	while (i < words->count && *shell_word(words, i) == '-' &&
	       !strchr(shell_word(words, i), ':'))
		i += strcmp(shell_word(words, i), "-v") == 0 ? 2 : 1;
	return i;
}

/*
 * Hands each line that the echo or printf at word FIRST prints to READ. SEPARATOR
 * is what echo has between its words: with a newline each is a line of its own.
 */
static void read_printed(struct shell *shell, const struct shell_words *words, size_t first,
			 const char *separator, void (*read)(struct shell *shell, const char *line))
{
	size_t begin = skip_options(words, first);
	struct kiln_strbuf text;

	if (begin >= words->count)
		return;
	kiln_strbuf_init(&text);
	if (strcmp(shell_word(words, first), "printf") == 0)
		add_printf(&text, words, begin);
	else
		add_echo(&text, words, begin, separator);
	for (char *line = text.data, *end; !text.failed && line; line = end) {
		end = strchr(line, '\n');
		if (end)
			*end++ = '\0';
		if (*line || line == text.data)
			read(shell, line);
	}
	shell->failed |= text.failed;
	kiln_strbuf_release(&text);
}

/* ---- commands ---- */

/* A definition may be one word or several: check "p f", check p f. */
static void read_definitions(struct shell *shell, const struct shell_words *words, size_t first)
{
	struct kiln_strbuf all;

	if (is_echo(shell_word(words, first)))
		read_printed(shell, words, first, " ", read_definition);
	if (HAS(no_definitions, shell_word(words, first)))
		return;
	kiln_strbuf_init(&all);
	for (size_t i = first; i < words->count; i++) {
		if (i > first)
			read_text(shell, shell_word(words, i), take_definition);
		kiln_strbuf_addf(&all, "%s%s", i > first + 1 ? " " : "", shell_word(words, i));
		if (i == first)
			kiln_strbuf_adds(&all, " ");
	}
	if (!all.failed) {
		read_text(shell, all.data, take_definition);
		read_text(shell, all.data + strlen(shell_word(words, first)) + 1, take_definition);
	}
	shell->failed |= all.failed;
	kiln_strbuf_release(&all);
}

/* Options of perf probe with which its words are something else than functions. */
static const char *const other_perf_options[] = {
	"--cache", "--del", "--exec", "--funcs", "--line", "--list", "--vars",
	"-D",      "-F",    "-L",     "-V",      "-d",     "-l",     "-x",
};

/* Options that have a word after them. */
static const char *const perf_options_with_word[] = {
	"--filter", "--max-probes", "--module", "--source", "--vmlinux", "-k", "-m", "-s",
};

static void read_perf(struct shell *shell, const struct shell_words *words, size_t first)
{
	for (size_t i = first; i < words->count; i++) {
		char option[16];

		snprintf(option, sizeof(option), "%.*s", (int)strcspn(shell_word(words, i), "="),
			 shell_word(words, i));
		if (HAS(other_perf_options, option))
			return;
	}
	for (size_t i = first; i < words->count; i++) {
		const char *text = shell_word(words, i);

		if (strncmp(text, "--add=", 6) == 0)
			read_text(shell, text + 6, take_perf);
		else if (strncmp(text, "-a", 2) == 0 && text[2])
			read_text(shell, text + 2, take_perf);
		else if (HAS(perf_options_with_word, text))
			i++;
		else if (*text != '-')
			read_text(shell, text, take_perf);
	}
}

/* The command that begins at word FIRST, and writes to TARGETS. */
static void read_writing(struct shell *shell, const struct shell_words *words, size_t first,
			 const struct shell_words *targets)
{
	if (first >= words->count || !shell->source)
		return;
	if (is_echo(shell_word(words, first)) && writes_filter(shell, targets))
		read_printed(shell, words, first, "\n", read_filter);
	if (shell->writes_probes)
		read_definitions(shell, words, first);
	if (first + 1 < words->count && strcmp(base_name(shell_word(words, first)), "perf") == 0 &&
	    strcmp(shell_word(words, first + 1), "probe") == 0)
		read_perf(shell, words, first + 2);
}

static void read_assignment(struct shell *shell, const char *text)
{
	size_t length = assigned_name(text);

	if (!length)
		return;
	assign(shell, text, length, text + length + 1);
	if (shell->source && shell->writes_probes)
		read_text(shell, text + length + 1, take_definition);
}

/* "for NAME in WORD..." */
static void read_loop(struct shell *shell, const struct shell_words *words, size_t first)
{
	const char *name = first + 1 < words->count ? shell_word(words, first + 1) : "";

	for (size_t i = first + 3; i < words->count; i++)
		assign(shell, name, strlen(name), shell_word(words, i));
}

/* Index of the first word that is no keyword and no assignment; those are read. */
static size_t read_prefix(struct shell *shell, const struct shell_words *words)
{
	size_t i;

	for (i = 0; i < words->count; i++) {
		if (assigned_name(shell_word(words, i)))
			read_assignment(shell, shell_word(words, i));
		else if (!HAS(keywords, shell_word(words, i)))
			break;
	}
	return i;
}

static void read_command(struct shell *shell, bool is_piped)
{
	struct shell_words *words = &shell->command.words;
	size_t first = read_prefix(shell, words);
	const char *name = first < words->count ? shell_word(words, first) : "";

	if (strcmp(name, "for") == 0)
		read_loop(shell, words, first);
	if (HAS(declarations, name)) {
		for (size_t i = first + 1; i < words->count; i++)
			read_assignment(shell, shell_word(words, i));
	}
	if (shell->output && !is_piped && is_echo(name))
		read_printed(shell, words, first, "\n", read_output);
	read_writing(shell, words, first, &shell->command.targets);
	if (strcmp(name, "tee") == 0 && shell->piped.words.count)
		read_writing(shell, &shell->piped.words, read_prefix(shell, &shell->piped.words),
			     words);
}

void shell_end_command(struct shell *shell, bool is_piped)
{
	struct shell_command done = shell->command;

	if (shell_is_whole(&shell->command) && shell_is_whole(&shell->piped))
		read_command(shell, is_piped);
	shell->command = shell->piped;
	shell->piped = done;
	if (!is_piped)
		shell_reset_words(shell, &shell->piped.words);
	shell_reset_words(shell, &shell->command.words);
	shell_reset_words(shell, &shell->command.targets);
}

void shell_take_here_line(struct shell *shell, const char *line)
{
	if (!shell->source || !shell_is_whole(&shell->command))
		return;
	if (writes_filter(shell, &shell->command.targets))
		read_text(shell, line, take_filter);
	if (shell->writes_probes)
		read_text(shell, line, take_definition);
}

/* ---- scripts ---- */

static bool contains(const char *text, size_t length, const char *part)
{
	return memmem(text, length, part, strlen(part)) != NULL;
}

/* Once over the script. False: no memory. */
static bool read_once(const struct keep_source *source, struct keep_vars *vars, const char *text,
		      size_t length)
{
	struct shell shell;

	shell_init(&shell, source, vars, text, length);
	shell.writes_probes =
		contains(text, length, "kprobe_events") || contains(text, length, "dynamic_events");
	shell_read(&shell);
	shell_release(&shell);
	return !shell.failed;
}

void keep_scan_shell(const struct keep_source *source, const char *text, size_t length)
{
	struct keep_vars vars;

	shell_vars_init(&vars, source->vars);
	/* A function may use a variable that is set after it. */
	if (!read_once(NULL, &vars, text, length) || !read_once(source, &vars, text, length))
		source->names->table.failed = true;
	shell_vars_release(&vars);
}

struct keep_vars *keep_shell_vars(const char *text, size_t length)
{
	struct keep_vars *vars = (struct keep_vars *)calloc(1, sizeof(*vars));

	if (!vars)
		return NULL;
	shell_vars_init(vars, NULL);
	if (read_once(NULL, vars, text, length))
		return vars;
	keep_vars_free(vars);
	return NULL;
}
