// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/record.h"

#include <stdlib.h>
#include <string.h>

#include "flags.h"

#include "banned.h"

static const char version_line[] = "kiln-record\t1";

/* ---- writing ---- */

static void add_field(struct kiln_strbuf *sb, const char *field)
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

static void add_setting(struct kiln_strbuf *sb, const struct kiln_setting *setting)
{
	if (!setting)
		return;
	kiln_strbuf_adds(sb, " ");
	if (setting->optional)
		kiln_strbuf_adds(sb, "?");
	kiln_strbuf_adds(sb, setting->flag ? setting->flag : kiln_what_name(setting->what));
}

static bool is_param(const struct kiln_setting *setting)
{
	return kiln_flag_key(setting->flag).family == 'p';
}

/* The first param in alphabetical order that comes after LAST (NULL: of all); NULL: none. */
static const struct kiln_setting *const *next_param(const struct kiln_verdict *verdict,
						     const struct kiln_setting *const *last)
{
	const struct kiln_setting *const *next = NULL;

	for (size_t i = 0; i < verdict->nr_flags; i++) {
		const struct kiln_setting *const *flag = &verdict->flags[i];
		int order = last ? strcmp((*flag)->flag, (*last)->flag) : 1;

		if (!is_param(*flag) || order < 0 || (order == 0 && flag <= last))
			continue;
		if (!next || strcmp((*flag)->flag, (*next)->flag) < 0)
			next = flag;
	}
	return next;
}

/* Appends what holds, without saying which line says so. */
static void describe(struct kiln_strbuf *sb, const struct kiln_verdict *verdict)
{
	const struct kiln_setting *const *param = NULL;

	for (size_t i = 0; i < verdict->nr_flags; i++) {
		if (!is_param(verdict->flags[i]))
			add_setting(sb, verdict->flags[i]);
	}
	while ((param = next_param(verdict, param)))
		add_setting(sb, *param);
	add_setting(sb, verdict->keep);
	add_setting(sb, verdict->noinline);
	add_setting(sb, verdict->inlined);
	add_setting(sb, verdict->leave);
}

static bool grow_numbers(struct kiln_record *record, size_t needed)
{
	size_t size = record->nr_numbers ? 2 * record->nr_numbers : 16;
	unsigned *grown;

	while (size < needed)
		size *= 2;
	grown = (unsigned *)realloc(record->numbers, size * sizeof(*grown));
	if (!grown) {
		record->text.failed = true;
		return false;
	}
	memset(grown + record->nr_numbers, 0, (size - record->nr_numbers) * sizeof(*grown));
	record->numbers = grown;
	record->nr_numbers = size;
	return true;
}

/*
 * The number that VERDICT has here: its own depends on the order in which the
 * decider was asked, which is another one with other rules.
 */
static unsigned add_verdict(struct kiln_record *record, const struct kiln_verdict *verdict)
{
	struct kiln_strbuf settings;

	if (verdict->number >= record->nr_numbers && !grow_numbers(record, verdict->number + 1))
		return 0;
	if (record->numbers[verdict->number])
		return record->numbers[verdict->number] - 1;
	record->numbers[verdict->number] = ++record->nr_verdicts;
	kiln_strbuf_init(&settings);
	describe(&settings, verdict);
	kiln_strbuf_addf(&record->text, "verdict\t%u", record->nr_verdicts - 1);
	add_field(&record->text, settings.length ? settings.data + 1 : "");
	kiln_strbuf_adds(&record->text, "\n");
	record->text.failed |= settings.failed;
	kiln_strbuf_release(&settings);
	return record->nr_verdicts - 1;
}

void kiln_record_begin(struct kiln_record *record, const struct kiln_unit *unit,
		       const struct kiln_verdict *verdict)
{
	*record = (struct kiln_record){.unit = unit};
	kiln_strbuf_init(&record->text);
	kiln_strbuf_addf(&record->text, "%s\nunit", version_line);
	add_field(&record->text, unit->source);
	add_field(&record->text, unit->object);
	add_field(&record->text, unit->arch ? unit->arch->names[0] : NULL);
	kiln_strbuf_adds(&record->text, "\n");
	add_verdict(record, verdict);
}

void kiln_record_stamp(struct kiln_record *record, const char *digest)
{
	kiln_strbuf_adds(&record->text, "stamp");
	add_field(&record->text, digest);
	kiln_strbuf_adds(&record->text, "\n");
}

/* A rule that says leave, or NULL, in letters. */
static const char *how_by_rule(const struct kiln_rule *rule)
{
	if (!rule)
		return "";
	return kiln_rule_names(rule, KILN_SECTION) ? "rs" : "r";
}

void kiln_record_function(struct kiln_record *record, const struct kiln_function *function,
			  const struct kiln_verdict *verdict, bool left,
			  const struct kiln_rule *rule)
{
	struct kiln_strbuf *text = &record->text;
	const char *source = record->unit->source, *file = function->file;
	unsigned number = add_verdict(record, verdict);

	kiln_strbuf_adds(text, "function");
	add_field(text, function->name);
	kiln_strbuf_addf(text, "\t%u\t%s%s%s%s", number, function->is_copied ? "c" : "",
			 how_by_rule(rule), left ? "l" : "",
			 function->is_copied || rule || left ? "" : "-");
	add_field(text, file && source && !strcmp(file, source) ? NULL : file);
	add_field(text, function->section);
	kiln_strbuf_adds(text, "\n");
}

void kiln_record_end(struct kiln_record *record)
{
	kiln_strbuf_adds(&record->text, "end\n");
}

void kiln_record_release(struct kiln_record *record)
{
	kiln_strbuf_release(&record->text);
	free(record->numbers);
	record->numbers = NULL;
	record->nr_numbers = record->nr_verdicts = 0;
}

/* ---- comparing ---- */

#define MAX_FIELDS 6

/* What a verdict's line says. */
struct said {
	char *settings; /* NULL: there was no such line */
	const struct kiln_verdict *same; /* of today's, the last that says the same; or NULL */
};

/* What one line says, and what the lines before it told. */
struct reader {
	char *next;
	char *end; /* of the text */
	char *fields[MAX_FIELDS];
	size_t nr_fields;
	struct kiln_unit unit;
	struct kiln_decider *decider;
	const char *digest; /* of today's policy, or NULL */
	struct said *said; /* of each verdict's number */
	size_t nr_said;
	struct kiln_strbuf now;
};

/* In place; the result is never longer. False: an escape that is none. */
static bool unescape(char *field)
{
	char *to = field;

	for (; *field; field++) {
		if (*field != '\\') {
			*to++ = *field;
			continue;
		}
		field++;
		if (*field != 't' && *field != 'n' && *field != '\\')
			return false;
		*to++ = *field == 't' ? '\t' : *field == 'n' ? '\n' : '\\';
	}
	*to = '\0';
	return true;
}

/* False: there is no whole line, or it is none of a record. */
static bool read_line(struct reader *reader)
{
	char *line = reader->next;
	char *end = (char *)memchr(line, '\n', (size_t)(reader->end - line));

	if (!end || memchr(line, '\0', (size_t)(end - line)))
		return false;
	*end = '\0';
	reader->next = end + 1;
	reader->nr_fields = 0;
	for (char *field = line; field;) {
		char *tab = strchr(field, '\t');

		if (reader->nr_fields == MAX_FIELDS)
			return false;
		if (tab)
			*tab = '\0';
		if (!unescape(field))
			return false;
		reader->fields[reader->nr_fields++] = field;
		field = tab ? tab + 1 : NULL;
	}
	return true;
}

static bool is_kind(const struct reader *reader, const char *kind, size_t nr_fields)
{
	return reader->nr_fields == nr_fields && strcmp(reader->fields[0], kind) == 0;
}

/* NULL for what is not known. */
static const char *known(const char *field)
{
	return strcmp(field, "-") == 0 ? NULL : field;
}

/* False: it is no number below the limit that a text of that many lines can have. */
static bool read_number(const struct reader *reader, const char *field, size_t *ret_number)
{
	size_t number = 0;

	if (!*field)
		return false;
	for (; *field; field++) {
		if (*field < '0' || *field > '9')
			return false;
		number = 10 * number + (size_t)(*field - '0');
		if (number >= reader->nr_said)
			return false;
	}
	*ret_number = number;
	return true;
}

/* A verdict takes a line, and so does all that it is given to. */
static size_t count_lines(const struct reader *reader)
{
	size_t count = 0;

	for (const char *p = reader->next; (p = (const char *)memchr(p, '\n', (size_t)(reader->end - p)));
	     p++)
		count++;
	return count;
}

static int prepare(struct reader *reader, enum kiln_record_state *ret_state)
{
	if (!read_line(reader) || !is_kind(reader, "kiln-record", 2) ||
	    strcmp(reader->fields[1], "1") != 0 || !read_line(reader) || !is_kind(reader, "unit", 4)) {
		*ret_state = KILN_RECORD_BAD;
		return 0;
	}
	reader->unit.source = known(reader->fields[1]);
	reader->unit.object = known(reader->fields[2]);
	reader->unit.arch = kiln_arch_find(reader->fields[3]);
	reader->nr_said = count_lines(reader);
	reader->said = (struct said *)calloc(reader->nr_said + 1, sizeof(*reader->said));
	return reader->said ? 0 : -1;
}

/* What the line of a function says; its verdict's number must have come before. */
static bool read_function(struct reader *reader, struct kiln_function *ret_function,
			  struct said **ret_said)
{
	const char *file = known(reader->fields[4]);
	size_t number;

	if (!read_number(reader, reader->fields[2], &number) || !reader->said[number].settings)
		return false;
	*ret_said = &reader->said[number];
	*ret_function = (struct kiln_function){
		.name = reader->fields[1],
		.file = file ? file : reader->unit.source,
		.section = known(reader->fields[5]),
		.is_copied = strchr(reader->fields[3], 'c') != NULL,
	};
	return true;
}

/* Keeps the settings of a verdict's line. */
static bool read_verdict(struct reader *reader, size_t *ret_number)
{
	if (!read_number(reader, reader->fields[1], ret_number) ||
	    reader->said[*ret_number].settings)
		return false;
	reader->said[*ret_number].settings = reader->fields[2];
	return true;
}

/* Most functions of a unit have one of a few verdicts: each is spelled out once. */
static bool says(struct reader *reader, const struct kiln_verdict *verdict, struct said *said)
{
	if (said->same == verdict)
		return true;
	kiln_strbuf_reset(&reader->now);
	describe(&reader->now, verdict);
	if (strcmp(reader->now.length ? reader->now.data + 1 : "", said->settings) != 0)
		return false;
	said->same = verdict;
	return true;
}

/* Number 0 is the unit's own. */
static enum kiln_record_state compare_verdict(struct reader *reader)
{
	size_t number;

	if (!read_verdict(reader, &number))
		return KILN_RECORD_BAD;
	if (number || says(reader, kiln_decider_unit(reader->decider), &reader->said[number]))
		return KILN_RECORD_HOLDS;
	return KILN_RECORD_STALE;
}

static enum kiln_record_state compare_stamp(const struct reader *reader)
{
	bool same = !reader->digest || !strcmp(reader->fields[1], reader->digest);

	return same ? KILN_RECORD_HOLDS : KILN_RECORD_STALE;
}

/* Does HOW tell of such a rule? NULL: of none. */
static bool is_left_by(const char *how, const struct kiln_rule *rule)
{
	bool section = rule && kiln_rule_names(rule, KILN_SECTION);

	return !rule == !strchr(how, 'r') && !section == !strchr(how, 's');
}

static int compare_function(struct reader *reader, enum kiln_record_state *ret_state)
{
	const char *how = reader->fields[3];
	const struct kiln_verdict *verdict;
	struct kiln_function function;
	const struct kiln_rule *rule;
	struct said *said;

	if (!read_function(reader, &function, &said)) {
		*ret_state = KILN_RECORD_BAD;
		return 0;
	}
	verdict = kiln_decider_function(reader->decider, &function);
	rule = verdict && verdict->leave ? verdict->leave->rule : NULL;
	if (verdict && strchr(how, 'l'))
		verdict = kiln_decider_left(reader->decider, &function);
	if (!verdict)
		return -1;
	if (!is_left_by(how, rule) || !says(reader, verdict, said))
		*ret_state = KILN_RECORD_STALE;
	return 0;
}

/* Until the first line that shows a difference, or the end. */
static int compare_lines(struct reader *reader, enum kiln_record_state *ret_state)
{
	*ret_state = KILN_RECORD_HOLDS;
	while (*ret_state == KILN_RECORD_HOLDS) {
		if (!read_line(reader))
			*ret_state = KILN_RECORD_BAD;
		else if (is_kind(reader, "end", 1))
			return 0;
		else if (is_kind(reader, "verdict", 3))
			*ret_state = compare_verdict(reader);
		else if (is_kind(reader, "stamp", 2))
			*ret_state = compare_stamp(reader);
		else if (!is_kind(reader, "function", 6))
			*ret_state = KILN_RECORD_BAD;
		else if (compare_function(reader, ret_state))
			return -1;
		if (reader->now.failed)
			return -1;
	}
	return 0;
}

int kiln_record_compare(char *text, size_t length, const struct kiln_policy *policy,
			const char *digest, enum kiln_record_state *ret_state)
{
	struct reader reader = {.next = text, .end = text + length, .digest = digest};
	int failed;

	*ret_state = KILN_RECORD_HOLDS;
	kiln_strbuf_init(&reader.now);
	failed = prepare(&reader, ret_state);
	if (!failed && *ret_state == KILN_RECORD_HOLDS) {
		reader.decider = kiln_decider_new(policy, &reader.unit);
		failed = reader.decider ? compare_lines(&reader, ret_state) : -1;
	}
	kiln_strbuf_release(&reader.now);
	kiln_decider_free(reader.decider);
	free(reader.said);
	return failed;
}

/* ---- visiting ---- */

static bool visit_line(struct reader *reader, struct kiln_record_visitor *visitor)
{
	struct kiln_function function;
	struct said *said;
	size_t number;

	if (is_kind(reader, "verdict", 3)) {
		if (!read_verdict(reader, &number))
			return false;
		if (!number)
			visitor->visit(visitor, &reader->unit, NULL, reader->fields[2], false);
		return true;
	}
	if (is_kind(reader, "stamp", 2))
		return true;
	if (!is_kind(reader, "function", 6) || !read_function(reader, &function, &said))
		return false;
	visitor->visit(visitor, &reader->unit, &function, said->settings,
		       strchr(reader->fields[3], 'l') != NULL);
	return true;
}

int kiln_record_visit(char *text, size_t length, struct kiln_record_visitor *visitor,
		      enum kiln_record_state *ret_state)
{
	struct reader reader = {.next = text, .end = text + length};
	int failed;

	*ret_state = KILN_RECORD_HOLDS;
	failed = prepare(&reader, ret_state);
	while (!failed && *ret_state == KILN_RECORD_HOLDS) {
		if (!read_line(&reader))
			*ret_state = KILN_RECORD_BAD;
		else if (is_kind(&reader, "end", 1))
			break;
		else if (!visit_line(&reader, visitor))
			*ret_state = KILN_RECORD_BAD;
	}
	free(reader.said);
	return failed;
}
