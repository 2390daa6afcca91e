// SPDX-License-Identifier: GPL-2.0-or-later
#include "lines.h"

#include <string.h>

#include "banned.h"

void kiln_line_add_field(struct kiln_strbuf *sb, const char *field)
{
	kiln_strbuf_add(sb, "\t", 1);
	if (!field)
		field = "-";
	for (;;) {
		size_t plain = strcspn(field, "\t\n\\");

		kiln_strbuf_add(sb, field, plain);
		field += plain;
		if (!*field)
			return;
		kiln_strbuf_adds(sb, *field == '\t' ? "\\t" : *field == '\n' ? "\\n" : "\\\\");
		field++;
	}
}

/* In place; the result is never longer. False: an escape that is none. */
static bool unescape(char *field)
{
	char *to = strchr(field, '\\');

	for (field = to; field && *field; field++) {
		if (*field != '\\') {
			*to++ = *field;
			continue;
		}
		field++;
		if (*field != 't' && *field != 'n' && *field != '\\')
			return false;
		*to++ = *field == 't' ? '\t' : *field == 'n' ? '\n' : '\\';
	}
	if (to)
		*to = '\0';
	return true;
}

bool kiln_lines_read(struct kiln_lines *lines)
{
	char *line = lines->next;
	char *end = (char *)memchr(line, '\n', (size_t)(lines->end - line));

	lines->line++;
	if (!end || memchr(line, '\0', (size_t)(end - line)))
		return false;
	*end = '\0';
	lines->next = end + 1;
	lines->nr_fields = 0;
	for (char *field = line; field;) {
		char *tab = strchr(field, '\t');

		if (lines->nr_fields == KILN_MAX_FIELDS)
			return false;
		if (tab)
			*tab = '\0';
		if (!unescape(field))
			return false;
		lines->fields[lines->nr_fields++] = field;
		field = tab ? tab + 1 : NULL;
	}
	return true;
}

bool kiln_lines_are(const struct kiln_lines *lines, const char *kind, size_t nr_fields)
{
	return lines->nr_fields == nr_fields && strcmp(lines->fields[0], kind) == 0;
}

bool kiln_lines_number(const char *field, size_t limit, size_t *ret_number)
{
	size_t number = 0;

	if (!*field)
		return false;
	for (; *field; field++) {
		if (*field < '0' || *field > '9')
			return false;
		number = 10 * number + (size_t)(*field - '0');
		if (number >= limit)
			return false;
	}
	*ret_number = number;
	return true;
}

bool kiln_lines_end_with(const struct kiln_lines *lines, const char *end)
{
	size_t length = strlen(end), left = (size_t)(lines->end - lines->next);

	return left >= length + 2 && lines->end[-1] == '\n' && lines->end[-2 - (long)length] == '\n' &&
	       !memcmp(lines->end - 1 - length, end, length);
}
