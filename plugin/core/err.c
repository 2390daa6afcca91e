// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "report.h"

#include "banned.h"

static const char cut_mark[] = "...";

/* Never leaves half a UTF-8 character before the mark. */
static void cut(char *text)
{
	size_t end = KILN_ERR_TEXT_MAX - strlen(cut_mark);

	for (int i = 0; i < 3 && ((unsigned char)text[end] & 0xc0) == 0x80; i++)
		end--;
	memcpy(text + end, cut_mark, sizeof(cut_mark));
}

/* A message is one line, whatever the file that it quotes holds. */
static void hide_control_bytes(char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = '?';
	}
}

void kiln_report_args(struct kiln_sink *sink, enum kiln_severity severity,
		      const struct kiln_where *where, const char *format, va_list args)
{
	char text[KILN_ERR_TEXT_MAX + 1];
	struct kiln_err err = {severity, where->path, where->line, where->column, text};
	int length;

	if (!sink)
		return;
	length = vsnprintf(text, sizeof(text), format, args);
	if (length < 0)
		text[0] = '\0';
	else if (length > KILN_ERR_TEXT_MAX)
		cut(text);
	hide_control_bytes(text);
	sink->report(sink, &err);
}

void kiln_report(struct kiln_sink *sink, enum kiln_severity severity, const char *path,
		 unsigned line, unsigned column, const char *format, ...)
{
	struct kiln_where where = {path, line, column};
	va_list args;

	va_start(args, format);
	kiln_report_args(sink, severity, &where, format, args);
	va_end(args);
}

const char *kiln_severity_name(enum kiln_severity severity)
{
	switch (severity) {
	case KILN_ERROR:
		return "error";
	case KILN_WARNING:
		return "warning";
	case KILN_NOTE:
		break;
	}
	return "note";
}
