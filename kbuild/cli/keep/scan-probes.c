// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Notations of probes: tracefs, perf probe, bpftrace, SystemTap, lists of names.
 */
#include "keep.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Bytes that a name or a glob may consist of, as tools write them. */
static bool is_name_byte(char c)
{
	return keep_is_letter(c) || keep_is_digit(c) || c == '$' || c == '.';
}

static bool is_glob_byte(char c)
{
	return c && (is_name_byte(c) || strchr("*?[]!^-", c));
}

static size_t name_span(const char *text)
{
	size_t length = 0;

	while (is_name_byte(text[length]))
		length++;
	return length;
}

static const char *skip_blanks(const char *text)
{
	while (is_blank(*text))
		text++;
	return text;
}

/* The same, within a line. */
static const char *skip_line_blanks(const char *text)
{
	while (*text != '\n' && is_blank(*text))
		text++;
	return text;
}

static const char *skip_word(const char *text)
{
	while (*text && !is_blank(*text))
		text++;
	return text;
}

/* ---- tracefs ---- */

/* The end of "p:group/event", "r10" or "f"; NULL: it is no probe of a function. */
static const char *skip_probe_type(const char *text)
{
	if (*text == '^')
		text++;
	if (*text != 'p' && *text != 'r' && *text != 'f')
		return NULL;
	for (text++; keep_is_digit(*text) || *text == '^'; text++)
		;
	if (*text == ':')
		return skip_word(text);
	return is_blank(*text) ? text : NULL;
}

/* A '^' in it marks the place of an error that the kernel is to report. */
static void read_definition(const struct keep_source *source, const char *text)
{
	size_t length;

	text = skip_probe_type(skip_line_blanks(text));
	if (!text)
		return;
	text = skip_line_blanks(text);
	if (*text == '^')
		text++;
	length = name_span(text);
	if (text[length] == ':') {
		text += length + 1;
		length = name_span(text);
	}
	if (!text[length] || is_blank(text[length]) || strchr("+%^", text[length]))
		keep_add(source, text, length);
}

void keep_scan_definition(const struct keep_source *source, const char *text)
{
	read_definition(source, text);
	while ((text = strchr(text, '\n')))
		read_definition(source, ++text);
}

void keep_scan_filter(const struct keep_source *source, const char *text)
{
	for (text = skip_blanks(text); *text; text = skip_blanks(text)) {
		size_t length = 0;

		if (*text == '!')
			text++;
		while (is_glob_byte(text[length]))
			length++;
		if (!text[length] || is_blank(text[length]) || text[length] == ':')
			keep_add(source, text, length);
		text = skip_word(text);
	}
}

/* ---- perf probe ---- */

/* "group:event=" before a name may be left out; ";pattern" after it may have a '='. */
void keep_scan_perf(const struct keep_source *source, const char *text)
{
	const char *end = skip_word(skip_blanks(text));
	size_t event, length = 0;

	text = skip_blanks(text);
	event = strcspn(text, "=;");
	if (text + event < end && text[event] == '=')
		text += event + 1;
	while (is_glob_byte(text[length]) && text[length] != '.')
		length++;
	if (text + length == end || strchr("@+%:;", text[length]))
		keep_add(source, text, length);
}

/* ---- bpftrace ---- */

static const char *const bpftrace_types[] = {
	"fentry", "fexit", "k", "kfunc", "kprobe", "kr", "kretfunc", "kretprobe",
};

static bool is_bpftrace_type(const char *text, size_t length)
{
	for (size_t i = 0; i < sizeof(bpftrace_types) / sizeof(bpftrace_types[0]); i++) {
		if (strlen(bpftrace_types[i]) == length && !memcmp(bpftrace_types[i], text, length))
			return true;
	}
	return false;
}

/*
 * "kprobe:module:name+4"; the name, and an address instead of one, may have quotes,
 * and a predicate, "/pid == 1/", may follow without a blank.
 */
static void read_attach_point(const struct keep_source *source, const char *text, size_t length)
{
	const char *colon = (const char *)memchr(text, ':', length);
	const char *slash = (const char *)memchr(text, '/', length);
	const char *end = slash ? slash : text + length;
	bool is_quoted;
	size_t name = 0;

	if (!colon || !is_bpftrace_type(text, (size_t)(colon - text)))
		return;
	for (const char *p = colon; p < end; p++) {
		if (*p == ':')
			colon = p;
	}
	text = colon + 1;
	is_quoted = text < end && *text == '"';
	text += is_quoted;
	while (text + name < end && is_glob_byte(text[name]))
		name++;
	if (text + name == end || text[name] == '+' || (is_quoted && text[name] == '"'))
		keep_add(source, text, name);
}

/* The end of a comment that begins at P, or P. */
static const char *skip_comment(const char *p, const char *end, bool has_hash)
{
	const char *found;

	if (has_hash && *p == '#') {
		found = (const char *)memchr(p, '\n', (size_t)(end - p));
		return found ? found : end;
	}
	if (end - p < 2 || *p != '/' || (p[1] != '/' && p[1] != '*'))
		return p;
	if (p[1] == '/') {
		found = (const char *)memchr(p, '\n', (size_t)(end - p));
		return found ? found : end;
	}
	found = (const char *)memmem(p + 2, (size_t)(end - p) - 2, "*/", 2);
	return found ? found + 2 : end;
}

/* The end of a string whose first quote P is at. */
static const char *skip_string(const char *p, const char *end)
{
	for (p++; p < end && *p != '"' && *p != '\n'; p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
	}
	return p < end ? p + 1 : end;
}

/* The end of a block whose first brace P is at. */
static const char *skip_block(const char *p, const char *end)
{
	int depth = 0;

	while (p < end) {
		const char *after = skip_comment(p, end, false);

		if (after > p) {
			p = after;
			continue;
		}
		if (*p == '"') {
			p = skip_string(p, end);
			continue;
		}
		depth += *p == '{';
		depth -= *p == '}';
		p++;
		if (!depth)
			break;
	}
	return p;
}

static bool ends_attach_point(const char *p)
{
	return is_blank(*p) || *p == ',' || *p == '{';
}

/* Does the brace at P begin a shell's "{read,write}"? No block begins so. */
static bool begins_choice(const char *p)
{
	for (p++; is_glob_byte(*p); p++)
		;
	return *p == ',';
}

/* The attach point at P: its end. Part of a name before a choice is none. */
static const char *take_attach_point(const struct keep_source *source, const char *p,
				     const char *end)
{
	const char *begin = p;

	while (p < end && !ends_attach_point(p))
		p = *p == '"' ? skip_string(p, end) : p + 1;
	if (p == end || *p != '{' || !begins_choice(p))
		read_attach_point(source, begin, (size_t)(p - begin));
	return p;
}

/* Probes stand outside of braces, and so do predicates, which look like none. */
void keep_scan_bpftrace(const struct keep_source *source, const char *text, size_t length)
{
	const char *p = text, *end = text + length;

	while (p < end) {
		const char *after = skip_comment(p, end, true);

		if (after > p)
			p = after;
		else if (*p == '{')
			p = skip_block(p, end);
		else if (ends_attach_point(p))
			p++;
		else
			p = take_attach_point(source, p, end);
	}
}

/* ---- SystemTap ---- */

/*
 * A probe point is read word by word: which one it began with, and that of the
 * component that a string belongs to.
 *
 *	module("ext4").function("ext4_*@fs/ext4/file.c").return
 */
struct point {
	bool is_kernel;   /* began with kernel, module or kprobe */
	bool is_function; /* the last word is function or statement */
	bool follows_dot;
};

static bool is_one_of(const char *word, size_t length, const char *const *words)
{
	for (; *words; words++) {
		if (strlen(*words) == length && !memcmp(*words, word, length))
			return true;
	}
	return false;
}

static void read_component(struct point *point, const char *word, size_t length)
{
	static const char *const roots[] = {"kernel", "kprobe", "module", NULL};
	static const char *const functions[] = {"function", "statement", NULL};

	if (!point->follows_dot)
		point->is_kernel = is_one_of(word, length, roots);
	point->is_function = point->follows_dot && is_one_of(word, length, functions);
}

/* Up to '@': the file is not part of the name. */
static void read_pattern(const struct keep_source *source, const char *text, size_t length)
{
	size_t name = 0;

	while (name < length && is_glob_byte(text[name]))
		name++;
	if (name == length || text[name] == '@')
		keep_add(source, text, name);
}

static bool is_word_byte(char c)
{
	return is_name_byte(c) && c != '.';
}

void keep_scan_systemtap(const struct keep_source *source, const char *text, size_t length)
{
	const char *p = text, *end = text + length;
	struct point point = {false, false, false};

	while (p < end) {
		const char *after = skip_comment(p, end, true), *begin = p;

		if (after > p) {
			p = after;
		} else if (*p == '"') {
			p = skip_string(p, end);
			if (point.is_kernel && point.is_function && p - begin >= 2)
				read_pattern(source, begin + 1, (size_t)(p - begin) - 2);
			point.is_function = false;
		} else if (is_word_byte(*p)) {
			while (p < end && is_word_byte(*p))
				p++;
			read_component(&point, begin, (size_t)(p - begin));
			point.follows_dot = false;
		} else {
			point.follows_dot |= *p == '.';
			p++;
		}
	}
}

/* ---- lists ---- */

static const char advice[] =
	"a list has a function's name or a glob in each line, like 'vfs_read' or 'tcp_*', and "
	"perhaps a module '[ext4]' after it; other files are known by their suffix "
	"(.sh, .bt, .stp, .c, .policy) or by '#!'";

static void say_no_name(const struct keep_source *source, unsigned line, size_t column,
			const char *word, size_t length)
{
	kiln_report(source->sink, KILN_ERROR, source->path, line, (unsigned)column + 1,
		    "'%.*s' is no function's name: %s", (int)(length < 60 ? length : 60), word,
		    advice);
}

static void say_any_name(const struct keep_source *source, unsigned line, size_t column)
{
	kiln_report(source->sink, KILN_ERROR, source->path, line, (unsigned)column + 1,
		    "the glob would keep every function: put letters in it, or write 'all keep' in "
		    "a policy if that is meant");
}

/* After the name of a line nothing may stand but a module in brackets, or a comment. */
static const char *skip_module(const char *text)
{
	text = skip_blanks(text);
	if (*text == '[') {
		while (*text && *text != ']' && !is_blank(*text))
			text++;
		text = skip_blanks(text + (*text == ']'));
	}
	return *text == '#' ? text + strlen(text) : text;
}

/* LINE is a string. */
static void read_list_line(const struct keep_source *source, const char *line, unsigned number)
{
	const char *name = skip_blanks(line);
	const char *end = skip_word(name), *rest = skip_module(end);
	enum keep_verdict verdict;

	if (!*name || *name == '#')
		return;
	verdict = *rest ? KEEP_NAME : keep_add(source, name, (size_t)(end - name));
	if (*rest)
		say_no_name(source, number, (size_t)(rest - line), rest,
			    (size_t)(skip_word(rest) - rest));
	else if (verdict == KEEP_NO_NAME)
		say_no_name(source, number, (size_t)(name - line), name, (size_t)(end - name));
	else if (verdict == KEEP_ANY_NAME)
		say_any_name(source, number, (size_t)(name - line));
}

void keep_scan_list(const struct keep_source *source, const char *text, size_t length)
{
	const char *end = text + length;
	struct kiln_strbuf line;
	unsigned number = 0;

	kiln_strbuf_init(&line);
	while (text < end) {
		const char *newline = (const char *)memchr(text, '\n', (size_t)(end - text));
		const char *line_end = newline ? newline : end;

		number++;
		kiln_strbuf_truncate(&line, 0);
		kiln_strbuf_add(&line, text, (size_t)(line_end - text));
		if (memchr(line.data, '\0', line.length))
			say_no_name(source, number, strlen(line.data), "\\0", 2);
		else
			read_list_line(source, line.data, number);
		text = line_end + (newline != NULL);
	}
	if (line.failed)
		source->names->table.failed = true;
	kiln_strbuf_release(&line);
}
