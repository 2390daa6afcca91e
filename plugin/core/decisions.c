// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/decisions.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "decisions.h"
#include "lines.h"

#include "banned.h"

/* ---- writing ---- */

static void add_number(struct kiln_strbuf *sb, char before, long number)
{
	char digits[24];
	char *p = digits + sizeof(digits);
	unsigned long left = number < 0 ? -(unsigned long)number : (unsigned long)number;

	do
		*--p = (char)('0' + left % 10);
	while (left /= 10);
	if (number < 0)
		*--p = '-';
	*--p = before;
	kiln_strbuf_add(sb, p, (size_t)(digits + sizeof(digits) - p));
}

static void add_line(struct kiln_strbuf *sb, const char *kind, unsigned number)
{
	kiln_strbuf_adds(sb, kind);
	add_number(sb, '\t', number);
}

static void add_call(struct kiln_strbuf *sb, char before, const struct kiln_call *call)
{
	add_number(sb, before, call->callee);
	add_number(sb, ':', call->line);
	if (call->has_growth)
		add_number(sb, ':', call->growth);
}

static void add_calls(struct kiln_strbuf *sb, const struct kiln_call *calls, size_t nr_calls)
{
	for (size_t i = 0; i < nr_calls; i++)
		add_call(sb, i ? ' ' : '\t', &calls[i]);
	kiln_strbuf_adds(sb, "\n");
}

void kiln_record_decisions(struct kiln_record *record)
{
	kiln_strbuf_adds(&record->text, "decisions\n");
}

void kiln_record_flags(struct kiln_record *record, const char *settings)
{
	kiln_strbuf_adds(&record->text, "flags");
	kiln_line_add_field(&record->text, settings);
	kiln_strbuf_adds(&record->text, "\n");
}

unsigned kiln_record_name(struct kiln_record *record, const char *name)
{
	kiln_strbuf_adds(&record->text, "name");
	kiln_line_add_field(&record->text, name);
	kiln_strbuf_adds(&record->text, "\n");
	return record->nr_functions++;
}

void kiln_record_clone(struct kiln_record *record, unsigned clone, unsigned origin, const char *kind)
{
	add_line(&record->text, "clone", clone);
	add_number(&record->text, '\t', origin);
	kiln_line_add_field(&record->text, kind);
	kiln_strbuf_adds(&record->text, "\n");
}

void kiln_record_merged(struct kiln_record *record, unsigned function, unsigned into)
{
	add_line(&record->text, "merged", function);
	add_number(&record->text, '\t', into);
	kiln_strbuf_adds(&record->text, "\n");
}

void kiln_record_early(struct kiln_record *record, unsigned body, const struct kiln_call *calls,
		       size_t nr_calls)
{
	add_line(&record->text, "early", body);
	add_calls(&record->text, calls, nr_calls);
}

unsigned kiln_record_copy(struct kiln_record *record, unsigned body, const struct kiln_call *call,
			  bool early)
{
	add_line(&record->text, early ? "within" : "inlined", body);
	add_calls(&record->text, call, 1);
	return record->nr_functions++;
}

unsigned kiln_record_reason(struct kiln_record *record, const char *reason, const char *param,
			    int value)
{
	kiln_strbuf_adds(&record->text, "reason");
	kiln_line_add_field(&record->text, reason);
	kiln_line_add_field(&record->text, param);
	if (param)
		add_number(&record->text, '=', value);
	kiln_strbuf_adds(&record->text, "\n");
	return record->nr_reasons++;
}

void kiln_record_refused(struct kiln_record *record, unsigned body, unsigned reason,
			 const struct kiln_call *calls, size_t nr_calls)
{
	add_line(&record->text, "refused", body);
	add_number(&record->text, '\t', reason);
	add_calls(&record->text, calls, nr_calls);
}

void kiln_record_ruled(struct kiln_record *record, unsigned function, unsigned callee,
		       enum kiln_what what, const char *why)
{
	add_line(&record->text, "ruled", function);
	add_number(&record->text, '\t', callee);
	kiln_line_add_field(&record->text, kiln_what_name(what));
	if (why)
		kiln_line_add_field(&record->text, why);
	kiln_strbuf_adds(&record->text, "\n");
}

void kiln_record_size(struct kiln_record *record, unsigned function, const struct kiln_sizes *sizes)
{
	add_line(&record->text, "size", function);
	add_number(&record->text, '\t', sizes->size);
	add_number(&record->text, '\t', sizes->time);
	if (sizes->is_left) {
		add_number(&record->text, '\t', sizes->size_after);
		add_number(&record->text, '\t', sizes->time_after);
	}
	kiln_strbuf_adds(&record->text, "\n");
}

void kiln_record_code(struct kiln_record *record, unsigned function, const struct kiln_code *code)
{
	char letters[5], *p = letters;

	if (code->traceable)
		*p++ = 't';
	if (code->has_cold)
		*p++ = 'c';
	if (code->is_dynamic)
		*p++ = 'd';
	if (code->is_bounded)
		*p++ = 'b';
	*p = '\0';
	add_line(&record->text, "code", function);
	if (code->frame < 0)
		kiln_line_add_field(&record->text, NULL);
	else
		add_number(&record->text, '\t', code->frame);
	if (*letters || code->section)
		kiln_line_add_field(&record->text, *letters ? letters : NULL);
	if (code->section)
		kiln_line_add_field(&record->text, code->section);
	kiln_strbuf_adds(&record->text, "\n");
}

/* ---- reading ---- */

struct reason {
	const char *text, *limit;
};

struct reader {
	struct kiln_lines *lines;
	struct kiln_record_visitor *visitor;
	size_t nr_functions; /* and copies */
	struct reason *reasons;
	size_t nr_reasons, capacity;
	bool no_memory;
	struct kiln_decision decision;
};

static bool read_function(const struct reader *reader, size_t field, unsigned *ret_number)
{
	size_t number;

	if (!kiln_lines_number(reader->lines->fields[field], reader->nr_functions, &number))
		return false;
	*ret_number = (unsigned)number;
	return true;
}

/* Ends at END; may be negative. */
static bool read_int(const char *text, char end, int *ret_number, const char **ret_next)
{
	bool negative = *text == '-';
	long number = 0;

	if (text[negative] < '0' || text[negative] > '9')
		return false;
	for (text += negative; *text >= '0' && *text <= '9'; text++) {
		number = 10 * number + (*text - '0');
		if (number > INT_MAX)
			return false;
	}
	if (*text != end && *text)
		return false;
	*ret_number = (int)(negative ? -number : number);
	*ret_next = text + (*text != '\0');
	return true;
}

/* The call that TEXT begins with; NULL: it begins with none. */
static const char *read_call(struct reader *reader, const char *text)
{
	struct kiln_call *call = &reader->decision.call;
	size_t length = strcspn(text, " ");
	int callee, line;

	*call = (struct kiln_call){.callee = 0};
	if (!read_int(text, ':', &callee, &text) || callee < 0 ||
	    (size_t)callee >= reader->nr_functions)
		return NULL;
	call->has_growth = memchr(text, ':', strcspn(text, " ")) != NULL;
	if (!length || !read_int(text, call->has_growth ? ':' : ' ', &line, &text) || line < 0)
		return NULL;
	if (call->has_growth && !read_int(text, ' ', &call->growth, &text))
		return NULL;
	call->callee = (unsigned)callee;
	call->line = (unsigned)line;
	return text;
}

static void tell(struct reader *reader, enum kiln_decision_kind kind)
{
	reader->decision.kind = kind;
	reader->visitor->decide(reader->visitor, &reader->decision);
}

static bool tell_calls(struct reader *reader, enum kiln_decision_kind kind, const char *text)
{
	while (*text) {
		text = read_call(reader, text);
		if (!text)
			return false;
		tell(reader, kind);
	}
	return true;
}

static bool see_flags(struct reader *reader)
{
	reader->decision.text = reader->lines->fields[1];
	tell(reader, KILN_DECIDED_FLAGS);
	return true;
}

static bool see_name(struct reader *reader)
{
	reader->decision.number = (unsigned)reader->nr_functions++;
	reader->decision.text = reader->lines->fields[1];
	tell(reader, KILN_DECIDED_NAME);
	return true;
}

static bool see_clone(struct reader *reader)
{
	if (!read_function(reader, 1, &reader->decision.number) ||
	    !read_function(reader, 2, &reader->decision.other))
		return false;
	reader->decision.text = reader->lines->fields[3];
	tell(reader, KILN_DECIDED_CLONE);
	return true;
}

static bool see_merged(struct reader *reader)
{
	if (!read_function(reader, 1, &reader->decision.number) ||
	    !read_function(reader, 2, &reader->decision.other))
		return false;
	tell(reader, KILN_DECIDED_MERGED);
	return true;
}

static bool see_early(struct reader *reader)
{
	return read_function(reader, 1, &reader->decision.body) &&
	       tell_calls(reader, KILN_DECIDED_EARLY, reader->lines->fields[2]);
}

static bool see_copy(struct reader *reader, enum kiln_decision_kind kind)
{
	const char *text = reader->lines->fields[2];

	if (!read_function(reader, 1, &reader->decision.body))
		return false;
	text = read_call(reader, text);
	if (!text || *text)
		return false;
	reader->decision.number = (unsigned)reader->nr_functions++;
	tell(reader, kind);
	return true;
}

static bool see_within(struct reader *reader)
{
	return see_copy(reader, KILN_DECIDED_WITHIN);
}

static bool see_inlined(struct reader *reader)
{
	return see_copy(reader, KILN_DECIDED_INLINED);
}

static bool see_reason(struct reader *reader)
{
	char **fields = reader->lines->fields;

	if (reader->nr_reasons == reader->capacity) {
		size_t capacity = reader->capacity ? 2 * reader->capacity : 16;
		struct reason *grown =
			(struct reason *)realloc(reader->reasons, capacity * sizeof(*grown));

		reader->no_memory = !grown;
		if (!grown)
			return false;
		reader->reasons = grown;
		reader->capacity = capacity;
	}
	reader->reasons[reader->nr_reasons++] =
		(struct reason){fields[1], strcmp(fields[2], "-") == 0 ? NULL : fields[2]};
	return true;
}

static bool see_refused(struct reader *reader)
{
	char **fields = reader->lines->fields;
	size_t reason;

	if (!read_function(reader, 1, &reader->decision.body) ||
	    !kiln_lines_number(fields[2], reader->nr_reasons, &reason))
		return false;
	reader->decision.text = reader->reasons[reason].text;
	reader->decision.limit = reader->reasons[reason].limit;
	return tell_calls(reader, KILN_DECIDED_REFUSED, fields[3]);
}

static bool see_ruled(struct reader *reader)
{
	const struct kiln_lines *lines = reader->lines;

	if (!read_function(reader, 1, &reader->decision.number) ||
	    !read_function(reader, 2, &reader->decision.other))
		return false;
	reader->decision.text = lines->fields[3];
	reader->decision.why = lines->nr_fields > 4 ? lines->fields[4] : NULL;
	tell(reader, KILN_DECIDED_RULED);
	return true;
}

static bool see_size(struct reader *reader)
{
	struct kiln_sizes *sizes = &reader->decision.sizes;
	char **fields = reader->lines->fields;
	const char *next;

	sizes->is_left = reader->lines->nr_fields == 6;
	if (reader->lines->nr_fields == 5 || !read_function(reader, 1, &reader->decision.number) ||
	    !read_int(fields[2], '\0', &sizes->size, &next) ||
	    !read_int(fields[3], '\0', &sizes->time, &next))
		return false;
	if (sizes->is_left && (!read_int(fields[4], '\0', &sizes->size_after, &next) ||
			       !read_int(fields[5], '\0', &sizes->time_after, &next)))
		return false;
	tell(reader, KILN_DECIDED_SIZE);
	return true;
}

static bool see_code(struct reader *reader)
{
	struct kiln_code *code = &reader->decision.code;
	const struct kiln_lines *lines = reader->lines;
	const char *how = lines->nr_fields > 3 ? lines->fields[3] : "", *next;
	int frame = -1;

	if (!read_function(reader, 1, &reader->decision.number) ||
	    (strcmp(lines->fields[2], "-") != 0 &&
	     (!read_int(lines->fields[2], '\0', &frame, &next) || frame < 0)))
		return false;
	*code = (struct kiln_code){
		.frame = frame,
		.traceable = strchr(how, 't') != NULL,
		.has_cold = strchr(how, 'c') != NULL,
		.is_dynamic = strchr(how, 'd') != NULL,
		.is_bounded = strchr(how, 'b') != NULL,
		.section = lines->nr_fields > 4 ? lines->fields[4] : NULL,
	};
	tell(reader, KILN_DECIDED_CODE);
	return true;
}

/* Sorted by what is most frequent. */
static const struct {
	const char *kind;
	size_t least, most; /* fields */
	bool (*see)(struct reader *reader);
} kinds[] = {
	{"size", 4, 6, see_size},     {"early", 3, 3, see_early},   {"within", 3, 3, see_within},
	{"inlined", 3, 3, see_inlined}, {"refused", 4, 4, see_refused}, {"code", 3, 5, see_code},
	{"name", 2, 2, see_name},     {"clone", 4, 4, see_clone},   {"merged", 3, 3, see_merged},
	{"flags", 2, 2, see_flags},     {"reason", 3, 3, see_reason}, {"ruled", 4, 5, see_ruled},
};

static bool see_line(struct reader *reader)
{
	size_t nr_fields = reader->lines->nr_fields;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(reader->lines->fields[0], kinds[i].kind) == 0)
			return nr_fields >= kinds[i].least && nr_fields <= kinds[i].most &&
			       kinds[i].see(reader);
	}
	return false;
}

static bool see_lines(struct reader *reader)
{
	while (kiln_lines_read(reader->lines)) {
		if (kiln_lines_are(reader->lines, "end", 1))
			return true;
		reader->decision = (struct kiln_decision){.number = 0};
		if (!see_line(reader))
			return false;
	}
	return false;
}

int kiln_decisions_visit(struct kiln_lines *lines, size_t nr_functions,
			 struct kiln_record_visitor *visitor, const char **ret_why)
{
	struct reader reader = {.lines = lines, .visitor = visitor, .nr_functions = nr_functions};

	if (!see_lines(&reader))
		*ret_why = "this line does not say what a line of its kind says";
	free(reader.reasons);
	return reader.no_memory ? -1 : 0;
}
