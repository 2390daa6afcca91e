/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of a record: fields separated by tabs. Private to the core.
 */
#ifndef KILN_CORE_LINES_H
#define KILN_CORE_LINES_H

#include "kiln/strbuf.h"

#define KILN_MAX_FIELDS 9

/* What one line says. The text is changed in place. */
struct kiln_lines {
	char *next;
	char *end;	/* of the text */
	unsigned line;	/* 1-based, of the fields; 0: none was read */
	char *fields[KILN_MAX_FIELDS];
	size_t nr_fields;
};

/* Appends a tab and FIELD ("-" for NULL), with \t, \n and \\ for what would end it. */
void kiln_line_add_field(struct kiln_strbuf *sb, const char *field);

/* False: there is no whole line, or it is none of a record. */
bool kiln_lines_read(struct kiln_lines *lines);

/* Is the line of this kind, with so many fields, the kind among them? */
bool kiln_lines_are(const struct kiln_lines *lines, const char *kind, size_t nr_fields);

/* False: FIELD is no number below LIMIT. */
bool kiln_lines_number(const char *field, size_t limit, size_t *ret_number);

/* Is END the last line of the text? */
bool kiln_lines_end_with(const struct kiln_lines *lines, const char *end);

#endif
