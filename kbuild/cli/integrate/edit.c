// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A block in a kernel's file:
 *
 *	# kiln integrate: begin
 *	LINE
 *	# kiln integrate: end
 *	(an empty line)
 */
#include "integrate.h"

#include <string.h>

#define MARK       "# kiln integrate: "
#define MARK_BEGIN MARK "begin\n"
#define MARK_END   MARK "end\n"

const struct integrate_edit integrate_edits[] = {
	{"scripts/Makefile.gcc-plugins", "GCC_PLUGINS_CFLAGS := ",
	 "include $(srctree)/" INTEGRATE_DIRECTORY "/Makefile.flags\n"},
	{"scripts/gcc-plugins/Kconfig", "endif", "source \"" INTEGRATE_DIRECTORY "/Kconfig\"\n"},
	{"scripts/gcc-plugins/Makefile", "GCC_PLUGINS_DIR = ",
	 "include $(srctree)/" INTEGRATE_DIRECTORY "/Makefile\n"},
	{NULL, NULL, NULL},
};

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

static const char *next_line(const char *line)
{
	line += strcspn(line, "\n");
	return *line ? line + 1 : line;
}

/* The first line from LINE on that begins so; NULL: there is none. */
static const char *find_line(const char *line, const char *with)
{
	for (; *line; line = next_line(line)) {
		if (begins(line, with))
			return line;
	}
	return NULL;
}

static unsigned line_number(const char *text, const char *line)
{
	unsigned number = 1;

	for (; text < line; text++)
		number += *text == '\n';
	return number;
}

/* ---- an old block ---- */

struct block {
	const char *begin, *end; /* the text between them is it; NULL: there is none */
};

static enum cli_status refuse_mark(const struct integrate_edit *edit, const char *text,
				   const char *mark)
{
	return cli_trouble("%s:%u: this is not the mark that is expected here: a block is between "
			   "one '# kiln integrate: begin' and one '... end'; take it out by hand",
			   edit->path, line_number(text, mark));
}

static enum cli_status find_block(const struct integrate_edit *edit, const char *text,
				  struct block *ret_block)
{
	const char *begin = find_line(text, MARK), *end, *more;

	*ret_block = (struct block){NULL, NULL};
	if (!begin)
		return CLI_OK;
	if (!begins(begin, MARK_BEGIN))
		return refuse_mark(edit, text, begin);
	end = find_line(next_line(begin), MARK);
	if (!end || !begins(end, MARK_END))
		return refuse_mark(edit, text, end ? end : begin);
	end = next_line(end);
	more = find_line(end, MARK);
	if (more)
		return refuse_mark(edit, text, more);
	*ret_block = (struct block){begin, *end == '\n' ? end + 1 : end};
	return CLI_OK;
}

/* ---- the place of a new one ---- */

static const char *skip_comment_upwards(const char *text, const char *line)
{
	while (line > text) {
		const char *above = line - 1;

		while (above > text && above[-1] != '\n')
			above--;
		if (*above != '#')
			break;
		line = above;
	}
	return line;
}

static enum cli_status find_place(const struct integrate_edit *edit, const char *text,
				  const char **ret_place)
{
	const char *line = find_line(text, edit->anchor), *another;

	if (!line)
		return cli_trouble("%s: no line begins with '%s', before which Kiln's would go; kernels "
				   "like this one are not known", edit->path, edit->anchor);
	another = find_line(next_line(line), edit->anchor);
	if (another)
		return cli_trouble("%s:%u: this line begins with '%s' as line %u does, before which Kiln's "
				   "would go; kernels like this one are not known", edit->path,
				   line_number(text, another), edit->anchor, line_number(text, line));
	*ret_place = skip_comment_upwards(text, line);
	return CLI_OK;
}

static enum cli_status add_block(const struct integrate_edit *edit, const struct kiln_strbuf *text,
				 struct kiln_strbuf *ret_text)
{
	const char *place = NULL;
	enum cli_status status = find_place(edit, text->data, &place);

	if (status != CLI_OK)
		return status;
	kiln_strbuf_add(ret_text, text->data, (size_t)(place - text->data));
	kiln_strbuf_addf(ret_text, "%s%s%s\n%s", MARK_BEGIN, edit->line, MARK_END, place);
	return CLI_OK;
}

enum cli_status integrate_edit_text(const struct integrate_edit *edit, const struct kiln_strbuf *text,
				    bool add, struct kiln_strbuf *ret_text)
{
	struct kiln_strbuf plain;
	struct block block;
	enum cli_status status;

	if (strlen(text->data) != text->length)
		return cli_trouble("%s: there is a NUL byte in this file", edit->path);
	status = find_block(edit, text->data, &block);
	if (status != CLI_OK)
		return status;
	kiln_strbuf_init(&plain);
	if (block.begin)
		kiln_strbuf_add(&plain, text->data, (size_t)(block.begin - text->data));
	kiln_strbuf_adds(&plain, block.begin ? block.end : text->data);
	if (add)
		status = add_block(edit, &plain, ret_text);
	else
		kiln_strbuf_adds(ret_text, plain.data);
	ret_text->failed |= plain.failed;
	kiln_strbuf_release(&plain);
	return status;
}
