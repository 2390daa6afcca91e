// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

static bool is_continuation(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* The length of the UTF-8 character at TEXT; 0: it is none. */
static size_t utf8_length(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;
	size_t length = bytes[0] >= 0xf5   ? 0
			: bytes[0] >= 0xf0 ? 4
			: bytes[0] >= 0xe0 ? 3
			: bytes[0] >= 0xc2 ? 2
			: bytes[0] < 0x80  ? 1
					   : 0;

	for (size_t i = 1; i < length; i++) {
		if (!is_continuation(bytes[i]))
			return 0;
	}
	if ((bytes[0] == 0xe0 && bytes[1] < 0xa0) || (bytes[0] == 0xed && bytes[1] > 0x9f) ||
	    (bytes[0] == 0xf0 && bytes[1] < 0x90) || (bytes[0] == 0xf4 && bytes[1] > 0x8f))
		return 0;
	return length;
}

/*
 * What the character at TEXT is in a string; its length there. Names are bytes: one that is
 * no character is written as that of its number.
 */
static size_t escape(const char *text, char ret_escaped[8])
{
	unsigned char c = (unsigned char)*text;
	size_t length = utf8_length(text);

	if (c == '"' || c == '\\')
		snprintf(ret_escaped, 8, "\\%c", c);
	else if (c < ' ' || c == 127 || !length)
		snprintf(ret_escaped, 8, "\\u%04x", c);
	else
		snprintf(ret_escaped, 8, "%.*s", (int)length, text);
	return length ? length : 1;
}

void cli_print_json_string(const char *text)
{
	char escaped[8];

	putchar('"');
	while (*text) {
		text += escape(text, escaped);
		fputs(escaped, stdout);
	}
	putchar('"');
}

void cli_add_json_string(struct kiln_strbuf *sb, const char *text)
{
	char escaped[8];

	kiln_strbuf_adds(sb, "\"");
	while (*text) {
		text += escape(text, escaped);
		kiln_strbuf_adds(sb, escaped);
	}
	kiln_strbuf_adds(sb, "\"");
}

/* ---- CSV, as RFC 4180 has it ---- */

void cli_print_csv_string(const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, stdout);
		return;
	}
	putchar('"');
	for (; *text; text++) {
		if (*text == '"')
			putchar('"');
		putchar(*text);
	}
	putchar('"');
}

/* ---- globs ---- */

void cli_add_literal(struct kiln_strbuf *sb, const char *text, size_t length)
{
	kiln_strbuf_reset(sb);
	for (size_t i = 0; i < length; i++) {
		if (strchr("*?[\\", text[i]))
			kiln_strbuf_adds(sb, "\\");
		kiln_strbuf_add(sb, text + i, 1);
	}
}

/* ---- which, and how much ---- */

enum cli_status cli_check_outputs(const struct cli_args *args)
{
	if (args->json && args->csv)
		return cli_trouble("--json and --csv are two outputs: choose one");
	return CLI_OK;
}

#define DEFAULT_TOP 20

/* Text is for reading: without --top it is cut, and nothing else is. */
enum cli_status cli_parse_top(const struct cli_args *args, size_t *ret_top)
{
	char *end;

	*ret_top = args->json || args->csv ? 0 : DEFAULT_TOP;
	if (!args->top)
		return CLI_OK;
	errno = 0;
	*ret_top = strtoul(args->top, &end, 10);
	if (errno || *end || *args->top < '0' || *args->top > '9')
		return cli_trouble("--top needs a number, 0 for all, and not '%s'", args->top);
	return CLI_OK;
}
