// SPDX-License-Identifier: GPL-2.0-or-later
#include "html.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "../make/make.h"

struct numbered {
	struct keep_entry entry;
	unsigned number;
};

struct build_reader {
	struct records_reader reader;
	struct html *html;
	const struct records_build *build;
	struct kiln_strbuf path;   /* of an object */
	struct kiln_strbuf unread; /* names of units whose objects could not be read */
	size_t nr_unread;
};

/* ---- strings ---- */

/* The entry's number; *RET_IS_NEW: it is to be written. */
static unsigned find_number(struct keep_table *table, const char *text, bool *ret_is_new)
{
	size_t before = table->count;
	struct numbered *entry =
		(struct numbered *)(void *)keep_table_add(table, text, strlen(text));

	*ret_is_new = entry && table->count > before;
	if (*ret_is_new)
		entry->number = (unsigned)before;
	return entry ? entry->number : 0;
}

unsigned html_text(struct html *html, const char *text)
{
	bool is_new;
	unsigned number = find_number(&html->numbers, text, &is_new);

	if (is_new && number)
		kiln_strbuf_adds(&html->texts, ",");
	if (is_new)
		cli_add_json_string(&html->texts, text);
	return number;
}

unsigned html_reason(struct html *html, const char *name, const char *limit)
{
	const char *sentence = records_reason_sentence(name);
	struct kiln_strbuf key;
	unsigned number;
	bool is_new;

	kiln_strbuf_init(&key);
	kiln_strbuf_addf(&key, "%s%s%s", name, limit ? " " : "", limit ? limit : "");
	html->reasons.failed |= key.failed;
	number = find_number(&html->reason_numbers, key.data, &is_new);
	kiln_strbuf_release(&key);
	if (!is_new)
		return number;
	kiln_strbuf_adds(&html->reasons, number ? ",[" : "[");
	cli_add_json_string(&html->reasons, name);
	kiln_strbuf_adds(&html->reasons, ",");
	cli_add_json_string(&html->reasons, limit ? limit : "");
	kiln_strbuf_adds(&html->reasons, ",");
	cli_add_json_string(&html->reasons, sentence ? sentence : "");
	kiln_strbuf_adds(&html->reasons, "]");
	return number;
}

static void init(struct html *html)
{
	kiln_strbuf_init(&html->units);
	kiln_strbuf_init(&html->texts);
	kiln_strbuf_init(&html->reasons);
	keep_table_init(&html->numbers, sizeof(struct numbered));
	keep_table_init(&html->reason_numbers, sizeof(struct numbered));
	html_text(html, "");
}

static void release(struct html *html)
{
	kiln_strbuf_release(&html->units);
	kiln_strbuf_release(&html->texts);
	kiln_strbuf_release(&html->reasons);
	keep_table_release(&html->numbers);
	keep_table_release(&html->reason_numbers);
}

static bool has_failed(const struct html *html)
{
	return html->units.failed || html->texts.failed || html->reasons.failed ||
	       html->numbers.failed || html->reason_numbers.failed;
}

/* ---- a build ---- */

static void add_unread(struct build_reader *reader, const struct records_unit *unit)
{
	if (reader->nr_unread++)
		kiln_strbuf_adds(&reader->unread, ",");
	cli_add_json_string(&reader->unread, unit->name);
}

static enum cli_status see_unit(struct records_reader *base, const struct records_unit *unit)
{
	struct build_reader *reader = (struct build_reader *)(void *)base;
	const char *root = reader->build->root;
	enum cli_status status;
	bool has_sizes;

	kiln_strbuf_reset(&reader->path);
	kiln_strbuf_addf(&reader->path, "%s%s", root ? root : "",
			 root ? unit->object : reader->build->path);
	if (reader->path.failed)
		return cli_no_memory();
	status = html_add_unit(reader->html, unit, reader->path.data, &has_sizes);
	if (status == CLI_OK && !has_sizes)
		add_unread(reader, unit);
	return status;
}

static void add_totals(struct kiln_strbuf *sb, const struct report *report)
{
	size_t count;
	const struct report_column *columns = report_columns(report, &count);

	kiln_strbuf_adds(sb, ",\"totals\":{");
	for (size_t i = 0; i < count; i++)
		kiln_strbuf_addf(sb, "%s\"%s\":%" PRId64, i ? "," : "", columns[i].key,
				 report->total.counts[i]);
	kiln_strbuf_adds(sb, "},\"flags\":[");
	for (size_t i = 0; i < report->flags.count; i++) {
		kiln_strbuf_adds(sb, i ? ",[" : "[");
		cli_add_json_string(sb, report->sorted_flags[i]->entry.text);
		kiln_strbuf_addf(sb, ",%zu]", report->sorted_flags[i]->units);
	}
	kiln_strbuf_adds(sb, "]");
}

static void add_build(struct kiln_strbuf *sb, const struct build_reader *reader,
		      const struct report *report)
{
	const struct records_build *build = reader->build;

	kiln_strbuf_adds(sb, "{\"name\":");
	cli_add_json_string(sb, build->path);
	kiln_strbuf_addf(sb, ",\"units\":%zu,\"missing\":%zu,\"damaged\":%zu,\"unread\":[%s]",
			 build->nr_units, build->nr_missing, build->nr_damaged,
			 reader->unread.data);
	add_totals(sb, report);
	kiln_strbuf_adds(sb, ",\"list\":[\n");
	kiln_strbuf_add(sb, reader->html->units.data, reader->html->units.length);
	kiln_strbuf_adds(sb, "\n]}");
}

static void say_unread(const struct build_reader *reader)
{
	if (reader->nr_unread)
		cli_note("of %zu unit%s of '%s' there is no object that can be read: sizes are "
			 "GCC's estimates there",
			 reader->nr_unread, reader->nr_unread == 1 ? "" : "s", reader->build->path);
}

/* The sums are those of the other outputs; faults of records are said when they are made. */
static enum cli_status read_build(struct kiln_strbuf *data, struct html *html,
				  struct records_build *build)
{
	struct build_reader reader = {.reader = {see_unit}, .html = html, .build = build};
	enum cli_status status;
	struct report report;

	kiln_strbuf_init(&reader.path);
	kiln_strbuf_init(&reader.unread);
	kiln_strbuf_reset(&html->units);
	status = report_gather(&report, build, REPORT_DIRECTORY);
	if (status == CLI_OK)
		status = report_arrange(&report, 0);
	build->is_quiet = true;
	if (status == CLI_OK)
		status = records_read(build, &reader.reader);
	if (status == CLI_OK)
		add_build(data, &reader, &report);
	if (status == CLI_OK && (reader.unread.failed || data->failed || has_failed(html)))
		status = cli_no_memory();
	if (status == CLI_OK) {
		say_unread(&reader);
		records_say_gaps(build);
	}
	report_release(&report);
	kiln_strbuf_release(&reader.path);
	kiln_strbuf_release(&reader.unread);
	return status;
}

/* ---- the page ---- */

static enum cli_status make_data(struct kiln_strbuf *data, struct html *html, const char *title,
				 struct records_build *build, struct records_build *other)
{
	enum cli_status status;

	kiln_strbuf_adds(data, "{\"title\":");
	cli_add_json_string(data, title ? title : "");
	kiln_strbuf_adds(data, ",\"builds\":[");
	status = read_build(data, html, build);
	if (status == CLI_OK && other) {
		kiln_strbuf_adds(data, ",");
		status = read_build(data, html, other);
	}
	kiln_strbuf_adds(data, "],\"texts\":[");
	kiln_strbuf_add(data, html->texts.data, html->texts.length);
	kiln_strbuf_adds(data, "],\"reasons\":[");
	kiln_strbuf_add(data, html->reasons.data, html->reasons.length);
	kiln_strbuf_adds(data, "]}");
	return status;
}

/* LINE SEPARATOR and PARAGRAPH SEPARATOR */
static bool is_line_end(const char *text)
{
	return !strncmp(text, "\xe2\x80\xa8", 3) || !strncmp(text, "\xe2\x80\xa9", 3);
}

/*
 * Data for a script element, which any "</script" or "<!--" would end or change. In JSON
 * these characters are in strings alone, where they can be written by their numbers.
 */
static void add_data(struct kiln_strbuf *sb, const struct kiln_strbuf *data)
{
	const char *p = data->data;

	while (*p) {
		size_t plain = strcspn(p, "<>&\xe2");

		kiln_strbuf_add(sb, p, plain);
		p += plain;
		if (!*p)
			break;
		if (is_line_end(p)) {
			kiln_strbuf_addf(sb, "\\u20%02x", (unsigned char)p[2] - 0x80);
			p += 3;
		} else if (*p == '\xe2') {
			kiln_strbuf_add(sb, p++, 1);
		} else {
			kiln_strbuf_addf(sb, "\\u%04x", (unsigned char)*p++);
		}
	}
}

static enum cli_status write_page(const char *path, const struct kiln_strbuf *data)
{
	struct kiln_strbuf page;
	enum cli_status status;

	kiln_strbuf_init(&page);
	kiln_strbuf_adds(&page, html_page_head);
	add_data(&page, data);
	kiln_strbuf_adds(&page, html_page_tail);
	status = page.failed ? cli_no_memory() : make_write_file(path, &page);
	kiln_strbuf_release(&page);
	return status;
}

/* What is put in a device's or a pipe's place would replace it. */
static bool can_be_replaced(const char *path)
{
	struct stat there;

	return stat(path, &there) || S_ISREG(there.st_mode);
}

enum cli_status html_write(const char *path, const char *title, struct records_build *build,
			   struct records_build *other)
{
	struct kiln_strbuf data;
	enum cli_status status;
	struct html html;

	if (!can_be_replaced(path))
		return cli_trouble("'%s' is there, and no file that a page can be written to",
				   path);
	init(&html);
	kiln_strbuf_init(&data);
	status = make_data(&data, &html, title, build, other);
	if (status == CLI_OK)
		status = write_page(path, &data);
	kiln_strbuf_release(&data);
	release(&html);
	return status;
}
