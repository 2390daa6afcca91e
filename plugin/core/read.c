// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/policy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "kiln/builtin.h"
#include "kiln/nearest.h"
#include "report.h"
#include "store.h"

#include "banned.h"

/* The file that the caller names is level 1. */
#define MAX_LEVELS 32

/* What is being read, and what included it. */
struct source {
	struct kiln_policy *policy;
	struct kiln_sink *sink;
	const struct source *parent;
	const char *path;
	unsigned line;
	unsigned level;
	const struct kiln_builtin *builtin; /* NULL: a file, or text of the caller */
	bool is_file;                       /* dev and ino are known */
	dev_t dev;
	ino_t ino;
};

static int read_name(struct source *parent, const char *name, const struct kiln_where *mention);

/* Reports an error; -1 for the caller to return. */
KILN_PRINTF(3, 4)
static int blame(const struct source *source, const struct kiln_where *where, const char *format,
		 ...)
{
	va_list args;

	va_start(args, format);
	kiln_report_args(source->sink, KILN_ERROR, where, format, args);
	va_end(args);
	return -1;
}

static int no_memory(struct source *source)
{
	struct kiln_where where = {source->path, source->line, 0};

	source->policy->parser.no_memory = true;
	return blame(source, &where, "out of memory");
}

/* ---- lines ---- */

/* 1: there is a word; 0: there is none left; -1: fault. */
static int read_word(struct source *source, struct kiln_words *words, struct kiln_word *ret_word)
{
	struct kiln_where where = {source->path, source->line, 0};

	switch (kiln_words_next(words, ret_word)) {
	case KILN_READ_WORD:
		return 1;
	case KILN_READ_END:
		return 0;
	case KILN_READ_OPEN_QUOTE:
		where.column = ret_word->column;
		return blame(source, &where, KILN_OPEN_QUOTE);
	case KILN_READ_NO_MEMORY:
		break;
	}
	return no_memory(source);
}

static int parse_include(struct source *source, struct kiln_words *words, unsigned column)
{
	struct kiln_where where = {source->path, source->line, column};
	struct kiln_word name, extra;
	int found = read_word(source, words, &name);

	if (found < 0)
		return -1;
	if (!found)
		return blame(source, &where,
			     "'include' needs the name of a file or of a built-in policy after it");
	found = read_word(source, words, &extra);
	if (found < 0)
		return -1;
	where.column = found ? extra.column : name.column;
	if (found)
		return blame(source, &where, "'include' takes one name, and nothing after it");
	return read_name(source, name.text, &where);
}

/* The line is a string. */
static int parse_line(struct source *source, char *line)
{
	struct kiln_policy *policy = source->policy;
	struct kiln_words words = {line, line, &policy->arena};
	struct kiln_where where = {source->path, source->line, 0};
	const struct kiln_rule *rule;
	struct kiln_word first;
	int found = read_word(source, &words, &first);

	if (found <= 0)
		return found;
	if (first.text[0] == 'i' && strcmp(first.text, "include") == 0)
		return parse_include(source, &words, first.column);
	rule = kiln_parse_rule(&policy->parser, &words, &first, &where);
	if (!rule)
		return -1;
	return kiln_policy_add_rule(policy, rule) ? no_memory(source) : 0;
}

static int refuse_nul(const struct source *source, const char *line, const char *nul)
{
	struct kiln_where where = {source->path, source->line, (unsigned)(nul - line) + 1};

	return blame(source, &where, "a NUL byte stands in the line, and a policy is text");
}

/* Every line is read, whatever was wrong in those before; only memory must not run out. */
static int parse_text(struct source *source, char *text, size_t length)
{
	char *end = text + length;
	bool has_nul = memchr(text, '\0', length) != NULL;
	int result = 0;
	char *next;

	for (char *line = text; line < end && !source->policy->parser.no_memory; line = next) {
		char *line_end = (char *)memchr(line, '\n', (size_t)(end - line));
		const char *nul = NULL;

		next = line_end ? line_end + 1 : end;
		if (!line_end)
			line_end = end;
		if (line_end > line && line_end[-1] == '\r')
			line_end--;
		source->line++;
		if (has_nul)
			nul = (const char *)memchr(line, '\0', (size_t)(line_end - line));
		*line_end = '\0';
		if (nul ? refuse_nul(source, line, nul) : parse_line(source, line))
			result = -1;
	}
	return result;
}

/* ---- files ---- */

static const char *kind_of_file(const struct stat *st)
{
	switch (st->st_mode & S_IFMT) {
	case S_IFDIR:
		return "it is a directory";
	case S_IFIFO:
		return "it is a FIFO";
	case S_IFSOCK:
		return "it is a socket";
	case S_IFCHR:
		return "it is a character device";
	case S_IFBLK:
		return "it is a block device";
	}
	return "it is not a regular file";
}

/* An empty policy is spelled /dev/null; any other device may block or never end. */
static bool is_readable_kind(const struct stat *st)
{
	return S_ISREG(st->st_mode) || (S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3));
}

static int cannot_read(const struct source *source, const struct kiln_where *mention,
		       const char *reason)
{
	return blame(source, mention, "policy '%.200s' cannot be read: %s", source->path, reason);
}

static bool is_same(const struct source *a, const struct source *b)
{
	if (a->builtin || b->builtin)
		return a->builtin == b->builtin;
	return a->is_file && b->is_file && a->dev == b->dev && a->ino == b->ino;
}

/* May the file or built-in policy of SOURCE be read where it stands? */
static int check_nesting(const struct source *source, const struct kiln_where *mention)
{
	for (const struct source *s = source->parent; s; s = s->parent) {
		if (is_same(s, source))
			return blame(source, mention, "policy '%.200s' includes itself",
				     source->path);
	}
	if (source->level > MAX_LEVELS)
		return blame(source, mention,
			     "policies include each other more than %d levels deep", MAX_LEVELS);
	return 0;
}

static int read_open_file(struct source *source, int fd, const struct kiln_where *mention)
{
	struct kiln_strbuf *text;
	struct stat st;

	if (fstat(fd, &st))
		return cannot_read(source, mention, strerror(errno));
	if (!is_readable_kind(&st))
		return cannot_read(source, mention, kind_of_file(&st));
	source->is_file = true;
	source->dev = st.st_dev;
	source->ino = st.st_ino;
	if (check_nesting(source, mention))
		return -1;
	text = kiln_policy_new_text(source->policy);
	if (!text || kiln_policy_add_file(source->policy, source->path))
		return no_memory(source);
	if (kiln_strbuf_read_fd(text, fd))
		return cannot_read(source, mention, strerror(errno));
	return parse_text(source, text->data, text->length);
}

/*
 * Looks before it opens, because opening a device can have effects; the file
 * may be another one by then, so that opening must not block either.
 */
static int read_file(struct source *source, const struct kiln_where *mention)
{
	struct stat st;
	int fd, result;

	if (stat(source->path, &st))
		return cannot_read(source, mention, strerror(errno));
	if (!is_readable_kind(&st))
		return cannot_read(source, mention, kind_of_file(&st));
	fd = open(source->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return cannot_read(source, mention, strerror(errno));
	result = read_open_file(source, fd, mention);
	close(fd);
	return result;
}

static int read_text(struct source *source, const char *text, size_t length)
{
	struct kiln_strbuf *copy = kiln_policy_new_text(source->policy);

	if (!copy)
		return no_memory(source);
	kiln_strbuf_add(copy, text, length);
	if (copy->failed)
		return no_memory(source);
	return parse_text(source, copy->data, copy->length);
}

/* ---- names ---- */

bool kiln_policy_names_file(const char *name)
{
	return strchr(name, '/') || (strchr(name, '.') && !kiln_builtin_find(name));
}

static const char *nearest_builtin(struct kiln_policy *policy, const char *name)
{
	const char **names;
	size_t count = 0;

	while (kiln_builtins[count].name)
		count++;
	names = (const char **)kiln_arena_alloc(&policy->arena, (count + 1) * sizeof(*names));
	if (!names)
		return NULL;
	for (size_t i = 0; i <= count; i++)
		names[i] = kiln_builtins[i].name;
	return kiln_nearest(name, names);
}

static int refuse_builtin(const struct source *source, const char *name,
			  const struct kiln_where *mention)
{
	const char *nearest = nearest_builtin(source->policy, name);

	if (nearest)
		return blame(source, mention,
			     "no built-in policy is called '%.200s'; did you mean '%s'?", name,
			     nearest);
	return blame(source, mention,
		     "no built-in policy is called '%.200s'; the name of a file has a '/' or a '.' "
		     "in it",
		     name);
}

static int read_builtin(struct source *source, const char *name, const struct kiln_where *mention)
{
	struct kiln_strbuf path;

	source->builtin = kiln_builtin_find(name);
	if (!source->builtin)
		return refuse_builtin(source, name, mention);
	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "<built-in %s>", name);
	if (!path.failed)
		source->path = kiln_arena_join(&source->policy->arena, "", 0, path.data);
	kiln_strbuf_release(&path);
	if (!source->path)
		return no_memory(source);
	if (check_nesting(source, mention))
		return -1;
	return read_text(source, source->builtin->text, source->builtin->length);
}

/* Bytes of PATH up to its last slash. */
static size_t directory_length(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Reads the policy NAME, which PARENT mentions. */
static int read_name(struct source *parent, const char *name, const struct kiln_where *mention)
{
	struct source source = {
		.policy = parent->policy,
		.sink = parent->sink,
		.parent = parent,
		.level = parent->level + 1,
	};
	size_t length = *name == '/' ? 0 : directory_length(parent->path);

	if (!kiln_policy_names_file(name))
		return read_builtin(&source, name, mention);
	if (parent->builtin)
		return blame(&source, mention,
			     "a built-in policy lies in no directory and cannot include a file");
	source.path =
		kiln_arena_join(&source.policy->arena, length ? parent->path : "", length, name);
	if (!source.path)
		return no_memory(&source);
	return read_file(&source, mention);
}

static void begin(struct kiln_policy *policy, struct kiln_sink *sink)
{
	policy->parser.sink = sink;
	policy->parser.no_memory = false;
}

int kiln_policy_load(struct kiln_policy *policy, const char *name, struct kiln_sink *sink)
{
	struct source top = {.policy = policy, .sink = sink};
	struct kiln_where mention = {kiln_policy_names_file(name) ? name : NULL, 0, 0};

	begin(policy, sink);
	return read_name(&top, name, &mention);
}

int kiln_policy_load_text(struct kiln_policy *policy, const char *path, const char *text,
			  size_t length, struct kiln_sink *sink)
{
	struct source source = {.policy = policy, .sink = sink, .level = 1};

	begin(policy, sink);
	source.path = kiln_arena_join(&policy->arena, "", 0, path);
	if (!source.path)
		return no_memory(&source);
	return read_text(&source, text, length);
}
