// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../make/make.h"

struct finder {
	struct make_walker walker;
	struct records_build *build;
	size_t root_length; /* of the path before what is below the build */
	struct kiln_strbuf path;
};

/* ---- finding ---- */

static bool add_file(struct records_build *build, const char *path, const char *object)
{
	size_t capacity = build->capacity ? build->capacity * 2 : 256;
	struct records_file file = {strdup(path), strdup(object)};

	if (build->nr_files == build->capacity) {
		struct records_file *grown =
			(struct records_file *)realloc(build->files, capacity * sizeof(*grown));

		if (grown) {
			build->files = grown;
			build->capacity = capacity;
		}
	}
	if (!file.path || !file.object || build->nr_files == build->capacity) {
		free(file.path);
		free(file.object);
		return false;
	}
	build->files[build->nr_files++] = file;
	return true;
}

/* By its name, or, where it is a packed one, by the argument that all have. */
static bool is_made_with_plugin(const char *path)
{
	static const char *const signs[] = {"/kiln.so", "/kiln_plugin.so", "-fplugin-arg-kiln"};
	char *line = make_command(path);
	bool is = line && strstr(line, "-fplugin-arg-") && strstr(line, "-record");

	for (size_t i = 0; line && !is && i < sizeof(signs) / sizeof(signs[0]); i++)
		is = strstr(line, "-fplugin=") && strstr(line, signs[i]);
	free(line);
	return is;
}

static bool is_there(const char *path)
{
	struct stat status;

	return !lstat(path, &status);
}

/* .NAME.o.kiln */
static enum cli_status see_record(struct finder *finder, const FTSENT *entry)
{
	size_t end = sizeof(MAKE_RECORD_END) - 1;
	const char *object;

	if (!make_has_object(&finder->path, entry))
		return finder->path.failed ? cli_no_memory() : CLI_OK;
	object = make_beside(&finder->path, entry, "", end, ".o") + finder->root_length;
	if (finder->path.failed || !add_file(finder->build, entry->fts_path, object))
		return cli_no_memory();
	return CLI_OK;
}

/* .NAME.o.cmd */
static enum cli_status see_command(struct finder *finder, const FTSENT *entry)
{
	size_t end = sizeof(MAKE_COMMAND_END) - 1;

	if (!is_there(make_beside(&finder->path, entry, ".", end, MAKE_RECORD_END)) &&
	    !access(make_beside(&finder->path, entry, "", end, ".o"), F_OK))
		finder->build->nr_missing += is_made_with_plugin(entry->fts_accpath);
	return finder->path.failed ? cli_no_memory() : CLI_OK;
}

static enum cli_status see_file(struct make_walker *walker, const FTSENT *entry)
{
	struct finder *finder = (struct finder *)(void *)walker;

	if (make_ends_with(entry, MAKE_RECORD_END))
		return see_record(finder, entry);
	if (make_ends_with(entry, MAKE_COMMAND_END))
		return see_command(finder, entry);
	return CLI_OK;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct records_file *)a)->path,
		      ((const struct records_file *)b)->path);
}

/* As the user spells the root, so that messages do; but a link to it is followed. */
static enum cli_status find_in_directory(struct records_build *build)
{
	struct finder finder = {.walker = {see_file}, .build = build};
	size_t length = strlen(build->path);
	enum cli_status status;

	while (length > 1 && build->path[length - 1] == '/')
		length--;
	if (asprintf(&build->root, "%.*s/", (int)length, build->path) < 0) {
		build->root = NULL;
		return cli_no_memory();
	}
	finder.root_length = strlen(build->root);
	kiln_strbuf_init(&finder.path);
	status = make_walk(build->root, &finder.walker);
	kiln_strbuf_release(&finder.path);
	if (build->nr_files)
		qsort(build->files, build->nr_files, sizeof(*build->files), by_path);
	return status;
}

/* Of an object. */
static enum cli_status find_beside(struct records_build *build)
{
	const char *slash = strrchr(build->path, '/'), *name = slash ? slash + 1 : build->path;
	struct kiln_strbuf path;
	bool added = true;

	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "%.*s.%s.kiln", (int)(name - build->path), build->path, name);
	if (!path.failed && is_there(path.data))
		added = add_file(build, path.data, name);
	added &= !path.failed;
	kiln_strbuf_release(&path);
	return added ? CLI_OK : cli_no_memory();
}

static enum cli_status refuse_empty(const struct records_build *build)
{
	if (!build->root)
		return cli_trouble(
			"'%s' has no record beside it: it is no object that was compiled with "
			"the plugin's argument 'record'",
			build->path);
	if (build->nr_missing)
		return cli_trouble(
			"'%s' has no records: the plugin was there for %zu objects, and it was "
			"not asked for them, or a compiler cache had the objects; build with "
			"'kiln make' without a cache",
			build->path, build->nr_missing);
	return cli_trouble(
		"'%s' has no records: build with 'kiln make', or with the plugin's argument "
		"'record'",
		build->path);
}

enum cli_status records_find(struct records_build *build, const char *path)
{
	enum cli_status status;
	struct stat found;

	*build = (struct records_build){.path = path};
	if (stat(path, &found))
		return cli_trouble("'%s' cannot be read: %s", path, strerror(errno));
	status = S_ISDIR(found.st_mode) ? find_in_directory(build) : find_beside(build);
	if (status == CLI_OK && !build->nr_files)
		status = refuse_empty(build);
	return status;
}

void records_release(struct records_build *build)
{
	for (size_t i = 0; i < build->nr_files; i++) {
		free(build->files[i].path);
		free(build->files[i].object);
	}
	free(build->files);
	free(build->root);
	*build = (struct records_build){.path = build->path};
}

/* ---- reading ---- */

static void say_unreadable(struct records_build *build, const char *path)
{
	build->nr_damaged++;
	if (!build->is_quiet)
		cli_trouble("the record '%s' cannot be read: %s", path, strerror(errno));
}

static void say_fault(struct records_build *build, const char *path,
		      const struct records_fault *fault)
{
	build->nr_damaged++;
	if (!build->is_quiet)
		fprintf(stderr, "%s:%u: error: %s\n", path, fault->line, fault->why);
}

static enum cli_status read_one(struct records_build *build, const struct records_file *file,
				struct records_unit *unit, struct records_reader *reader)
{
	struct records_fault fault;

	errno = 0;
	if (!make_read_file(file->path, &unit->text)) {
		if (unit->text.failed || errno == ENOMEM)
			return cli_no_memory();
		say_unreadable(build, file->path);
		return CLI_OK;
	}
	if (records_unit_read(unit, &fault))
		return cli_no_memory();
	if (fault.why) {
		say_fault(build, file->path, &fault);
		return CLI_OK;
	}
	unit->object = file->object;
	if (!unit->name)
		unit->name = file->object;
	build->nr_units++;
	return reader->see(reader, unit);
}

enum cli_status records_read(struct records_build *build, struct records_reader *reader)
{
	enum cli_status status = CLI_OK;
	struct records_unit unit;

	build->nr_units = build->nr_damaged = 0;
	records_unit_init(&unit);
	for (size_t i = 0; status == CLI_OK && i < build->nr_files; i++)
		status = read_one(build, &build->files[i], &unit, reader);
	records_unit_release(&unit);
	return status;
}

void records_say_gaps(const struct records_build *build)
{
	if (build->nr_missing)
		cli_note("%zu object%s made with the plugin, and there is no record: nothing is "
			 "known of what was inlined there. A compiler cache that had the objects "
			 "gives no records",
			 build->nr_missing, build->nr_missing == 1 ? " was" : "s were");
	if (build->nr_damaged)
		cli_note("%zu unit%s left out, for the record cannot be read", build->nr_damaged,
			 build->nr_damaged == 1 ? " is" : "s are");
}
