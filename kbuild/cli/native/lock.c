// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The policy that a CPU is resolved into. Nothing in it depends on when, where
 * or by whom it was made.
 */
#include "native.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COLUMNS 92

void native_lock_init(struct native_lock *lock, const struct native_job *job)
{
	lock->job = job;
	kiln_strbuf_init(&lock->about);
	kiln_strbuf_init(&lock->rules);
	kiln_strbuf_init(&lock->name);
	kiln_strbuf_init(&lock->vendor);
	native_set_init(&lock->features);
}

void native_lock_release(struct native_lock *lock)
{
	kiln_strbuf_release(&lock->about);
	kiln_strbuf_release(&lock->rules);
	kiln_strbuf_release(&lock->name);
	kiln_strbuf_release(&lock->vendor);
	native_set_release(&lock->features);
}

bool native_lock_failed(const struct native_lock *lock)
{
	return lock->about.failed || lock->rules.failed || lock->name.failed ||
	       lock->vendor.failed || lock->features.failed;
}

/* ---- comments ---- */

/* What comes from a machine or a compiler may have any byte in it. */
static void add_clean(struct kiln_strbuf *sb, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool clean = (unsigned char)text[i] >= ' ' && text[i] != 127;

		kiln_strbuf_add(sb, clean ? &text[i] : "?", 1);
	}
}

static void wrap(struct kiln_strbuf *sb, const char *text)
{
	size_t column = 1;

	kiln_strbuf_adds(sb, "#");
	for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");

		if (column + 1 + length > COLUMNS && column > 4) {
			kiln_strbuf_adds(sb, "\n#  ");
			column = 3;
		}
		kiln_strbuf_adds(sb, " ");
		add_clean(sb, text, length);
		column += 1 + length;
		text += length;
	}
	kiln_strbuf_adds(sb, "\n");
}

void native_lock_say(struct native_lock *lock, const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	if (text)
		wrap(&lock->about, text);
	else
		lock->about.failed = true;
	free(text);
}

static void add_words(struct kiln_strbuf *sb, const struct native_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		kiln_strbuf_addf(sb, " %s", set->words[i]);
}

void native_lock_list(struct native_lock *lock, const char *title, const struct native_set *set)
{
	struct kiln_strbuf text;

	if (!set->count)
		return;
	kiln_strbuf_init(&text);
	add_words(&text, set);
	native_lock_say(lock, "%s:%s", title, text.data);
	lock->about.failed |= text.failed;
	kiln_strbuf_release(&text);
}

/* The needed ones from number FIRST on that have its reason; the number after them. */
static size_t say_group(struct native_lock *lock, size_t first, const struct native_set *flags)
{
	const struct native_denials *denials = &lock->job->denials;
	const char *reason = denials->list[first].reason;
	struct kiln_strbuf what;
	size_t i;

	kiln_strbuf_init(&what);
	for (i = first; i < denials->count && !strcmp(denials->list[i].reason, reason); i++) {
		if (native_set_has(flags, denials->list[i].flag))
			kiln_strbuf_addf(&what, " %s", denials->list[i].flag);
	}
	if (what.length)
		native_lock_say(lock, "Denied,%s: %s", what.data, reason);
	lock->about.failed |= what.failed;
	kiln_strbuf_release(&what);
	return i;
}

void native_lock_denied(struct native_lock *lock, const struct native_set *flags)
{
	for (size_t i = 0; i < lock->job->denials.count;)
		i = say_group(lock, i, flags);
}

/* ---- rules ---- */

/* "-mtune" and "--param=l1-cache-size" stand for whatever is after the "=". */
static bool is_dropped(const struct native_job *job, const char *flag)
{
	for (size_t i = 0; i < job->dropped_rules.count; i++) {
		size_t length = strlen(job->dropped_rules.words[i]);

		if (!strncmp(flag, job->dropped_rules.words[i], length) &&
		    (!flag[length] || flag[length] == '='))
			return true;
	}
	return false;
}

void native_lock_rule(struct native_lock *lock, const char *why, const char *format, ...)
{
	char *flag = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&flag, format, args) < 0)
		flag = NULL;
	va_end(args);
	if (!flag) {
		lock->rules.failed = true;
		return;
	}
	if (is_dropped(lock->job, flag))
		native_lock_say(lock, "Dropped: %s", flag); /* native.c looks for it */
	else
		kiln_strbuf_addf(&lock->rules, "on %s\t%s%s%s\n", lock->job->target->names[0], flag,
				 why ? "\t# " : "", why ? why : "");
	free(flag);
}

/* ---- the text ---- */

/* The options that the answer depends on; of a path only that there was one. */
static void add_command(const struct cli_args *args, struct kiln_strbuf *sb)
{
	kiln_strbuf_adds(sb, "# Made by:\tkiln native");
	if (args->axis)
		kiln_strbuf_addf(sb, " --axis=%s", args->axis);
	if (args->cpu) {
		kiln_strbuf_adds(sb, " --cpu=");
		add_clean(sb, args->cpu, strlen(args->cpu));
	}
	if (args->cpuinfo)
		kiln_strbuf_adds(sb, " --cpuinfo=FILE");
	if (args->cpuid)
		kiln_strbuf_adds(sb, " --cpuid=FILE");
	if (args->drop) {
		kiln_strbuf_adds(sb, " --drop=");
		add_clean(sb, args->drop, strlen(args->drop));
	}
	kiln_strbuf_adds(sb, "\n");
}

void native_lock_text(const struct native_lock *lock, struct kiln_strbuf *ret_text)
{
	kiln_strbuf_adds(ret_text, "# The flags for one CPU, resolved once: builds that read this "
				   "file agree.\n#\n");
	add_command(lock->job->args, ret_text);
	wrap(ret_text, lock->job->compiler.data);
	kiln_strbuf_addf(ret_text, "%s\n%s", lock->about.data, lock->rules.data);
	kiln_strbuf_adds(ret_text, "\n# What units with a CPU of their own count on.\n"
				   "include cpu-units\n");
	ret_text->failed |= native_lock_failed(lock);
}

/* ---- the file ---- */

static enum cli_status say_unwritable(const char *file)
{
	return cli_trouble("'%s' cannot be written: %s", file, strerror(errno));
}

/* As a file that is made the usual way, not as mkstemp does. */
static bool set_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return !fchmod(fd, 0666 & ~mask);
}

static bool fill(int fd, const struct kiln_strbuf *text)
{
	bool done = set_mode(fd) && !kiln_strbuf_write_fd(text, fd) && !fsync(fd);
	int error = errno;

	if (close(fd) && done)
		return false;
	errno = error;
	return done;
}

/* Not every file system can refuse to replace a file; then it was looked before. */
static bool move(const char *from, const char *to, bool force)
{
	if (force)
		return !rename(from, to);
	if (!renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE))
		return true;
	return errno == EINVAL && access(to, F_OK) && !rename(from, to);
}

static enum cli_status write_file(const char *file, bool force, const struct kiln_strbuf *text,
				  char *temporary)
{
	int fd = mkstemp(temporary);
	int error;

	if (fd < 0)
		return say_unwritable(file);
	if (fill(fd, text) && move(temporary, file, force))
		return CLI_OK;
	error = errno;
	unlink(temporary);
	errno = error;
	return say_unwritable(file);
}

enum cli_status native_lock_write(const char *file, bool force, const struct kiln_strbuf *text)
{
	struct kiln_strbuf temporary;
	enum cli_status status;
	char *target;

	if (!file || !strcmp(file, "-")) {
		fwrite(text->data, 1, text->length, stdout);
		return CLI_OK;
	}
	/* What a link stands for is replaced, not the link; NULL: there is no file yet. */
	target = force ? realpath(file, NULL) : NULL;
	if (target)
		file = target;
	kiln_strbuf_init(&temporary);
	kiln_strbuf_addf(&temporary, "%s.XXXXXX", file);
	if (temporary.failed)
		status = cli_no_memory();
	else
		status = write_file(file, force, text, temporary.data);
	kiln_strbuf_release(&temporary);
	free(target);
	return status;
}
