// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * All new files are written beside the old ones first, where a full disk shows. Then
 * they take their places one by one, each old file keeping a second name until all
 * have: what fails in between is undone.
 */
#include "integrate.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW ".kiln-new"
#define OLD ".kiln-old"

/* A path of the tree; it is valid until the next of the same buffer. */
static const char *path_of(struct kiln_strbuf *sb, const struct integrate_plan *plan,
			   const char *path, const char *end)
{
	kiln_strbuf_reset(sb);
	kiln_strbuf_addf(sb, "%s/%s%s", plan->tree, path, end);
	return sb->data;
}

/* ---- directories ---- */

static enum cli_status make_directories(const struct integrate_plan *plan, const char *path,
					struct kiln_strbuf *sb)
{
	for (const char *slash = path; (slash = strchr(slash, '/')); slash++) {
		kiln_strbuf_reset(sb);
		kiln_strbuf_addf(sb, "%s/%.*s", plan->tree, (int)(slash - path), path);
		if (sb->failed)
			return cli_no_memory();
		if (mkdir(sb->data, 0777) && errno != EEXIST)
			return cli_trouble("the directory '%s' cannot be made: %s", sb->data,
					   strerror(errno));
	}
	return CLI_OK;
}

/* Those of Kiln's that are empty. */
static void remove_directories(const struct integrate_plan *plan, const char *path,
			       struct kiln_strbuf *sb)
{
	size_t length = strlen(path);

	while (length > strlen(INTEGRATE_DIRECTORY)) {
		while (length && path[length - 1] != '/')
			length--;
		length--;
		kiln_strbuf_reset(sb);
		kiln_strbuf_addf(sb, "%s/%.*s", plan->tree, (int)length, path);
		if (length < strlen(INTEGRATE_DIRECTORY) || rmdir(sb->data))
			return;
	}
}

/* ---- writing ---- */

/* With the mode and the owner of the file that it replaces, if there is one. An errno value, or 0. */
static int write_all(const char *path, const struct kiln_strbuf *text, const struct stat *old)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), error = 0;

	if (fd < 0)
		return errno;
	if (kiln_strbuf_write_fd(text, fd))
		error = errno;
	else if (old && ((!geteuid() && fchown(fd, old->st_uid, old->st_gid)) ||
			 fchmod(fd, old->st_mode & 07777)))
		error = errno;
	if (close(fd) && !error)
		error = errno;
	return error;
}

static enum cli_status write_new(const struct integrate_plan *plan, const struct integrate_file *file,
				 struct kiln_strbuf *sb)
{
	struct stat info = {.st_mode = 0};
	bool exists;
	const char *path;
	int error;

	exists = !lstat(path_of(sb, plan, file->path, ""), &info);
	path = path_of(sb, plan, file->path, NEW);
	if (sb->failed)
		return cli_no_memory();
	unlink(path);
	error = write_all(path, &file->after, exists ? &info : NULL);
	return error ? cli_trouble("'%s' cannot be written: %s", path, strerror(error)) : CLI_OK;
}

static enum cli_status write_all_new(const struct integrate_plan *plan, struct kiln_strbuf *sb)
{
	enum cli_status status = CLI_OK;

	for (size_t i = 0; status == CLI_OK && i < plan->nr_files; i++) {
		const struct integrate_file *file = &plan->files[i];

		if (!file->after_exists)
			continue;
		status = make_directories(plan, file->path, sb);
		if (status == CLI_OK)
			status = write_new(plan, file, sb);
	}
	return status;
}

/* ---- changing places ---- */

static enum cli_status put_in_place(const struct integrate_plan *plan,
				    const struct integrate_file *file, struct kiln_strbuf *sb,
				    struct kiln_strbuf *other)
{
	const char *path = path_of(sb, plan, file->path, "");
	const char *old = path_of(other, plan, file->path, OLD);

	if (sb->failed || other->failed)
		return cli_no_memory();
	if (file->before_exists) {
		unlink(old);
		if (link(path, old))
			return cli_trouble("'%s' cannot be made: %s", old, strerror(errno));
	}
	if (!file->after_exists)
		return unlink(path) ? cli_trouble("'%s' cannot be removed: %s", path, strerror(errno))
				    : CLI_OK;
	if (rename(path_of(other, plan, file->path, NEW), path))
		return cli_trouble("'%s' cannot be replaced: %s", path, strerror(errno));
	return CLI_OK;
}

static void undo(const struct integrate_plan *plan, const struct integrate_file *file,
		 struct kiln_strbuf *sb, struct kiln_strbuf *other)
{
	const char *path = path_of(sb, plan, file->path, "");
	const char *old = path_of(other, plan, file->path, OLD);

	if (file->before_exists ? rename(old, path) : unlink(path) && errno != ENOENT)
		cli_trouble("'%s' cannot be put back: %s; what it was is '%s'", path, strerror(errno),
			    old);
}

static enum cli_status put_all_in_place(const struct integrate_plan *plan, struct kiln_strbuf *sb,
					struct kiln_strbuf *other)
{
	for (size_t i = 0; i < plan->nr_files; i++) {
		enum cli_status status = put_in_place(plan, &plan->files[i], sb, other);

		if (status == CLI_OK)
			continue;
		while (i--)
			undo(plan, &plan->files[i], sb, other);
		return status;
	}
	return CLI_OK;
}

/* ---- all of it ---- */

static void clean_up(const struct integrate_plan *plan, bool done, struct kiln_strbuf *sb)
{
	for (size_t i = 0; i < plan->nr_files; i++) {
		const struct integrate_file *file = &plan->files[i];

		unlink(path_of(sb, plan, file->path, NEW));
		unlink(path_of(sb, plan, file->path, OLD));
		if (!done || !file->after_exists)
			remove_directories(plan, file->path, sb);
	}
}

enum cli_status integrate_apply(const struct integrate_plan *plan)
{
	struct kiln_strbuf sb, other;
	enum cli_status status;
	sigset_t all, before;

	/* An impatient user must not leave half of it. */
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	kiln_strbuf_init(&sb);
	kiln_strbuf_init(&other);
	status = write_all_new(plan, &sb);
	if (status == CLI_OK)
		status = put_all_in_place(plan, &sb, &other);
	clean_up(plan, status == CLI_OK, &sb);
	kiln_strbuf_release(&other);
	kiln_strbuf_release(&sb);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

/* ---- after a removal ---- */

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name);

	return length > strlen(end) && !strcmp(name + length - strlen(end), end);
}

/* .gitignore of ../../tree has them too. */
static bool is_built(const char *name)
{
	return ends_with(name, ".o") || ends_with(name, ".cmd") || ends_with(name, ".d") ||
	       !strcmp(name, "builtin-table.c") || !strcmp(name, "kiln-refresh");
}

static void sweep(const char *path)
{
	DIR *directory = opendir(path);
	struct kiln_strbuf below;
	struct dirent *entry;

	kiln_strbuf_init(&below);
	while (directory && (entry = readdir(directory))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		kiln_strbuf_reset(&below);
		kiln_strbuf_addf(&below, "%s/%s", path, entry->d_name);
		if (entry->d_type == DT_DIR)
			sweep(below.data);
		else if (is_built(entry->d_name))
			unlink(below.data);
		else
			cli_note("'%s' is left: it is not Kiln's", below.data);
	}
	if (directory)
		closedir(directory);
	kiln_strbuf_release(&below);
	rmdir(path);
}

void integrate_sweep(const struct integrate_plan *plan)
{
	struct kiln_strbuf sb;
	struct stat info;

	kiln_strbuf_init(&sb);
	if (!lstat(path_of(&sb, plan, INTEGRATE_DIRECTORY, ""), &info) && S_ISDIR(info.st_mode) && !sb.failed)
		sweep(sb.data);
	kiln_strbuf_release(&sb);
}
