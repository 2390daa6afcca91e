// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /proc/cpuinfo: paragraphs of "KEY : VALUE", one for each CPU. A CPU's type is
 * what it says under the architecture's keys, and its features: P and E cores
 * have one model number on some parts.
 */
#include "native.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char default_file[] = "/proc/cpuinfo";

/* "KEY : VALUE" */
struct line {
	const char *key, *value;
	size_t key_length, value_length;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static size_t trimmed(const char *text, size_t length)
{
	while (length && is_blank(text[length - 1]))
		length--;
	return length;
}

/* False: it is no such line. */
static bool split_line(const char *text, size_t length, struct line *ret_line)
{
	const char *colon = (const char *)memchr(text, ':', length);
	const char *end = text + length;

	if (!colon)
		return false;
	ret_line->key = text;
	ret_line->key_length = trimmed(text, (size_t)(colon - text));
	for (colon++; colon < end && is_blank(*colon); colon++)
		;
	ret_line->value = colon;
	ret_line->value_length = trimmed(colon, (size_t)(end - colon));
	return true;
}

static bool is_key(const struct line *line, const char *key)
{
	return line->key_length == strlen(key) && !memcmp(line->key, key, line->key_length);
}

/* ---- a CPU ---- */

void native_core_release(struct native_core *core)
{
	for (size_t i = 0; i < NATIVE_MAX_KEYS; i++)
		free(core->values[i]);
	native_set_release(&core->words);
	native_set_release(&core->lacking);
	*core = (struct native_core){.nr_cpus = 0};
}

static void take_value(struct native_core *core, size_t key, const struct line *line)
{
	if (core->values[key])
		return;
	core->values[key] = strndup(line->value, line->value_length);
	if (!core->values[key])
		core->words.failed = true;
}

static void take_line(struct native_core *core, const struct line *line,
		      const struct native_arch *arch)
{
	if (is_key(line, "processor"))
		core->first_cpu = (unsigned)strtoul(line->value, NULL, 10);
	if (is_key(line, arch->words_key))
		native_set_split(&core->words, line->value, line->value_length);
	for (size_t i = 0; arch->keys[i]; i++) {
		if (is_key(line, arch->keys[i]))
			take_value(core, i, line);
	}
}

/*
 * Reads one paragraph and the empty line after it, which may be of blanks, as with
 * CR before LF; how much of TEXT that was: not nothing.
 */
static size_t read_core(struct native_core *core, const char *text, const struct native_arch *arch)
{
	const char *begin = text;
	bool ended = false;

	*core = (struct native_core){.nr_cpus = 1};
	while (*text && !ended) {
		size_t length = strcspn(text, "\n");
		struct line line;

		ended = !trimmed(text, length);
		if (split_line(text, length, &line))
			take_line(core, &line, arch);
		text += length + (text[length] == '\n');
	}
	return (size_t)(text - begin);
}

/* ---- types ---- */

static int compare_values(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_sets(const struct native_set *a, const struct native_set *b)
{
	const char *const *x = native_set_list(a), *const *y = native_set_list(b);
	int order = 0;

	while (!order && (*x || *y)) {
		order = compare_values(*x, *y);
		x += *x != NULL;
		y += *y != NULL;
	}
	return order;
}

static int compare_cores(const void *one, const void *other)
{
	const struct native_core *a = (const struct native_core *)one;
	const struct native_core *b = (const struct native_core *)other;
	int order = 0;

	for (size_t i = 0; !order && i < NATIVE_MAX_KEYS; i++)
		order = compare_values(a->values[i], b->values[i]);
	if (!order)
		order = compare_sets(&a->words, &b->words);
	return order ? order : compare_sets(&a->lacking, &b->lacking);
}

bool native_machine_add(struct native_machine *machine, struct native_core *core)
{
	size_t size = (machine->nr_types + 1) * sizeof(*machine->types);
	struct native_core *types;

	for (size_t i = 0; i < machine->nr_types; i++) {
		if (compare_cores(&machine->types[i], core))
			continue;
		machine->types[i].nr_cpus++;
		native_core_release(core);
		return true;
	}
	types = (struct native_core *)realloc(machine->types, size);
	if (!types)
		return false;
	machine->types = types;
	types[machine->nr_types++] = *core;
	return true;
}

/* A paragraph without features is of no CPU: some are of the board. */
static bool read_cores(struct native_machine *machine, const char *text,
		       const struct native_arch *arch)
{
	while (*text) {
		struct native_core core;
		bool done;

		text += read_core(&core, text, arch);
		done = !core.words.failed &&
		       (!core.words.count || native_machine_add(machine, &core));
		if (!done || !core.words.count)
			native_core_release(&core);
		if (!done)
			return false;
	}
	return true;
}

/* What all types have; and what one lacks the machine lacks. */
static void merge_types(struct native_machine *machine)
{
	native_set_add_all(&machine->words, &machine->types[0].words);
	for (size_t i = 0; i < machine->nr_types; i++) {
		native_set_intersect(&machine->words, &machine->types[i].words);
		native_set_add_all(&machine->lacking, &machine->types[i].lacking);
	}
}

enum cli_status native_machine_finish(struct native_machine *machine)
{
	qsort(machine->types, machine->nr_types, sizeof(*machine->types), compare_cores);
	merge_types(machine);
	return machine->words.failed || machine->lacking.failed ? cli_no_memory() : CLI_OK;
}

static enum cli_status read_text(struct native_machine *machine, const char *file,
				 const struct kiln_strbuf *text, const struct native_arch *arch)
{
	if (!read_cores(machine, text->data, arch))
		return cli_no_memory();
	if (!machine->nr_types)
		return cli_trouble("'%s' has no line '%s' of a CPU of %s", file, arch->words_key,
				   arch->pattern);
	return native_machine_finish(machine);
}

enum cli_status native_read_file(const char *file, struct kiln_strbuf *ret_text)
{
	enum cli_status status = CLI_OK;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return cli_trouble("'%s' cannot be read: %s", file, strerror(errno));
	if (kiln_strbuf_read_fd(ret_text, fd))
		status = cli_trouble("'%s' cannot be read: %s", file, strerror(errno));
	else if (ret_text->failed)
		status = cli_no_memory();
	close(fd);
	return status;
}

enum cli_status native_machine_read(struct native_machine *machine, const char *file,
				    const struct native_arch *arch)
{
	enum cli_status status;
	struct kiln_strbuf text;

	*machine = (struct native_machine){.types = NULL};
	if (!file)
		file = default_file;
	kiln_strbuf_init(&text);
	status = native_read_file(file, &text);
	if (status == CLI_OK)
		status = read_text(machine, file, &text, arch);
	kiln_strbuf_release(&text);
	return status;
}

void native_machine_release(struct native_machine *machine)
{
	for (size_t i = 0; i < machine->nr_types; i++)
		native_core_release(&machine->types[i]);
	free(machine->types);
	native_set_release(&machine->words);
	native_set_release(&machine->lacking);
	*machine = (struct native_machine){.types = NULL};
}
