// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * C: what names functions by anchors, words after which a name is to be found.
 *
 *	BTF_ID_FLAGS(func, name, flags)		.old_name = "name",
 *	ALLOW_ERROR_INJECTION(name, ERRNO);	SEC("fentry/name")
 *
 * Comments are skipped, and so are preprocessor lines: in the body of a #define
 * the name is a parameter or pasted together. A name that is a macro or a
 * variable is followed when the file gives it a plain string.
 */
#include "keep.h"

#include <string.h>

/* ---- tokens ---- */

enum kind {
	END,
	WORD,   /* an identifier or a number */
	STRING, /* its text is without the quotes, escapes as written */
	MARK,   /* any other byte */
};

struct token {
	enum kind kind;
	const char *text;
	size_t length;
};

struct lexer {
	const char *p;
	const char *end;
	bool at_line_start;
};

static bool is_word_byte(char c)
{
	return keep_is_letter(c) || keep_is_digit(c) || c == '$';
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool is_mark(const struct token *token, char mark)
{
	return token->kind == MARK && *token->text == mark;
}

static bool is_word(const struct token *token, const char *word)
{
	return token->kind == WORD && token->length == strlen(word) &&
	       !memcmp(token->text, word, token->length);
}

static bool starts(const struct lexer *lexer, const char *two)
{
	return lexer->end - lexer->p >= 2 && lexer->p[0] == two[0] && lexer->p[1] == two[1];
}

/* At the first byte of a comment. */
static void skip_comment(struct lexer *lexer)
{
	bool is_line = lexer->p[1] == '/';

	for (lexer->p += 2; lexer->p < lexer->end; lexer->p++) {
		if (is_line && *lexer->p == '\n')
			return;
		if (!is_line && starts(lexer, "*/")) {
			lexer->p += 2;
			return;
		}
	}
}

static bool at_comment(const struct lexer *lexer)
{
	return starts(lexer, "//") || starts(lexer, "/*");
}

/* A backslash and the line's end after it: its bytes, or 0. */
static ptrdiff_t continuation(const struct lexer *lexer)
{
	if (starts(lexer, "\\\n"))
		return 2;
	if (starts(lexer, "\\\r") && lexer->end - lexer->p >= 3 && lexer->p[2] == '\n')
		return 3;
	return 0;
}

/* The rest of a preprocessor line, comments and lines that continue it included. */
static void skip_line(struct lexer *lexer)
{
	while (lexer->p < lexer->end && *lexer->p != '\n') {
		if (at_comment(lexer))
			skip_comment(lexer);
		else
			lexer->p += continuation(lexer) ? continuation(lexer) : 1;
	}
}

static void skip_blanks(struct lexer *lexer)
{
	while (lexer->p < lexer->end) {
		if (at_comment(lexer))
			skip_comment(lexer);
		else if (continuation(lexer))
			lexer->p += continuation(lexer);
		else if (is_space(*lexer->p))
			lexer->at_line_start |= *lexer->p++ == '\n';
		else
			return;
	}
}

/* The quoted text at P, which ends at the quote, or at the line's end at the latest. */
static struct token quoted(struct lexer *lexer)
{
	char quote = *lexer->p++;
	struct token token = {quote == '"' ? STRING : MARK, lexer->p, 0};

	while (lexer->p < lexer->end && *lexer->p != quote && *lexer->p != '\n') {
		if (*lexer->p == '\\' && lexer->end - lexer->p >= 2)
			lexer->p++;
		lexer->p++;
	}
	token.length = (size_t)(lexer->p - token.text);
	if (lexer->p < lexer->end)
		lexer->p++;
	if (token.kind == MARK)
		token = (struct token){MARK, "'", 1};
	return token;
}

static struct token next_raw(struct lexer *lexer)
{
	struct token token = {END, "", 0};

	skip_blanks(lexer);
	if (lexer->p >= lexer->end)
		return token;
	if (*lexer->p == '"' || *lexer->p == '\'')
		return quoted(lexer);
	token = (struct token){MARK, lexer->p, 1};
	if (!is_word_byte(*lexer->p)) {
		lexer->p++;
		return token;
	}
	while (lexer->p < lexer->end && is_word_byte(*lexer->p))
		lexer->p++;
	return (struct token){WORD, token.text, (size_t)(lexer->p - token.text)};
}

/* ---- names of strings ---- */

struct constant {
	struct keep_entry entry;
	const char *text; /* in the file */
	size_t length;
};

struct scan {
	const struct keep_source *source;
	unsigned parts;
	struct lexer lexer;
	struct keep_table constants;
};

static void add_constant(struct scan *scan, const struct token *name, const struct token *string)
{
	struct constant *constant;

	constant = (struct constant *)keep_table_add(&scan->constants, name->text, name->length);
	if (!constant)
		return;
	constant->text = string->text;
	constant->length = string->length;
}

/* "define NAME "string"" and nothing else, after the '#'. */
static void read_definition(struct scan *scan)
{
	struct lexer lexer = scan->lexer;
	const char *line_end;
	struct token word, name, string;

	skip_line(&scan->lexer);
	line_end = scan->lexer.p;
	lexer.end = line_end;
	word = next_raw(&lexer);
	if (!is_word(&word, "define"))
		return;
	name = next_raw(&lexer);
	string = next_raw(&lexer);
	if (name.kind == WORD && string.kind == STRING && next_raw(&lexer).kind == END)
		add_constant(scan, &name, &string);
}

/* The next token of the C code itself. */
static struct token next(struct scan *scan)
{
	for (;;) {
		struct token token = next_raw(&scan->lexer);

		if (!is_mark(&token, '#') || !scan->lexer.at_line_start) {
			scan->lexer.at_line_start = false;
			return token;
		}
		read_definition(scan);
	}
}

/* ---- arguments ---- */

#define MAX_ARGUMENTS 4

/* A lone word, or strings next to each other of which the first is taken; else a MARK. */
struct arguments {
	struct token at[MAX_ARGUMENTS];
	size_t count;
};

static void add_token(struct arguments *arguments, const struct token *token, bool is_first)
{
	if (arguments->count > MAX_ARGUMENTS)
		return;
	arguments->at[arguments->count - 1] =
		is_first ? *token : (struct token){MARK, token->text, 1};
}

/* Reads "(a, b)"; False: there is none. What comes after is where it was before. */
static bool read_arguments(struct scan *scan, struct arguments *ret_arguments)
{
	struct lexer before = scan->lexer;
	struct token token = next(scan);
	bool is_first = true;
	int depth = 1;

	ret_arguments->count = 1;
	ret_arguments->at[0] = (struct token){END, "", 0};
	if (!is_mark(&token, '(')) {
		scan->lexer = before;
		return false;
	}
	while (depth && (token = next(scan)).kind != END) {
		depth += is_mark(&token, '(');
		depth -= is_mark(&token, ')');
		if (depth == 1 && is_mark(&token, ',')) {
			ret_arguments->count++;
			is_first = true;
		} else if (depth) {
			add_token(ret_arguments, &token, is_first);
			is_first = false;
		}
	}
	scan->lexer = before;
	return depth == 0;
}

/* The string that TOKEN is or stands for. */
static bool find_string(const struct scan *scan, struct token *token)
{
	const struct constant *constant;

	if (token->kind != WORD)
		return token->kind == STRING;
	constant = (const struct constant *)keep_table_find(&scan->constants, token->text,
							    token->length);
	if (!constant)
		return false;
	*token = (struct token){STRING, constant->text, constant->length};
	return true;
}

/* ---- BTF_ID() and its like ---- */

static void add_word(struct scan *scan, const struct token *token)
{
	if (token->kind == WORD)
		keep_add(scan->source, token->text, token->length);
}

/* "func" is argument INDEX, and the name comes after it. */
static void read_btf(struct scan *scan, size_t index)
{
	struct arguments arguments;

	if (read_arguments(scan, &arguments) && arguments.count > index + 1 &&
	    is_word(&arguments.at[index], "func"))
		add_word(scan, &arguments.at[index + 1]);
}

static void read_btf_id(struct scan *scan)
{
	read_btf(scan, 0);
}

static void read_btf_single(struct scan *scan)
{
	read_btf(scan, 1);
}

static void read_injection(struct scan *scan)
{
	struct arguments arguments;

	if (read_arguments(scan, &arguments) && arguments.count == 2)
		add_word(scan, &arguments.at[0]);
}

/* Skips to the parenthesis that closes the one just read. */
static void skip_parentheses(struct scan *scan)
{
	struct token token;
	int depth = 1;

	while (depth && (token = next(scan)).kind != END) {
		depth += is_mark(&token, '(');
		depth -= is_mark(&token, ')');
	}
}

/*
 * "__bpf_kfunc struct x *name(arguments) {": the name stands before the last
 * parentheses, since an attribute such as __printf(1, 2) stands before it.
 */
static void read_kfunc(struct scan *scan)
{
	struct lexer before = scan->lexer;
	struct token name = {END, "", 0}, last = {END, "", 0};

	for (;;) {
		struct token token = next(scan);

		if (token.kind == END || is_mark(&token, '{') || is_mark(&token, ';'))
			break;
		if (is_mark(&token, '(')) {
			name = last;
			skip_parentheses(scan);
		}
		last = token;
	}
	add_word(scan, &name);
	scan->lexer = before;
}

/* ---- .symbol_name = "name" ---- */

static void read_symbol(struct scan *scan)
{
	struct lexer before = scan->lexer;
	struct token token = next(scan), after;

	if (is_mark(&token, '=')) {
		token = next(scan);
		after = next(scan);
		if (after.kind == MARK && !is_mark(&after, '(') && find_string(scan, &token))
			keep_add(scan->source, token.text, token.length);
	}
	scan->lexer = before;
}

/* ---- SEC("fentry/name") ---- */

struct section {
	const char *name;
	const char *prefix; /* of the function that it attaches to */
};

/* Those of libbpf that attach to a kernel function, but for ".s" at their end. */
static const struct section sections[] = {
	{"fentry", ""},       {"fexit", ""},
	{"fmod_ret", ""},     {"kprobe", ""},
	{"kprobe.multi", ""}, {"kprobe.session", ""},
	{"kretprobe", ""},    {"kretprobe.multi", ""},
	{"lsm", "bpf_lsm_"},  {"lsm_cgroup", "bpf_lsm_"},
};

static const struct section *find_section(const char *name, size_t length)
{
	if (length > 2 && !memcmp(name + length - 2, ".s", 2))
		length -= 2;
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		if (strlen(sections[i].name) == length && !memcmp(sections[i].name, name, length))
			return &sections[i];
	}
	return NULL;
}

/* Bytes of TEXT before the first byte of MARKS. */
static size_t span_to(const char *text, size_t length, const char *marks)
{
	size_t i = 0;

	while (i < length && !strchr(marks, text[i]))
		i++;
	return i;
}

/* "module:name+0x4" */
static void add_target(struct scan *scan, const char *prefix, const char *text, size_t length)
{
	size_t module = span_to(text, length, ":");

	if (module < length) {
		text += module + 1;
		length -= module + 1;
	}
	keep_add_prefixed(scan->source, prefix, text, span_to(text, length, "+"));
}

static void read_sec(struct scan *scan)
{
	const struct section *section;
	struct arguments arguments;
	struct token *string = &arguments.at[0];
	size_t slash;

	if (!read_arguments(scan, &arguments) || string->kind != STRING)
		return;
	if (string->length && *string->text == '?') {
		string->text++;
		string->length--;
	}
	slash = span_to(string->text, string->length, "/");
	section = find_section(string->text, slash);
	if (section && slash < string->length)
		add_target(scan, section->prefix, string->text + slash + 1,
			   string->length - slash - 1);
}

/* ---- calls of libbpf and of the kernel ---- */

static void read_attach(struct scan *scan)
{
	struct arguments arguments;

	if (!read_arguments(scan, &arguments))
		return;
	for (size_t i = 1; i < arguments.count && i < MAX_ARGUMENTS; i++) {
		if (find_string(scan, &arguments.at[i]))
			add_target(scan, "", arguments.at[i].text, arguments.at[i].length);
	}
}

/* (&fprobe, "names", "others that are not meant") */
static void read_fprobe(struct scan *scan)
{
	struct arguments arguments;

	if (read_arguments(scan, &arguments) && arguments.count == 3 &&
	    find_string(scan, &arguments.at[1]))
		keep_add(scan->source, arguments.at[1].text, arguments.at[1].length);
}

/* (program, 0, "name"): with another program instead of 0 it names one of its functions. */
static void read_attach_target(struct scan *scan)
{
	struct arguments arguments;

	if (read_arguments(scan, &arguments) && arguments.count == 3 &&
	    is_word(&arguments.at[1], "0") && find_string(scan, &arguments.at[2]))
		add_target(scan, "", arguments.at[2].text, arguments.at[2].length);
}

/* Arrays for bpf_kprobe_multi_opts: "*syms[] = { "name", ... }" after its name. */
static void read_symbols(struct scan *scan)
{
	struct lexer before = scan->lexer;
	struct token token = next(scan);

	if (is_mark(&token, '[')) {
		while (token.kind != END && !is_mark(&token, ']'))
			token = next(scan);
		token = next(scan);
		if (is_mark(&token, '='))
			token = next(scan);
		while (token.kind != END && !is_mark(&token, '}') && !is_mark(&token, ';')) {
			if (token.kind == STRING)
				keep_add(scan->source, token.text, token.length);
			token = next(scan);
		}
	}
	scan->lexer = before;
}

/* ---- anchors ---- */

struct anchor {
	const char *word;
	unsigned part;
	void (*read)(struct scan *scan); /* reads on after the word, and goes back there */
};

static const struct anchor anchors[] = {
	{"ALLOW_ERROR_INJECTION", KEEP_C_KERNEL, read_injection},
	{"BTF_ID", KEEP_C_KERNEL, read_btf_id},
	{"BTF_ID_FLAGS", KEEP_C_KERNEL, read_btf_id},
	{"BTF_ID_LIST_GLOBAL_SINGLE", KEEP_C_KERNEL, read_btf_single},
	{"BTF_ID_LIST_SINGLE", KEEP_C_KERNEL, read_btf_single},
	{"SEC", KEEP_C_PROGRAMS, read_sec},
	{"__bpf_kfunc", KEEP_C_KERNEL, read_kfunc},
	{"bpf_program__attach_kprobe", KEEP_C_PROGRAMS, read_attach},
	{"bpf_program__attach_kprobe_multi_opts", KEEP_C_PROGRAMS, read_attach},
	{"bpf_program__attach_kprobe_opts", KEEP_C_PROGRAMS, read_attach},
	{"bpf_program__set_attach_target", KEEP_C_PROGRAMS, read_attach_target},
	{"old_name", KEEP_C_STRUCTS, read_symbol},
	{"register_fprobe", KEEP_C_STRUCTS, read_fprobe},
	{"symbol_name", KEEP_C_STRUCTS, read_symbol},
};

#define NR_ANCHORS (sizeof(anchors) / sizeof(anchors[0]))
_Static_assert(NR_ANCHORS < KEEP_C_MAX_ANCHORS, "room for all and the NULL");

void keep_c_anchors(unsigned parts, const char *ret_words[KEEP_C_MAX_ANCHORS])
{
	size_t count = 0;

	for (size_t i = 0; i < NR_ANCHORS; i++) {
		if (anchors[i].part & parts)
			ret_words[count++] = anchors[i].word;
	}
	ret_words[count] = NULL;
}

static const struct anchor *find_anchor(const struct scan *scan, const struct token *token)
{
	for (size_t i = 0; i < NR_ANCHORS; i++) {
		if ((anchors[i].part & scan->parts) && is_word(token, anchors[i].word))
			return &anchors[i];
	}
	return NULL;
}

static bool is_symbol_array(const struct scan *scan, const struct token *token)
{
	return (scan->parts & KEEP_C_PROGRAMS) && token->length >= 4 &&
	       !memcmp(token->text + token->length - 4, "syms", 4);
}

/* NAME = "string" and NAME[...] = "string", of which NAME was just read. */
static void note_variable(struct scan *scan, const struct token *name)
{
	struct lexer before = scan->lexer;
	struct token token = next(scan), string;

	if (is_mark(&token, '[')) {
		while (token.kind != END && !is_mark(&token, ']') && !is_mark(&token, ';'))
			token = next(scan);
		token = next(scan);
	}
	if (is_mark(&token, '=')) {
		string = next(scan);
		token = next(scan);
		if (string.kind == STRING && is_mark(&token, ';'))
			add_constant(scan, name, &string);
	}
	scan->lexer = before;
}

void keep_scan_c(const struct keep_source *source, unsigned parts, const char *text, size_t length)
{
	struct scan scan = {.source = source, .parts = parts, .lexer = {text, text + length, true}};
	struct token token;

	keep_table_init(&scan.constants, sizeof(struct constant));
	while ((token = next(&scan)).kind != END) {
		const struct anchor *anchor;

		if (token.kind != WORD)
			continue;
		anchor = find_anchor(&scan, &token);
		if (anchor)
			anchor->read(&scan);
		else if (is_symbol_array(&scan, &token))
			read_symbols(&scan);
		note_variable(&scan, &token);
	}
	if (scan.constants.failed)
		source->names->table.failed = true;
	keep_table_release(&scan.constants);
}
