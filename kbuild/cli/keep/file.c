// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Files that the user names: which kind each is, and the names in it.
 */
#include "keep.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "kiln/builtin.h"

static void scan_c(const struct keep_source *source, const char *text, size_t length)
{
	keep_scan_c(source, KEEP_C_KERNEL | KEEP_C_STRUCTS | KEEP_C_PROGRAMS, text, length);
}

/* The kernel's own lists in a test are of a module that is the test's. */
static void scan_test_c(const struct keep_source *source, const char *text, size_t length)
{
	keep_scan_c(source, KEEP_C_STRUCTS | KEEP_C_PROGRAMS, text, length);
}

/* A kind of file. */
struct kind {
	const char *suffix;
	const char *interpreter; /* a part of its "#!" line; NULL: it has none */
	void (*scan)(const struct keep_source *source, const char *text, size_t length);
	void (*scan_test)(const struct keep_source *source, const char *text, size_t length);
};

static const struct kind kinds[] = {
	{".bash", "bash", keep_scan_shell, keep_scan_shell},
	{".bt", "bpftrace", keep_scan_bpftrace, keep_scan_bpftrace},
	{".c", NULL, scan_c, scan_test_c},
	{".h", NULL, scan_c, scan_test_c},
	{".sh", "sh", keep_scan_shell, keep_scan_shell},
	{".stp", "stap", keep_scan_systemtap, keep_scan_systemtap},
	{".tc", NULL, keep_scan_shell, keep_scan_shell},
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

bool keep_ends_in(const char *text, const char *end)
{
	size_t text_length = strlen(text), length = strlen(end);

	return text_length > length && strcmp(text + text_length - length, end) == 0;
}

static const struct kind *kind_by_suffix(const char *path)
{
	for (size_t i = 0; i < NR_KINDS; i++) {
		if (keep_ends_in(path, kinds[i].suffix))
			return &kinds[i];
	}
	return NULL;
}

static const struct kind *kind_by_interpreter(const char *text, size_t length)
{
	const char *newline = (const char *)memchr(text, '\n', length);
	size_t line = newline ? (size_t)(newline - text) : length;

	if (length < 2 || memcmp(text, "#!", 2))
		return NULL;
	for (size_t i = 0; i < NR_KINDS; i++) {
		const char *interpreter = kinds[i].interpreter;

		if (interpreter && memmem(text, line, interpreter, strlen(interpreter)))
			return &kinds[i];
	}
	return NULL;
}

void keep_scan_test(const struct keep_source *source, const char *text, size_t length)
{
	const struct kind *kind = kind_by_suffix(source->origin);

	if (!kind && !keep_ends_in(source->origin, ".py"))
		kind = kind_by_interpreter(text, length);
	if (kind)
		kind->scan_test(source, text, length);
}

const char *keep_origin(const char *path)
{
	const char *slash = strrchr(path, '/');

	return *path == '/' && slash[1] ? slash + 1 : path;
}

/* ---- policies ---- */

static bool says_keep(const struct kiln_rule *rule)
{
	for (unsigned i = 0; i < rule->nr_settings; i++) {
		if (rule->settings[i].what == KILN_KEEP)
			return true;
	}
	return false;
}

static void add_rule(struct keep_source *source, const struct kiln_rule *rule)
{
	source->origin = keep_origin(rule->path);
	for (unsigned i = 0; i < rule->nr_places; i++) {
		const struct kiln_place *place = &rule->places[i];

		if (place->kind == KILN_FUNC)
			keep_add(source, place->glob, strlen(place->glob));
	}
}

/* The functions that a policy keeps, wherever it does. */
static enum cli_status read_policy(const char *path, struct keep_names *names)
{
	struct keep_source source = {.names = names};
	char *argument = (char *)path;
	struct kiln_policy *policy;
	enum cli_status status = cli_load(&argument, 1, &policy);

	if (status != CLI_OK)
		return CLI_TROUBLE;
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);

		if (says_keep(rule))
			add_rule(&source, rule);
	}
	kiln_policy_free(policy);
	return CLI_OK;
}

/* ---- other files ---- */

static enum cli_status scan(const char *path, struct keep_names *names,
			    const struct kiln_strbuf *text)
{
	const struct kind *kind = kind_by_suffix(path);
	struct cli_sink sink;
	struct keep_source source = {
		.names = names,
		.origin = keep_origin(path),
		.path = path,
		.sink = &sink.sink,
	};

	cli_sink_init(&sink);
	if (!kind)
		kind = kind_by_interpreter(text->data, text->length);
	if (kind)
		kind->scan(&source, text->data, text->length);
	else
		keep_scan_list(&source, text->data, text->length);
	return sink.errors ? CLI_TROUBLE : CLI_OK;
}

static enum cli_status say_unreadable(const char *path)
{
	return cli_trouble("'%s' cannot be read: %s", path, strerror(errno));
}

static enum cli_status read_open_file(const char *path, struct keep_names *names, int fd)
{
	struct kiln_strbuf text;
	enum cli_status status;

	kiln_strbuf_init(&text);
	if (kiln_strbuf_read_fd(&text, fd))
		status = say_unreadable(path);
	else
		status = scan(path, names, &text);
	kiln_strbuf_release(&text);
	return status;
}

enum cli_status keep_read_file(const char *path, struct keep_names *names)
{
	enum cli_status status;
	int fd;

	if (keep_ends_in(path, ".policy") || (!strchr(path, '/') && kiln_builtin_find(path)))
		return read_policy(path, names);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return say_unreadable(path);
	status = read_open_file(path, names, fd);
	close(fd);
	return status;
}
