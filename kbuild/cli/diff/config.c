// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CONFIG_IKCONFIG puts the configuration, compressed, into the kernel's data:
 *
 *	IKCFG_ST <what gzip makes of .config> IKCFG_ED
 */
#include "diff.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define BEGIN "IKCFG_ST"

/* With a header of gzip, and no other. */
#define GZIP_WINDOW (16 + MAX_WBITS)

/* A configuration is a third of a megabyte: what is larger is damaged. */
#define MAX_CONFIG (8 << 20)

static void inflate_all(z_stream *stream, struct kiln_strbuf *ret)
{
	unsigned char buffer[8192];
	int result;

	do {
		stream->next_out = buffer;
		stream->avail_out = sizeof(buffer);
		result = inflate(stream, Z_NO_FLUSH);
		kiln_strbuf_add(ret, buffer, sizeof(buffer) - stream->avail_out);
	} while (result == Z_OK && ret->length < MAX_CONFIG && !ret->failed);
	if (result != Z_STREAM_END)
		kiln_strbuf_truncate(ret, 0);
}

void diff_config_find(const void *data, size_t size, struct kiln_strbuf *ret_config)
{
	const char *begin = (const char *)memmem(data, size, BEGIN, strlen(BEGIN));
	z_stream stream = {.next_in = NULL};
	size_t left;

	if (!begin)
		return;
	begin += strlen(BEGIN);
	left = size - (size_t)(begin - (const char *)data);
	stream.next_in = (unsigned char *)(uintptr_t)begin;
	stream.avail_in = left > MAX_CONFIG ? MAX_CONFIG : (unsigned)left;
	if (inflateInit2(&stream, GZIP_WINDOW) != Z_OK)
		return;
	inflate_all(&stream, ret_config);
	inflateEnd(&stream);
}

/* ---- two of them ---- */

struct option {
	struct keep_entry entry;
	const char *values[DIFF_SIDES]; /* NULL: it is not set, or there is none */
};

static void see_option(struct diff_report *report, struct keep_table *options, const char *line,
		       size_t length, enum diff_side side)
{
	const char *equals = (const char *)memchr(line, '=', length);
	struct option *option;

	if (strncmp(line, "CONFIG_", 7) || !equals)
		return;
	option = (struct option *)keep_table_add(options, line, (size_t)(equals - line));
	if (option)
		option->values[side] = diff_keep_string(
			report, "%.*s", (int)(length - (size_t)(equals + 1 - line)), equals + 1);
}

static void see_options(struct diff_report *report, struct keep_table *options, const char *text,
			enum diff_side side)
{
	while (*text) {
		size_t length = strcspn(text, "\n");

		see_option(report, options, text, length, side);
		text += length + (text[length] == '\n');
	}
}

static void compare_options(struct diff_report *report, const struct keep_table *options)
{
	for (size_t i = 0; i < options->nr_slots; i++) {
		const struct option *option = (const struct option *)options->slots[i];
		const char *a = option && option->values[DIFF_A] ? option->values[DIFF_A] : "n";
		const char *b = option && option->values[DIFF_B] ? option->values[DIFF_B] : "n";

		if (option && strcmp(a, b))
			diff_add_texts(report, option->entry.text, a, b);
	}
}

void diff_compare_config(struct diff_report *report, const char *a, const char *b)
{
	struct diff_section *section =
		diff_add_section(report, "options", "configuration: options that differ", true);
	struct keep_table options;

	if (!*a || !*b) {
		section->title = "configuration";
		section->note = !*a && !*b ? "not known"
				: !*a      ? "not known of A"
					   : "not known of B";
		return;
	}
	keep_table_init(&options, sizeof(struct option));
	see_options(report, &options, a, DIFF_A);
	see_options(report, &options, b, DIFF_B);
	compare_options(report, &options);
	report->failed |= options.failed;
	diff_sort(section);
	for (size_t i = 0; i < section->nr_rows; i++)
		section->rows[i].name = diff_keep_string(report, "%s", section->rows[i].name);
	keep_table_release(&options);
}
