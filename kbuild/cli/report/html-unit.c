// SPDX-License-Identifier: GPL-2.0-or-later
#include "html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NR_FIELDS 13

struct writer {
	struct html *html;
	const struct records_unit *unit;
	struct html_symbols symbols;
	bool has_sizes;
	unsigned *numbers; /* by body: in the page */
	bool *is_used;     /* by function */
	unsigned nr_functions;
};

/* ---- which functions, and by which numbers ---- */

/* Headers bring dozens of functions into a unit that nothing came of. */
static void mark_used(struct writer *writer)
{
	const struct records_unit *unit = writer->unit;

	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		const struct records_body *body = &unit->bodies[i];

		writer->is_used[i] = body->outer == i && (body->has_sizes || body->has_code ||
							  (body->settings && !body->is_copied));
	}
	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		writer->is_used[unit->bodies[i].function] |= unit->bodies[i].outer != i;
		writer->is_used[unit->bodies[i].root] |= unit->bodies[i].outer != i;
	}
	for (size_t i = 0; i < unit->nr_calls; i++) {
		writer->is_used[unit->calls[i].call.callee] = true;
		writer->is_used[unit->bodies[unit->calls[i].body].root] = true;
	}
	for (size_t i = 0; i < unit->nr_ruled; i++) {
		writer->is_used[unit->ruled[i].caller] = true;
		writer->is_used[unit->ruled[i].callee] = true;
	}
	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		if (!unit->bodies[i].clone_kind && !unit->bodies[i].is_merged)
			continue;
		writer->is_used[i] = true;
		writer->is_used[unit->bodies[i].origin] = true;
		writer->is_used[unit->bodies[i].twin] = true;
	}
}

static bool is_symbol_alone(const struct html_symbol *symbol)
{
	return symbol && symbol->bytes && !symbol->function;
}

/* Functions, what the object alone has, copies. */
static void number(struct writer *writer)
{
	const struct records_unit *unit = writer->unit;
	const struct keep_table *symbols = &writer->symbols.table;
	unsigned copy;

	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		if (unit->bodies[i].outer == i && writer->is_used[i])
			writer->numbers[i] = writer->nr_functions++;
	}
	copy = writer->nr_functions;
	for (size_t i = 0; i < symbols->nr_slots; i++)
		copy += is_symbol_alone((const struct html_symbol *)(void *)symbols->slots[i]);
	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		if (unit->bodies[i].outer != i)
			writer->numbers[i] = copy++;
	}
}

/* ---- functions ---- */

static int64_t how(const struct records_body *body)
{
	int64_t how = 0;

	how |= body->has_code ? HTML_PUT_OUT : 0;
	how |= body->has_code && body->code.traceable ? HTML_TRACEABLE : 0;
	how |= body->has_code && body->code.is_dynamic ? HTML_DYNAMIC : 0;
	how |= body->has_code && body->code.is_bounded ? HTML_BOUNDED : 0;
	how |= records_is_always_inline(body) ? HTML_ALWAYS_INLINE : 0;
	how |= body->is_left ? HTML_LEFT : 0;
	how |= body->settings && records_has_word(body->settings, "keep") ? HTML_KEPT : 0;
	how |= body->is_copied ? HTML_COPIED : 0;
	how |= body->is_merged ? HTML_MERGED : 0;
	how |= body->has_sizes ? HTML_HAS_SIZES : 0;
	how |= body->has_sizes && body->sizes.is_left ? HTML_IS_LEFT : 0;
	how |= body->settings ? 0 : HTML_NAMED_ALONE;
	return how;
}

static void add_fields(struct writer *writer, const int64_t fields[NR_FIELDS])
{
	struct kiln_strbuf *sb = &writer->html->units;
	size_t count = NR_FIELDS;

	while (count > 1 && !fields[count - 1])
		count--;
	for (size_t i = 0; i < count; i++)
		kiln_strbuf_addf(sb, "%s%" PRId64, i ? "," : "[", fields[i]);
	kiln_strbuf_adds(sb, "]");
}

/* Only where they are not the unit's. */
static unsigned settings(struct writer *writer, const struct records_body *body)
{
	if (!body->settings || !strcmp(body->settings, writer->unit->settings))
		return 0;
	return html_text(writer->html, *body->settings ? body->settings : "none");
}

static unsigned text(struct writer *writer, const char *text)
{
	return html_text(writer->html, text ? text : "");
}

static void add_function(struct writer *writer, unsigned function)
{
	const struct records_body *body = &writer->unit->bodies[function];
	const struct html_symbol *symbol = NULL;
	bool is_elsewhere = body->file && strcmp(body->file, writer->unit->name);

	if (body->has_code)
		symbol = html_symbols_find(&writer->symbols, body->name);
	add_fields(writer,
		   (const int64_t[NR_FIELDS]){
			   text(writer, body->name),
			   how(body),
			   is_elsewhere ? text(writer, body->file) : 0,
			   body->has_sizes ? body->sizes.size : 0,
			   body->has_sizes && body->sizes.is_left ? body->sizes.size_after : 0,
			   symbol ? (int64_t)symbol->bytes : 0,
			   body->has_code && body->code.frame >= 0 ? body->code.frame + 1 : 0,
			   settings(writer, body),
			   text(writer, body->has_code ? body->code.section : NULL),
			   symbol ? (int64_t)symbol->cold_bytes : 0,
			   body->origin != function ? writer->numbers[body->origin] + 1 : 0,
			   text(writer, body->clone_kind),
			   body->is_merged ? writer->numbers[body->twin] + 1 : 0,
		   });
}

/* What is in the object alone: assembler, what GCC made after all that is recorded. */
static bool add_symbols(struct writer *writer, bool is_first)
{
	struct keep_entry **list = keep_table_sorted(&writer->symbols.table);

	for (size_t i = 0; list && list[i]; i++) {
		const struct html_symbol *symbol = (const struct html_symbol *)(void *)list[i];

		if (!is_symbol_alone(symbol))
			continue;
		if (!is_first)
			kiln_strbuf_adds(&writer->html->units, ",");
		is_first = false;
		add_fields(writer, (const int64_t[NR_FIELDS]){
					   [0] = text(writer, symbol->entry.text),
					   [1] = HTML_SYMBOL | HTML_PUT_OUT | HTML_NAMED_ALONE,
					   [5] = (int64_t)symbol->bytes,
				   });
	}
	free(list);
	return list;
}

static bool add_functions(struct writer *writer)
{
	const struct records_unit *unit = writer->unit;
	bool is_first = true;

	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		if (unit->bodies[i].outer != i || !writer->is_used[i])
			continue;
		if (!is_first)
			kiln_strbuf_adds(&writer->html->units, ",");
		is_first = false;
		add_function(writer, i);
	}
	return add_symbols(writer, is_first);
}

/* ---- calls ---- */

static void add_copies(struct writer *writer)
{
	const struct records_unit *unit = writer->unit;
	const char *separator = "";

	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		const struct records_body *body = &unit->bodies[i];

		if (body->outer == i)
			continue;
		kiln_strbuf_addf(&writer->html->units, "%s%u,%u,%u,%d", separator,
				 writer->numbers[body->outer], writer->numbers[body->function],
				 body->line, body->is_within);
		separator = ",";
	}
}

/* Calls of one line of the record have the body, and the reason, of the first. */
static bool is_alike(const struct records_call *one, const struct records_call *other)
{
	return other->fate == one->fate && other->body == one->body &&
	       other->reason == one->reason && other->limit == one->limit;
}

static size_t count_alike(const struct records_unit *unit, size_t first)
{
	size_t end = first + 1;

	while (end < unit->nr_calls && is_alike(&unit->calls[first], &unit->calls[end]))
		end++;
	return end - first;
}

static void add_call(struct writer *writer, const struct records_call *call)
{
	struct kiln_strbuf *sb = &writer->html->units;

	kiln_strbuf_addf(sb, ",%u,%u", writer->numbers[call->call.callee], call->call.line);
	if (call->fate != RECORDS_REFUSED)
		return;
	if (call->call.has_growth)
		kiln_strbuf_addf(sb, ",%d", call->call.growth);
	else
		kiln_strbuf_adds(sb, ",null");
}

static void add_calls(struct writer *writer, enum records_fate fate)
{
	const struct records_unit *unit = writer->unit;
	struct kiln_strbuf *sb = &writer->html->units;
	const char *separator = "";
	size_t count;

	for (size_t i = 0; i < unit->nr_calls; i += count) {
		const struct records_call *call = &unit->calls[i];

		count = count_alike(unit, i);
		if (call->fate != fate)
			continue;
		kiln_strbuf_addf(sb, "%s%u", separator, writer->numbers[call->body]);
		separator = ",";
		if (fate == RECORDS_REFUSED)
			kiln_strbuf_addf(sb, ",%u",
					 html_reason(writer->html, call->reason, call->limit));
		kiln_strbuf_addf(sb, ",%zu", count);
		for (size_t k = i; k < i + count; k++)
			add_call(writer, &unit->calls[k]);
	}
}

static void add_ruled(struct writer *writer)
{
	const struct records_unit *unit = writer->unit;

	for (size_t i = 0; i < unit->nr_ruled; i++) {
		const struct records_ruled *ruled = &unit->ruled[i];

		kiln_strbuf_addf(&writer->html->units, "%s%u,%u,%u,%u", i ? "," : "",
				 writer->numbers[ruled->caller], writer->numbers[ruled->callee],
				 text(writer, ruled->word), text(writer, ruled->why));
	}
}

/* ---- the unit ---- */

/* No object: its unit ends in an assembler file, as asm-offsets.c does. */
static enum cli_status read_sizes(struct writer *writer, const char *object)
{
	if (access(object, F_OK))
		return CLI_OK;
	writer->has_sizes = html_symbols_read(&writer->symbols, object) == CLI_OK;
	if (writer->symbols.failed)
		return cli_no_memory();
	if (!writer->has_sizes)
		html_symbols_release(&writer->symbols);
	return CLI_OK;
}

static void join(struct writer *writer)
{
	const struct records_unit *unit = writer->unit;

	for (unsigned i = 0; i < unit->nr_bodies; i++) {
		struct html_symbol *symbol = NULL;

		if (unit->bodies[i].outer == i && unit->bodies[i].has_code)
			symbol = html_symbols_find(&writer->symbols, unit->bodies[i].name);
		if (symbol)
			symbol->function = i + 1;
	}
	html_symbols_settle(&writer->symbols);
}

static bool write_unit(struct writer *writer)
{
	struct kiln_strbuf *sb = &writer->html->units;
	bool added;

	mark_used(writer);
	join(writer);
	number(writer);
	kiln_strbuf_addf(sb, "%s[%u,%u,%d,[", sb->length ? ",\n" : "",
			 html_text(writer->html, writer->unit->name),
			 html_text(writer->html, writer->unit->settings), writer->has_sizes);
	added = add_functions(writer);
	kiln_strbuf_adds(sb, "],[");
	add_copies(writer);
	kiln_strbuf_adds(sb, "],[");
	add_calls(writer, RECORDS_EARLY);
	kiln_strbuf_adds(sb, "],[");
	add_calls(writer, RECORDS_REFUSED);
	kiln_strbuf_adds(sb, "],[");
	add_ruled(writer);
	kiln_strbuf_adds(sb, "]]");
	return added && !sb->failed;
}

enum cli_status html_add_unit(struct html *html, const struct records_unit *unit,
			      const char *object, bool *ret_has_sizes)
{
	struct writer writer = {.html = html, .unit = unit};
	enum cli_status status;

	html_symbols_init(&writer.symbols);
	writer.numbers = (unsigned *)calloc(unit->nr_bodies + 1, sizeof(*writer.numbers));
	writer.is_used = (bool *)calloc(unit->nr_bodies + 1, sizeof(*writer.is_used));
	status = writer.numbers && writer.is_used ? read_sizes(&writer, object) : cli_no_memory();
	if (status == CLI_OK && !write_unit(&writer))
		status = cli_no_memory();
	*ret_has_sizes = writer.has_sizes;
	html_symbols_release(&writer.symbols);
	free(writer.numbers);
	free(writer.is_used);
	return status;
}
