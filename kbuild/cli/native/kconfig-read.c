// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads Kconfig files: which symbols there are, who can set them and when.
 * Documentation/kbuild/kconfig-language.rst has the language.
 */
#include "kconfig.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_BLOCKS 64 /* menus, choices and conditions in each other */
#define MAX_FILES  32 /* files in each other */

/* What a line can belong to. */
enum entry_kind {
	NO_ENTRY, /* what follows is of nobody: `comment`, or not known */
	SYMBOL,
	BLOCK, /* the last of the blocks */
};

struct block {
	const char *word; /* "if", "menu", "choice" */
	char *depends;    /* an expression, or NULL */
};

struct reader {
	struct kconfig_tree *tree;
	const char *root, *srcarch;
	struct block blocks[MAX_BLOCKS];
	int nr_blocks;
	int first_block; /* the file's own */
	int nr_files;
	enum entry_kind entry;
	/* The symbol's definition as it comes together. */
	struct kconfig_symbol *symbol;
	struct kiln_strbuf depends;
	struct kiln_strbuf prompt_if;
	bool has_prompt;
	enum cli_status status;
	bool no_memory;
};

/* ---- the tree ---- */

void kconfig_tree_init(struct kconfig_tree *tree)
{
	keep_table_init(&tree->symbols, sizeof(struct kconfig_symbol));
}

void kconfig_tree_release(struct kconfig_tree *tree)
{
	for (size_t i = 0; i < tree->symbols.nr_slots; i++) {
		struct kconfig_symbol *symbol = (struct kconfig_symbol *)tree->symbols.slots[i];

		if (!symbol)
			continue;
		free(symbol->prompt);
		free(symbol->depends);
		free(symbol->visible);
		free(symbol->forced);
	}
	keep_table_release(&tree->symbols);
}

const struct kconfig_symbol *kconfig_tree_find(const struct kconfig_tree *tree, const char *name)
{
	return (const struct kconfig_symbol *)keep_table_find(&tree->symbols, name, strlen(name));
}

/* ---- expressions ---- */

/* "A && B", for people to read; what is NULL or empty holds. */
static void add_and(struct reader *reader, struct kiln_strbuf *sb, const char *expression)
{
	bool is_or = expression && strstr(expression, "||");

	if (expression && *expression)
		kiln_strbuf_addf(sb, "%s%s%s%s", sb->length ? " && " : "", is_or ? "(" : "",
				 expression, is_or ? ")" : "");
	reader->no_memory |= sb->failed;
}

/* "A || B" in place of *EXPRESSION, where NULL never holds, and an empty ALTERNATIVE does. */
static void add_or(struct reader *reader, char **expression, const char *alternative)
{
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	if (*expression)
		kiln_strbuf_addf(&sb, "%s || ", *expression);
	kiln_strbuf_adds(&sb, *alternative ? alternative : "y");
	free(*expression);
	*expression = strdup(sb.data);
	reader->no_memory |= sb.failed || !*expression;
	kiln_strbuf_release(&sb);
}

/* ---- words ---- */

/* Is WORD the first of the line at *P? Then *P is behind it and the blanks. */
static bool take_word(const char **p, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*p, word, length) || (*p)[length] == '_' || keep_is_letter((*p)[length]) ||
	    keep_is_digit((*p)[length]))
		return false;
	*p += length;
	*p += strspn(*p, " \t");
	return true;
}

static bool take_any_word(const char **p, const char *const *words)
{
	for (; *words; words++) {
		if (take_word(p, *words))
			return true;
	}
	return false;
}

static size_t name_length(const char *p)
{
	size_t length = 0;

	while (keep_is_letter(p[length]) || keep_is_digit(p[length]))
		length++;
	return length;
}

/* A quoted string at *P, for free(); NULL: there is none. */
static char *take_string(struct reader *reader, const char **p)
{
	const char quote[] = {**p, '\0'};
	size_t length;
	char *string;

	if (**p != '"' && **p != '\'')
		return NULL;
	length = strcspn(*p + 1, quote);
	string = strndup(*p + 1, length);
	reader->no_memory |= !string;
	*p += 1 + length;
	*p += **p != '\0';
	*p += strspn(*p, " \t");
	return string;
}

/* What comes after `if` at P, or "". */
static const char *condition(const char *p)
{
	return take_word(&p, "if") ? p : "";
}

/* What comes after the `if` that ends an expression at P, or "". */
static const char *late_condition(const char *p)
{
	const char *found = strstr(p, " if ");

	return found ? found + 4 : "";
}

/* ---- entries ---- */

/* What all blocks around ask for; also the symbol's own. */
static void whole_condition(struct reader *reader, struct kiln_strbuf *ret)
{
	for (int i = 0; i < reader->nr_blocks; i++)
		add_and(reader, ret, reader->blocks[i].depends);
	add_and(reader, ret, reader->depends.data);
}

/* The definition is complete: what it says goes into its symbol. */
static void end_entry(struct reader *reader)
{
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	if (reader->entry == SYMBOL) {
		whole_condition(reader, &sb);
		add_or(reader, &reader->symbol->depends, sb.data);
	}
	if (reader->entry == SYMBOL && reader->has_prompt) {
		add_and(reader, &sb, reader->prompt_if.data);
		add_or(reader, &reader->symbol->visible, sb.data);
	}
	kiln_strbuf_release(&sb);
	reader->entry = NO_ENTRY;
	reader->has_prompt = false;
	kiln_strbuf_truncate(&reader->depends, 0);
	kiln_strbuf_truncate(&reader->prompt_if, 0);
}

static struct kconfig_symbol *add_symbol(struct reader *reader, const char *name)
{
	struct kconfig_symbol *symbol = (struct kconfig_symbol *)keep_table_add(
		&reader->tree->symbols, name, name_length(name));

	reader->no_memory |= !symbol;
	return symbol;
}

static void begin_symbol(struct reader *reader, const char *p)
{
	end_entry(reader);
	if (!name_length(p))
		return;
	reader->symbol = add_symbol(reader, p);
	if (reader->symbol)
		reader->entry = SYMBOL;
}

static void begin_block(struct reader *reader, const char *word, const char *depends)
{
	struct block *block = &reader->blocks[reader->nr_blocks];

	end_entry(reader);
	if (reader->nr_blocks == MAX_BLOCKS)
		return;
	*block = (struct block){word, strdup(depends)};
	reader->no_memory |= !block->depends;
	reader->nr_blocks++;
	if (strcmp(word, "if"))
		reader->entry = BLOCK;
}

static void drop_block(struct reader *reader)
{
	free(reader->blocks[--reader->nr_blocks].depends);
}

static void end_block(struct reader *reader)
{
	end_entry(reader);
	if (reader->nr_blocks > reader->first_block)
		drop_block(reader);
}

/* ---- attributes ---- */

static void take_depends(struct reader *reader, const char *p)
{
	struct kiln_strbuf sb;
	struct block *block;

	if (reader->entry == SYMBOL)
		add_and(reader, &reader->depends, p);
	if (reader->entry != BLOCK)
		return;
	block = &reader->blocks[reader->nr_blocks - 1];
	kiln_strbuf_init(&sb);
	add_and(reader, &sb, block->depends);
	add_and(reader, &sb, p);
	free(block->depends);
	block->depends = strdup(sb.data);
	reader->no_memory |= !block->depends;
	kiln_strbuf_release(&sb);
}

/* `"Text" if CONDITION`, or nothing */
static void take_prompt(struct reader *reader, const char *p)
{
	char *prompt = take_string(reader, &p);

	if (!prompt || reader->entry != SYMBOL) {
		free(prompt);
		return;
	}
	reader->has_prompt = true;
	add_and(reader, &reader->prompt_if, condition(p));
	if (reader->symbol->prompt)
		free(prompt);
	else
		reader->symbol->prompt = prompt;
}

/* `default y` without a condition, or with one that is not read. */
static void take_default(struct reader *reader, const char *p)
{
	if (reader->entry == SYMBOL && take_word(&p, "y"))
		reader->symbol->is_on = true;
}

static void take_select(struct reader *reader, const char *p)
{
	struct kconfig_symbol *selected;
	struct kiln_strbuf sb;

	if (reader->entry != SYMBOL || !name_length(p))
		return;
	selected = add_symbol(reader, p);
	if (!selected)
		return;
	kiln_strbuf_init(&sb);
	add_and(reader, &sb, reader->symbol->entry.text);
	add_and(reader, &sb, late_condition(p));
	add_or(reader, &selected->forced, sb.data);
	kiln_strbuf_release(&sb);
}

static void take_type(struct reader *reader, const char *p, bool is_tristate)
{
	if (reader->entry == SYMBOL)
		reader->symbol->is_tristate |= is_tristate;
	take_prompt(reader, p);
}

static const char *const types[] = {"bool", "boolean", "hex", "int", "string", NULL};
static const char *const defaults[] = {"default", "def_bool", NULL};

static void take_attribute(struct reader *reader, const char *p)
{
	if (take_word(&p, "tristate")) {
		take_type(reader, p, true);
	} else if (take_any_word(&p, types)) {
		take_type(reader, p, false);
	} else if (take_word(&p, "def_tristate")) {
		take_type(reader, "", true);
		take_default(reader, p);
	} else if (take_any_word(&p, defaults)) {
		take_default(reader, p);
	} else if (take_word(&p, "prompt")) {
		take_prompt(reader, p);
	} else if (take_word(&p, "depends") && take_word(&p, "on")) {
		take_depends(reader, p);
	} else if (take_word(&p, "select")) {
		take_select(reader, p);
	} else if (take_word(&p, "visible")) {
		take_depends(reader, condition(p));
	}
}

/* ---- lines ---- */

static void read_file(struct reader *reader, const char *path);

/* $(SRCARCH) is put in; a path with another variable is of another architecture. */
static void read_source(struct reader *reader, const char *p)
{
	static const char variable[] = "$(SRCARCH)";
	char *path = take_string(reader, &p);
	char *dollar = path ? strchr(path, '$') : NULL;
	struct kiln_strbuf sb;

	end_entry(reader);
	if (!path)
		return;
	kiln_strbuf_init(&sb);
	if (!dollar)
		kiln_strbuf_adds(&sb, path);
	else if (!strncmp(dollar, variable, sizeof(variable) - 1))
		kiln_strbuf_addf(&sb, "%.*s%s%s", (int)(dollar - path), path, reader->srcarch,
				 dollar + sizeof(variable) - 1);
	reader->no_memory |= sb.failed;
	if (sb.length && !strchr(sb.data, '$'))
		read_file(reader, sb.data);
	kiln_strbuf_release(&sb);
	free(path);
}

static const char *const configs[] = {"config", "menuconfig", NULL};
static const char *const ends[] = {"endif", "endmenu", "endchoice", NULL};
static const char *const others[] = {"comment", "mainmenu", NULL};

static void read_line(struct reader *reader, const char *p)
{
	if (take_any_word(&p, configs))
		begin_symbol(reader, p);
	else if (take_word(&p, "if"))
		begin_block(reader, "if", p);
	else if (take_word(&p, "menu"))
		begin_block(reader, "menu", "");
	else if (take_word(&p, "choice"))
		begin_block(reader, "choice", "");
	else if (take_any_word(&p, ends))
		end_block(reader);
	else if (take_word(&p, "source"))
		read_source(reader, p);
	else if (take_any_word(&p, others))
		end_entry(reader);
	else
		take_attribute(reader, p);
}

/* ---- files ---- */

/* A text as it is read, line by line. */
struct lines {
	const char *p;
	struct kiln_strbuf line; /* without blanks around it and comments */
	int indent;              /* columns before it */
};

static int columns(const char *p)
{
	int column = 0;

	for (; *p == ' ' || *p == '\t'; p++)
		column = *p == '\t' ? column / 8 * 8 + 8 : column + 1;
	return column;
}

/* The length of a line without its comment. */
static size_t bare_length(const char *p, size_t length)
{
	char quote = 0;

	for (size_t i = 0; i < length; i++) {
		if (!quote && p[i] == '#')
			return i;
		if (!quote && (p[i] == '"' || p[i] == '\''))
			quote = p[i];
		else if (p[i] == quote)
			quote = 0;
	}
	return length;
}

/* Lines that end in a backslash go on. False: there is no more. */
static bool next_line(struct lines *lines)
{
	bool goes_on = *lines->p != '\0';
	bool is_line = goes_on;

	kiln_strbuf_truncate(&lines->line, 0);
	lines->indent = columns(lines->p);
	while (goes_on && *lines->p) {
		const char *p = lines->p + strspn(lines->p, " \t");
		size_t length = strcspn(p, "\n"), used = length;

		lines->p = p + length + (p[length] == '\n');
		goes_on = length && p[length - 1] == '\\';
		used = bare_length(p, goes_on ? length - 1 : length);
		while (used && strchr(" \t\r", p[used - 1]))
			used--;
		if (lines->line.length)
			kiln_strbuf_adds(&lines->line, " ");
		kiln_strbuf_add(&lines->line, p, used);
	}
	return is_line;
}

/* A help text ends where a line is less indented than its first one. */
static void skip_help(struct lines *lines)
{
	int indent = 0;

	while (*lines->p) {
		size_t length = strcspn(lines->p, "\n");
		bool is_blank = strspn(lines->p, " \t\r") >= length;
		int here = columns(lines->p);

		if (!is_blank && !indent)
			indent = here;
		if (!is_blank && (!indent || here < indent))
			return;
		lines->p += length + (lines->p[length] == '\n');
	}
}

static bool is_help(const char *line)
{
	return take_word(&line, "help") || !strncmp(line, "---help---", 10);
}

static void read_lines(struct reader *reader, const char *text)
{
	struct lines lines = {.p = text};

	kiln_strbuf_init(&lines.line);
	while (next_line(&lines)) {
		if (is_help(lines.line.data))
			skip_help(&lines);
		else
			read_line(reader, lines.line.data);
	}
	reader->no_memory |= lines.line.failed;
	kiln_strbuf_release(&lines.line);
}

static int read_text(const char *path, struct kiln_strbuf *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int failed;

	if (fd < 0)
		return -1;
	failed = kiln_strbuf_read_fd(text, fd);
	close(fd);
	return failed;
}

/* Blocks that a file leaves open end with it. */
static void read_file(struct reader *reader, const char *path)
{
	struct kiln_strbuf full, text;
	int first_block = reader->first_block;

	if (reader->nr_files == MAX_FILES || reader->status != CLI_OK)
		return;
	kiln_strbuf_init(&full);
	kiln_strbuf_init(&text);
	kiln_strbuf_addf(&full, "%s/%s", reader->root, path);
	reader->nr_files++;
	reader->first_block = reader->nr_blocks;
	if (read_text(full.data, &text))
		reader->status = cli_trouble("'%s' cannot be read: %s", full.data, strerror(errno));
	else
		read_lines(reader, text.data);
	end_entry(reader);
	while (reader->nr_blocks > reader->first_block)
		drop_block(reader);
	reader->first_block = first_block;
	reader->nr_files--;
	reader->no_memory |= text.failed;
	kiln_strbuf_release(&text);
	kiln_strbuf_release(&full);
}

enum cli_status kconfig_tree_read(struct kconfig_tree *tree, const char *root, const char *srcarch)
{
	struct reader reader = {.tree = tree, .root = root, .srcarch = srcarch, .status = CLI_OK};

	kiln_strbuf_init(&reader.depends);
	kiln_strbuf_init(&reader.prompt_if);
	read_file(&reader, "Kconfig");
	kiln_strbuf_release(&reader.prompt_if);
	kiln_strbuf_release(&reader.depends);
	if (reader.status == CLI_OK && (reader.no_memory || tree->symbols.failed))
		return cli_no_memory();
	return reader.status;
}
