// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads all that will be changed, and changes nothing.
 */
#include "integrate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- files ---- */

/* "TREE/PATH", or "TREE/PATH/NAME" with a NAME. */
static void set_path(struct kiln_strbuf *sb, const char *tree, const char *path, const char *name)
{
	kiln_strbuf_reset(sb);
	kiln_strbuf_addf(sb, "%s/%s%s%s", tree, path, name ? "/" : "", name ? name : "");
}

/* A file that is not there is no fault: *RET_EXISTS. */
static enum cli_status read_file(const char *path, struct kiln_strbuf *ret_text, bool *ret_exists)
{
	struct stat info;
	int fd, error = 0;

	*ret_exists = !lstat(path, &info);
	if (!*ret_exists)
		return errno == ENOENT ? CLI_OK
				       : cli_trouble("'%s' cannot be read: %s", path, strerror(errno));
	if (S_ISLNK(info.st_mode))
		return cli_trouble("'%s' is a link, and to where it leads others may rely on it; "
				   "integrate into that tree, or a copy", path);
	if (!S_ISREG(info.st_mode))
		return cli_trouble("'%s' is not a file", path);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0 || kiln_strbuf_read_fd(ret_text, fd))
		error = errno;
	if (fd >= 0)
		close(fd);
	return error ? cli_trouble("'%s' cannot be read: %s", path, strerror(error)) : CLI_OK;
}

/* The one for PATH, made if it is new, with what the tree has of it. */
static enum cli_status get_file(struct integrate_plan *plan, const char *path,
				struct integrate_file **ret_file)
{
	struct integrate_file *files, *file;
	struct kiln_strbuf whole;
	enum cli_status status;

	for (size_t i = 0; i < plan->nr_files; i++) {
		*ret_file = &plan->files[i];
		if (!strcmp(plan->files[i].path, path))
			return CLI_OK;
	}
	files = (struct integrate_file *)realloc(plan->files, (plan->nr_files + 1) * sizeof(*files));
	if (!files)
		return cli_no_memory();
	plan->files = files;
	file = *ret_file = &files[plan->nr_files];
	*file = (struct integrate_file){.path = strdup(path)};
	if (!file->path)
		return cli_no_memory();
	plan->nr_files++;
	kiln_strbuf_init(&file->before);
	kiln_strbuf_init(&file->after);
	kiln_strbuf_init(&whole);
	set_path(&whole, plan->tree, path, NULL);
	status = whole.failed ? cli_no_memory() : read_file(whole.data, &file->before, &file->before_exists);
	kiln_strbuf_release(&whole);
	return status;
}

/* ---- lists of Kiln's own files ---- */

/* Names are removed by: none may lead out of the directory. */
static bool is_good_name(const char *name)
{
	return *name && *name != '/' && !strstr(name, "..") && !strpbrk(name, "\\ \t\r");
}

/* Calls DO_ONE for each name of LIST, whose first line is the version. */
static enum cli_status for_each_name(struct integrate_plan *plan, const char *where, char *list,
				     const char *source, char **ret_version,
				     enum cli_status (*do_one)(struct integrate_plan *plan,
							       const char *source, const char *name))
{
	enum cli_status status = CLI_OK;
	unsigned line = 1;
	char *rest = NULL;
	char *name = strtok_r(list, "\n", &rest);

	*ret_version = strdup(name ? name : "");
	if (!*ret_version)
		return cli_no_memory();
	while (status == CLI_OK && (name = strtok_r(NULL, "\n", &rest))) {
		line++;
		if (!is_good_name(name))
			return cli_trouble("%s/" INTEGRATE_LIST ":%u: '%s' is not the name of a file of "
					   "Kiln's; this list is not one that it wrote", where, line, name);
		status = do_one(plan, source, name);
	}
	return status == CLI_OK ? do_one(plan, source, INTEGRATE_LIST) : status;
}

static enum cli_status remove_one(struct integrate_plan *plan, const char *source, const char *name)
{
	struct integrate_file *file;
	struct kiln_strbuf path;
	enum cli_status status;

	(void)source;
	kiln_strbuf_init(&path);
	set_path(&path, INTEGRATE_DIRECTORY, name, NULL);
	status = path.failed ? cli_no_memory() : get_file(plan, path.data, &file);
	kiln_strbuf_release(&path);
	return status;
}

static enum cli_status add_one(struct integrate_plan *plan, const char *source, const char *name)
{
	struct integrate_file *file;
	struct kiln_strbuf path;
	enum cli_status status;

	kiln_strbuf_init(&path);
	set_path(&path, INTEGRATE_DIRECTORY, name, NULL);
	status = path.failed ? cli_no_memory() : get_file(plan, path.data, &file);
	if (status == CLI_OK) {
		set_path(&path, source, name, NULL);
		status = path.failed ? cli_no_memory()
				     : read_file(path.data, &file->after, &file->after_exists);
	}
	if (status == CLI_OK && !file->after_exists)
		status = cli_trouble("'%s' is missing; install kiln again", path.data);
	kiln_strbuf_release(&path);
	return status;
}

/* What an earlier `kiln integrate` has put there goes, unless it is added after that. */
static enum cli_status plan_removal(struct integrate_plan *plan)
{
	struct kiln_strbuf path, list;
	struct stat info;
	enum cli_status status;
	bool exists = false;

	kiln_strbuf_init(&path);
	kiln_strbuf_init(&list);
	set_path(&path, plan->tree, INTEGRATE_DIRECTORY, INTEGRATE_LIST);
	status = path.failed ? cli_no_memory() : read_file(path.data, &list, &exists);
	if (status == CLI_OK && exists)
		status = for_each_name(plan, INTEGRATE_DIRECTORY, list.data, NULL, &plan->old_version,
				       remove_one);
	set_path(&path, plan->tree, INTEGRATE_DIRECTORY, NULL);
	if (status == CLI_OK && !exists && !lstat(path.data, &info) && plan->new_version)
		status = cli_trouble("'%s' is there, without the list of files that 'kiln integrate' "
				     "leaves in it; it is not Kiln's to write into", path.data);
	kiln_strbuf_release(&list);
	kiln_strbuf_release(&path);
	return status;
}

static enum cli_status plan_addition(struct integrate_plan *plan, const char *source)
{
	struct kiln_strbuf path, list;
	enum cli_status status;
	char *version = NULL;
	bool exists = false;

	kiln_strbuf_init(&path);
	kiln_strbuf_init(&list);
	set_path(&path, source, INTEGRATE_LIST, NULL);
	status = path.failed ? cli_no_memory() : read_file(path.data, &list, &exists);
	if (status == CLI_OK && !exists)
		status = cli_trouble("'%s' is missing: the sources that go into a kernel tree are not "
				     "installed with this kiln", path.data);
	if (status == CLI_OK)
		status = for_each_name(plan, source, list.data, source, &version, add_one);
	free(version);
	kiln_strbuf_release(&list);
	kiln_strbuf_release(&path);
	return status;
}

/* ---- the kernel's files ---- */

static enum cli_status plan_edits(struct integrate_plan *plan)
{
	for (const struct integrate_edit *edit = integrate_edits; edit->path; edit++) {
		struct integrate_file *file;
		enum cli_status status = get_file(plan, edit->path, &file);

		if (status == CLI_OK && !file->before_exists)
			status = cli_trouble("%s: this file is missing; kernels like this one are not known",
					     edit->path);
		if (status == CLI_OK)
			status = integrate_edit_text(edit, &file->before, plan->new_version, &file->after);
		if (status != CLI_OK)
			return status;
		file->after_exists = true;
	}
	return CLI_OK;
}

/* ---- directories ---- */

/* Each one above PATH, as far as there are any, is a directory of this very tree. */
static enum cli_status check_directories(const struct integrate_plan *plan, const char *path)
{
	enum cli_status status = CLI_OK;
	struct kiln_strbuf whole;
	struct stat info;

	kiln_strbuf_init(&whole);
	for (const char *slash = path; status == CLI_OK && (slash = strchr(slash, '/')); slash++) {
		kiln_strbuf_reset(&whole);
		kiln_strbuf_addf(&whole, "%s/%.*s", plan->tree, (int)(slash - path), path);
		if (whole.failed)
			status = cli_no_memory();
		else if (lstat(whole.data, &info))
			break;
		else if (S_ISLNK(info.st_mode))
			status = cli_trouble("'%s' is a link, and to where it leads others may rely on it; "
					     "integrate into that tree, or a copy", whole.data);
		else if (!S_ISDIR(info.st_mode))
			status = cli_trouble("'%s' is not a directory", whole.data);
		else if (access(whole.data, W_OK | X_OK))
			status = cli_trouble("'%s' cannot be written: %s", whole.data, strerror(errno));
	}
	kiln_strbuf_release(&whole);
	return status;
}

/* ---- all of it ---- */

static bool is_changed(const struct integrate_file *file)
{
	if (file->before_exists != file->after_exists)
		return true;
	return file->before.length != file->after.length ||
	       memcmp(file->before.data, file->after.data, file->before.length);
}

static void release_file(struct integrate_file *file)
{
	free(file->path);
	kiln_strbuf_release(&file->before);
	kiln_strbuf_release(&file->after);
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct integrate_file *)a)->path, ((const struct integrate_file *)b)->path);
}

static enum cli_status keep_changed(struct integrate_plan *plan)
{
	size_t kept = 0;

	for (size_t i = 0; i < plan->nr_files; i++) {
		if (plan->files[i].before.failed || plan->files[i].after.failed)
			return cli_no_memory();
	}
	for (size_t i = 0; i < plan->nr_files; i++) {
		if (is_changed(&plan->files[i]))
			plan->files[kept++] = plan->files[i];
		else
			release_file(&plan->files[i]);
	}
	plan->nr_files = kept;
	if (kept)
		qsort(plan->files, kept, sizeof(*plan->files), by_path);
	return CLI_OK;
}

enum cli_status integrate_plan(struct integrate_plan *plan, const char *tree, const char *source)
{
	enum cli_status status;

	*plan = (struct integrate_plan){.tree = tree};
	if (source) {
		plan->new_version = strdup(KILN_VERSION);
		if (!plan->new_version)
			return cli_no_memory();
	}
	status = plan_removal(plan);
	if (status == CLI_OK && source)
		status = plan_addition(plan, source);
	if (status == CLI_OK)
		status = plan_edits(plan);
	if (status == CLI_OK)
		status = keep_changed(plan);
	for (size_t i = 0; status == CLI_OK && i < plan->nr_files; i++)
		status = check_directories(plan, plan->files[i].path);
	return status;
}

void integrate_plan_release(struct integrate_plan *plan)
{
	for (size_t i = 0; i < plan->nr_files; i++)
		release_file(&plan->files[i]);
	free(plan->files);
	free(plan->old_version);
	free(plan->new_version);
}
