// SPDX-License-Identifier: GPL-2.0-or-later
#include "integrate.h"

#include <string.h>

#define CONTEXT 3

/* ---- lines of a text ---- */

struct lines {
	const char *text, *end;
	size_t count;
};

static struct lines lines_of(const struct kiln_strbuf *sb)
{
	struct lines lines = {sb->data, sb->data + sb->length, 0};

	for (const char *p = lines.text; p < lines.end; p++)
		lines.count += *p == '\n' || p + 1 == lines.end;
	return lines;
}

/* Bytes of the line, its end among them. */
static size_t line_length(const char *line, const char *end)
{
	const char *newline = (const char *)memchr(line, '\n', (size_t)(end - line));

	return (size_t)((newline ? newline + 1 : end) - line);
}

static const char *skip_lines(const char *line, const char *end, size_t count)
{
	while (count--)
		line += line_length(line, end);
	return line;
}

static size_t common_at_start(const struct lines *a, const struct lines *b)
{
	const char *p = a->text, *q = b->text;
	size_t count = 0;

	while (p < a->end && q < b->end) {
		size_t length = line_length(p, a->end);

		if (length != line_length(q, b->end) || memcmp(p, q, length))
			break;
		p += length;
		q += length;
		count++;
	}
	return count;
}

/* Not more than LIMIT. */
static size_t common_at_end(const struct lines *a, const struct lines *b, size_t limit)
{
	size_t count = 0;

	while (count < limit) {
		const char *p = skip_lines(a->text, a->end, a->count - count - 1);
		const char *q = skip_lines(b->text, b->end, b->count - count - 1);
		size_t length = line_length(p, a->end);

		if (length != line_length(q, b->end) || memcmp(p, q, length))
			break;
		count++;
	}
	return count;
}

/* ---- the patch ---- */

static void add_lines(struct kiln_strbuf *sb, char sign, const struct lines *lines, size_t from,
		      size_t count)
{
	const char *line = skip_lines(lines->text, lines->end, from);

	while (count--) {
		size_t length = line_length(line, lines->end);

		kiln_strbuf_addf(sb, "%c", sign);
		kiln_strbuf_add(sb, line, length);
		line += length;
		if (line[-1] != '\n')
			kiln_strbuf_adds(sb, "\n\\ No newline at end of file\n");
	}
}

/* One hunk: what Kiln changes in a file is in one place. */
static void add_hunk(struct kiln_strbuf *sb, const struct integrate_file *file)
{
	struct lines before = lines_of(&file->before), after = lines_of(&file->after);
	size_t fewer = before.count < after.count ? before.count : after.count;
	size_t start = common_at_start(&before, &after);
	size_t end = common_at_end(&before, &after, fewer - start);
	size_t above = start < CONTEXT ? start : CONTEXT, below = end < CONTEXT ? end : CONTEXT;
	size_t removed = before.count - start - end, added = after.count - start - end;
	size_t first = start - above + 1;

	kiln_strbuf_addf(sb, "@@ -%zu,%zu +%zu,%zu @@\n", before.count ? first : 0,
			 above + removed + below, after.count ? first : 0, above + added + below);
	add_lines(sb, ' ', &before, start - above, above);
	add_lines(sb, '-', &before, start, removed);
	add_lines(sb, '+', &after, start, added);
	add_lines(sb, ' ', &before, before.count - end, below);
}

static void add_file(struct kiln_strbuf *sb, const struct integrate_file *file)
{
	const char *path = file->path;

	kiln_strbuf_addf(sb, "diff --git a/%s b/%s\n", path, path);
	if (!file->before_exists)
		kiln_strbuf_adds(sb, "new file mode 100644\n");
	if (!file->after_exists)
		kiln_strbuf_adds(sb, "deleted file mode 100644\n");
	if (!file->before.length && !file->after.length)
		return;
	kiln_strbuf_addf(sb, "--- %s%s\n", file->before_exists ? "a/" : "/dev/null",
			 file->before_exists ? path : "");
	kiln_strbuf_addf(sb, "+++ %s%s\n", file->after_exists ? "b/" : "/dev/null",
			 file->after_exists ? path : "");
	add_hunk(sb, file);
}

/* The same plan gives the same patch, so that there is no date and nobody's name. */
static void add_mail(struct kiln_strbuf *sb, const struct integrate_plan *plan)
{
	kiln_strbuf_adds(sb, "From: Kiln <kiln@localhost>\n");
	if (!plan->new_version)
		kiln_strbuf_adds(sb, "Subject: [PATCH] gcc-plugins: remove Kiln\n\n");
	else if (plan->old_version)
		kiln_strbuf_addf(sb, "Subject: [PATCH] gcc-plugins: update Kiln from %s to %s\n\n",
				 plan->old_version, plan->new_version);
	else
		kiln_strbuf_addf(sb, "Subject: [PATCH] gcc-plugins: add Kiln %s\n\n", plan->new_version);
	kiln_strbuf_adds(sb, "Kiln gives functions and subsystems GCC flags of their own, by a policy.\n"
			     "This is what 'kiln integrate' does to the tree.\n---\n");
}

void integrate_patch(const struct integrate_plan *plan, struct kiln_strbuf *ret_patch)
{
	if (!plan->nr_files)
		return;
	add_mail(ret_patch, plan);
	for (size_t i = 0; i < plan->nr_files; i++)
		add_file(ret_patch, &plan->files[i]);
	kiln_strbuf_adds(ret_patch, "-- \nkiln " KILN_VERSION "\n");
}
