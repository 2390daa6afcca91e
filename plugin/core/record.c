// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kiln/decisions.h"
#include "kiln/glob.h"

#include "decisions.h"
#include "flags.h"
#include "lines.h"

#include "banned.h"

static const char kind_line[] = "kiln-record", version[] = "2";

/* ---- writing ---- */

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

static unsigned hash_of(const char *text)
{
	unsigned hash = 5381;

	for (; *text; text++)
		hash = 33 * hash + (unsigned char)*text;
	return hash;
}

static bool grow_texts(struct kiln_record_texts *texts)
{
	size_t capacity = texts->capacity ? 2 * texts->capacity : 16;
	struct kiln_record_text *grown =
		(struct kiln_record_text *)realloc(texts->texts, capacity * sizeof(*grown));

	if (!grown)
		return false;
	texts->texts = grown;
	texts->capacity = capacity;
	return true;
}

/* The number of TEXT among TEXTS, from 0; false: it is a new one, the last. */
static bool find_text(struct kiln_record *record, struct kiln_record_texts *texts, const char *text,
		      unsigned *ret_number)
{
	unsigned hash = hash_of(text);
	size_t length = strlen(text), i;

	*ret_number = 0;
	if (record->text.failed)
		return true;
	for (i = 0; i < texts->nr; i++) {
		const struct kiln_record_text *known = &texts->texts[i];

		if (known->hash == hash && known->length == length &&
		    !memcmp(record->text.data + known->start, text, length))
			break;
	}
	if (i == texts->capacity && !grow_texts(texts)) {
		record->text.failed = true;
		return true;
	}
	*ret_number = (unsigned)i;
	if (i < texts->nr)
		return true;
	texts->texts[texts->nr++] = (struct kiln_record_text){.hash = hash};
	return false;
}

/* Writes it at the end of a line. One that is escaped there is not found again, and written again. */
static void add_text(struct kiln_record *record, struct kiln_record_texts *texts, const char *text)
{
	struct kiln_record_text *last = &texts->texts[texts->nr - 1];

	kiln_line_add_field(&record->text, text);
	last->length = strlen(text);
	last->start = record->text.length - last->length;
	kiln_strbuf_adds(&record->text, "\n");
}

static unsigned add_settings(struct kiln_record *record, const char *settings)
{
	unsigned number;

	if (find_text(record, &record->verdicts, settings, &number))
		return number;
	kiln_strbuf_addf(&record->text, "verdict\t%u", number);
	add_text(record, &record->verdicts, settings);
	return number;
}

/*
 * The number that VERDICT has here: its own depends on the order in which the
 * decider was asked, and tells apart what different lines say.
 */
static unsigned add_verdict(struct kiln_record *record, const struct kiln_verdict *verdict)
{
	struct kiln_strbuf settings;

	if (verdict->number >= record->nr_numbers && !grow_numbers(record, verdict->number + 1))
		return 0;
	if (!record->numbers[verdict->number]) {
		kiln_strbuf_init(&settings);
		describe(&settings, verdict);
		record->text.failed |= settings.failed;
		record->numbers[verdict->number] =
			1 + add_settings(record, settings.length ? settings.data + 1 : "");
		kiln_strbuf_release(&settings);
	}
	return record->numbers[verdict->number] - 1;
}

/* 0: the unit's source. */
static unsigned add_file(struct kiln_record *record, const char *file)
{
	const char *source = record->unit->source;
	unsigned number;

	if (!file || (source && !strcmp(file, source)))
		return 0;
	if (!find_text(record, &record->files, file, &number)) {
		kiln_strbuf_adds(&record->text, "file");
		add_text(record, &record->files, file);
	}
	return number + 1;
}

void kiln_record_begin(struct kiln_record *record, const struct kiln_unit *unit,
		       const struct kiln_verdict *verdict)
{
	*record = (struct kiln_record){.unit = unit};
	kiln_strbuf_init(&record->text);
	kiln_strbuf_addf(&record->text, "%s\t%s\nunit", kind_line, version);
	kiln_line_add_field(&record->text, unit->source);
	kiln_line_add_field(&record->text, unit->object);
	kiln_line_add_field(&record->text, unit->arch ? unit->arch->names[0] : NULL);
	kiln_strbuf_adds(&record->text, "\n");
	add_verdict(record, verdict);
}

void kiln_record_stamp(struct kiln_record *record, const char *digest)
{
	kiln_strbuf_adds(&record->text, "stamp");
	kiln_line_add_field(&record->text, digest);
	kiln_strbuf_adds(&record->text, "\n");
}

/* A rule that says leave, or NULL, in letters. */
static const char *how_by_rule(const struct kiln_rule *rule)
{
	if (!rule)
		return "";
	return kiln_rule_names(rule, KILN_SECTION) ? "rs" : "r";
}

/* The letters; "" for none. */
static void describe_how(char *letters, size_t size, const struct kiln_function *function,
			 const struct kiln_record_how *how)
{
	snprintf(letters, size, "%s%s%s%s%s", function->is_copied ? "c" : "", how_by_rule(how->rule),
		 how->left ? "l" : "", how->left && how->by_asm ? "m" : "",
		 how->always_inline ? "a" : "");
}

unsigned kiln_record_function(struct kiln_record *record, const struct kiln_function *function,
			      const struct kiln_verdict *verdict, const struct kiln_record_how *how)
{
	struct kiln_strbuf *text = &record->text;
	unsigned number = add_verdict(record, verdict), file = add_file(record, function->file);
	char letters[8];

	describe_how(letters, sizeof(letters), function, how);
	kiln_strbuf_adds(text, "function");
	kiln_line_add_field(text, function->name);
	if (number || *letters || file || function->section)
		kiln_strbuf_addf(text, "\t%u", number);
	if (*letters || file || function->section)
		kiln_line_add_field(text, *letters ? letters : NULL);
	if (file)
		kiln_strbuf_addf(text, "\t%u", file);
	else if (function->section)
		kiln_line_add_field(text, NULL);
	if (function->section)
		kiln_line_add_field(text, function->section);
	kiln_strbuf_adds(text, "\n");
	return record->nr_functions++;
}

/* Has the unit a function that is called like this? */
static bool names_one(const char *glob, const char *const *names, size_t nr_names)
{
	for (size_t i = 0; i < nr_names; i++) {
		if (kiln_glob_match(glob, names[i]))
			return true;
	}
	return false;
}

static void describe_calls(struct kiln_strbuf *sb, unsigned function, const struct kiln_calls *calls,
			   const char *const *names, size_t nr_names)
{
	for (size_t i = 0; i < calls->nr_rules; i++) {
		const struct kiln_rule *rule = calls->rules[i];
		const char *glob = kiln_call_rule_callee(rule);

		if (!names_one(glob, names, nr_names))
			continue;
		kiln_strbuf_addf(sb, "calls\t%u", function);
		kiln_line_add_field(sb, glob);
		kiln_line_add_field(sb, kiln_what_name(rule->settings[rule->nr_settings - 1].what));
		kiln_strbuf_adds(sb, "\n");
	}
}

void kiln_record_calls(struct kiln_record *record, unsigned function, const struct kiln_calls *calls,
		       const char *const *names, size_t nr_names)
{
	describe_calls(&record->text, function, calls, names, nr_names);
}

void kiln_record_end(struct kiln_record *record)
{
	kiln_strbuf_adds(&record->text, "end\n");
}

void kiln_record_release(struct kiln_record *record)
{
	kiln_strbuf_release(&record->text);
	free(record->numbers);
	free(record->verdicts.texts);
	free(record->files.texts);
	*record = (struct kiln_record){.text = record->text};
}

/* ---- reading ---- */

/* What a verdict's line says. */
struct said {
	char *settings; /* NULL: there was no such line */
	const struct kiln_verdict *same; /* of today's, the last that says the same; or NULL */
};

/* A function whose calls there may be rules for. */
struct caller {
	struct kiln_function function;
	bool left;
};

/* What the lines so far told. */
struct reader {
	struct kiln_lines lines;
	struct kiln_unit unit;
	struct kiln_decider *decider;
	const char *digest; /* of today's policy, or NULL */
	struct said *said; /* of each verdict's number */
	const char **files; /* of each number, less 1 */
	size_t nr_files;
	size_t limit; /* of numbers: so many lines there are before the decisions */
	size_t nr_functions;
	const char *why; /* the line is bad */
	struct kiln_strbuf now;
	/* Of the functions so far, where the policy has rules for calls. */
	struct caller *callers;
	struct kiln_strbuf calls; /* what lines of `calls` say */
};

/* NULL for what is not known. */
static const char *known(const char *field)
{
	return strcmp(field, "-") == 0 ? NULL : field;
}

/* A verdict and a file take a line, and so does all that they are given to. */
static size_t count_lines(const struct kiln_lines *lines)
{
	size_t count = 0;

	for (const char *p = lines->next;
	     (p = (const char *)memchr(p, '\n', (size_t)(lines->end - p))); p++) {
		count++;
		if (lines->end - p > 11 && !memcmp(p, "\ndecisions\n", 11))
			break;
	}
	return count;
}

static bool read_head(struct reader *reader)
{
	struct kiln_lines *lines = &reader->lines;
	bool whole = kiln_lines_end_with(lines, "end");

	reader->why = "this is no record of Kiln";
	if (!kiln_lines_read(lines) || strcmp(lines->fields[0], kind_line) != 0)
		return false;
	reader->why = "this is a record of another version";
	if (!kiln_lines_are(lines, kind_line, 2) || strcmp(lines->fields[1], version) != 0)
		return false;
	reader->why = "the record was cut, its last line is not 'end'";
	if (!whole)
		return false;
	reader->why = "this is no line that tells of the unit";
	if (!kiln_lines_read(lines) || !kiln_lines_are(lines, "unit", 4))
		return false;
	reader->why = NULL;
	reader->unit.source = known(lines->fields[1]);
	reader->unit.object = known(lines->fields[2]);
	reader->unit.arch = kiln_arch_find(lines->fields[3]);
	return true;
}

/* -1: out of memory. */
static int prepare(struct reader *reader)
{
	kiln_strbuf_init(&reader->calls);
	if (!read_head(reader))
		return 0;
	reader->limit = count_lines(&reader->lines);
	reader->said = (struct said *)calloc(reader->limit + 1, sizeof(*reader->said));
	reader->files = (const char **)calloc(reader->limit + 1, sizeof(*reader->files));
	return reader->said && reader->files ? 0 : -1;
}

static void release(struct reader *reader)
{
	kiln_strbuf_release(&reader->calls);
	free(reader->callers);
	free(reader->said);
	free(reader->files);
}

/* The next line of the policy's part. False: there is none, which may be a fault. */
static bool next_line(struct reader *reader)
{
	struct kiln_lines *lines = &reader->lines;

	if (!kiln_lines_read(lines)) {
		reader->why = "this is no line of a record";
		return false;
	}
	if (!kiln_lines_are(lines, "decisions", 1) && !kiln_lines_are(lines, "end", 1))
		return true;
	if (!reader->said[0].settings)
		reader->why = "the unit's verdict, number 0, must come before this line";
	return false;
}

/* What a field of a function's line says, or would. */
static const char *field_or(const struct kiln_lines *lines, size_t index, const char *otherwise)
{
	return index < lines->nr_fields ? lines->fields[index] : otherwise;
}

/* What the line of a function says; its verdict's number and its file must have come before. */
static bool read_function(struct reader *reader, struct kiln_function *ret_function,
			  struct said **ret_said, const char **ret_how)
{
	const struct kiln_lines *lines = &reader->lines;
	const char *file = known(field_or(lines, 4, "-"));
	size_t number, file_number = 0;

	if (lines->nr_fields < 2 || lines->nr_fields > 6 ||
	    !kiln_lines_number(field_or(lines, 2, "0"), reader->limit, &number) ||
	    !reader->said[number].settings)
		return false;
	if (file && (!kiln_lines_number(file, reader->nr_files + 1, &file_number) || !file_number))
		return false;
	reader->nr_functions++;
	*ret_said = &reader->said[number];
	*ret_how = field_or(lines, 3, "-");
	*ret_function = (struct kiln_function){
		.name = lines->fields[1],
		.file = file ? reader->files[file_number - 1] : reader->unit.source,
		.section = known(field_or(lines, 5, "-")),
		.is_copied = strchr(*ret_how, 'c') != NULL,
	};
	return true;
}

/* Keeps the settings of a verdict's line. The unit's is the first. */
static bool read_verdict(struct reader *reader, size_t *ret_number)
{
	const struct kiln_lines *lines = &reader->lines;

	if (lines->nr_fields != 3 || !kiln_lines_number(lines->fields[1], reader->limit, ret_number) ||
	    reader->said[*ret_number].settings || (*ret_number && !reader->said[0].settings))
		return false;
	reader->said[*ret_number].settings = lines->fields[2];
	return true;
}

/* Keeps the name of a file's line. There are fewer than lines. */
static bool read_file(struct reader *reader)
{
	if (reader->lines.nr_fields != 2)
		return false;
	reader->files[reader->nr_files++] = reader->lines.fields[1];
	return true;
}

static bool is_kind(const struct reader *reader, const char *kind)
{
	return strcmp(reader->lines.fields[0], kind) == 0;
}

/* Keeps what the line of `calls` says. Functions have come before. */
static bool read_calls(struct reader *reader)
{
	const struct kiln_lines *lines = &reader->lines;
	size_t number;

	if (lines->nr_fields != 4 || !kiln_lines_number(lines->fields[1], reader->nr_functions, &number) ||
	    (strcmp(lines->fields[3], "inline") != 0 && strcmp(lines->fields[3], "noinline") != 0))
		return false;
	kiln_strbuf_addf(&reader->calls, "calls\t%zu", number);
	kiln_line_add_field(&reader->calls, lines->fields[2]);
	kiln_line_add_field(&reader->calls, lines->fields[3]);
	kiln_strbuf_adds(&reader->calls, "\n");
	return true;
}

static bool is_stamp(const struct reader *reader)
{
	return is_kind(reader, "stamp") && reader->lines.nr_fields == 2;
}

/* ---- comparing ---- */

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
	bool same = !reader->digest || !strcmp(reader->lines.fields[1], reader->digest);

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
	const struct kiln_verdict *verdict;
	struct kiln_function function;
	const struct kiln_rule *rule;
	struct said *said;
	const char *how;

	if (!read_function(reader, &function, &said, &how)) {
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
	if (reader->callers)
		reader->callers[reader->nr_functions - 1] =
			(struct caller){.function = function, .left = strchr(how, 'l') != NULL};
	return 0;
}

static int compare_line(struct reader *reader, enum kiln_record_state *ret_state)
{
	if (is_kind(reader, "function"))
		return compare_function(reader, ret_state);
	if (is_kind(reader, "verdict"))
		*ret_state = compare_verdict(reader);
	else if (is_stamp(reader))
		*ret_state = compare_stamp(reader);
	else if (is_kind(reader, "calls"))
		*ret_state = read_calls(reader) ? KILN_RECORD_HOLDS : KILN_RECORD_BAD;
	else if (!is_kind(reader, "file") || !read_file(reader))
		*ret_state = KILN_RECORD_BAD;
	return 0;
}

/* What rules say of single calls depends on all functions that there are. */
static int compare_calls(struct reader *reader, enum kiln_record_state *ret_state)
{
	size_t count = reader->callers ? reader->nr_functions : 0;
	const char **names = (const char **)calloc(count + 1, sizeof(*names));
	struct kiln_strbuf *now = &reader->now;
	struct kiln_calls calls;
	int failed = names ? 0 : -1;

	for (size_t i = 0; names && i < count; i++)
		names[i] = reader->callers[i].function.name;
	kiln_strbuf_reset(now);
	for (size_t i = 0; !failed && i < count; i++) {
		const struct caller *caller = &reader->callers[i];

		failed = kiln_decider_calls(reader->decider, &caller->function, caller->left, &calls);
		if (!failed)
			describe_calls(now, (unsigned)i, &calls, names, count);
	}
	free(names);
	if (failed || now->failed || reader->calls.failed)
		return -1;
	if (now->length != reader->calls.length ||
	    (now->length && memcmp(now->data, reader->calls.data, now->length) != 0))
		*ret_state = KILN_RECORD_STALE;
	return 0;
}

/* Until the first line that shows a difference, or the end of the policy's part. */
static int compare_lines(struct reader *reader, enum kiln_record_state *ret_state)
{
	*ret_state = KILN_RECORD_HOLDS;
	while (*ret_state == KILN_RECORD_HOLDS && next_line(reader)) {
		if (compare_line(reader, ret_state) || reader->now.failed)
			return -1;
	}
	if (reader->why)
		*ret_state = KILN_RECORD_BAD;
	return *ret_state == KILN_RECORD_HOLDS ? compare_calls(reader, ret_state) : 0;
}

static int start_deciding(struct reader *reader, const struct kiln_policy *policy)
{
	reader->decider = kiln_decider_new(policy, &reader->unit);
	if (!reader->decider)
		return -1;
	if (!kiln_decider_nr_call_rules(reader->decider))
		return 0;
	reader->callers = (struct caller *)calloc(reader->limit + 1, sizeof(*reader->callers));
	return reader->callers ? 0 : -1;
}

int kiln_record_compare(char *text, size_t length, const struct kiln_policy *policy,
			const char *digest, enum kiln_record_state *ret_state)
{
	struct reader reader = {.lines = {.next = text, .end = text + length}, .digest = digest};
	int failed;

	kiln_strbuf_init(&reader.now);
	failed = prepare(&reader);
	*ret_state = reader.why ? KILN_RECORD_BAD : KILN_RECORD_HOLDS;
	if (!failed && !reader.why)
		failed = start_deciding(&reader, policy) || compare_lines(&reader, ret_state) ? -1 : 0;
	kiln_strbuf_release(&reader.now);
	kiln_decider_free(reader.decider);
	release(&reader);
	return failed;
}

/* ---- visiting ---- */

static bool visit_function(struct reader *reader, struct kiln_record_visitor *visitor)
{
	struct kiln_function function;
	struct said *said;

	if (!read_function(reader, &function, &said, &visitor->how))
		return false;
	visitor->visit(visitor, &reader->unit, &function, said->settings,
		       strchr(visitor->how, 'l') != NULL);
	return true;
}

static bool visit_line(struct reader *reader, struct kiln_record_visitor *visitor)
{
	size_t number;

	if (is_kind(reader, "function"))
		return visit_function(reader, visitor);
	if (is_stamp(reader))
		return true;
	if (is_kind(reader, "calls"))
		return read_calls(reader);
	if (is_kind(reader, "file"))
		return read_file(reader);
	if (!is_kind(reader, "verdict") || !read_verdict(reader, &number))
		return false;
	if (!number)
		visitor->visit(visitor, &reader->unit, NULL, reader->lines.fields[2], false);
	return true;
}

static int visit_lines(struct reader *reader, struct kiln_record_visitor *visitor)
{
	while (next_line(reader)) {
		if (visit_line(reader, visitor))
			continue;
		reader->why = "this line does not say what a line of its kind says";
		return 0;
	}
	if (reader->why || !visitor->decide || is_kind(reader, "end"))
		return 0;
	return kiln_decisions_visit(&reader->lines, reader->nr_functions, visitor, &reader->why);
}

int kiln_record_visit(char *text, size_t length, struct kiln_record_visitor *visitor,
		      enum kiln_record_state *ret_state)
{
	struct reader reader = {.lines = {.next = text, .end = text + length}};
	int failed = prepare(&reader);

	if (!failed && !reader.why)
		failed = visit_lines(&reader, visitor);
	*ret_state = reader.why ? KILN_RECORD_BAD : KILN_RECORD_HOLDS;
	visitor->line = reader.lines.line;
	visitor->why = reader.why;
	release(&reader);
	return failed;
}
