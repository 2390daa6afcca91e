// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/strbuf.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "banned.h"

#define FIRST_CAPACITY 64
#define READ_AT_LEAST  4096

void kiln_strbuf_init(struct kiln_strbuf *sb)
{
	sb->data = (char *)"";
	sb->length = 0;
	sb->capacity = 0;
	sb->failed = false;
}

void kiln_strbuf_release(struct kiln_strbuf *sb)
{
	if (!sb)
		return;
	if (sb->capacity)
		free(sb->data);
	kiln_strbuf_init(sb);
}

static void set_length(struct kiln_strbuf *sb, size_t length)
{
	sb->length = length;
	if (sb->capacity)
		sb->data[length] = '\0';
}

void kiln_strbuf_reset(struct kiln_strbuf *sb)
{
	sb->failed = false;
	set_length(sb, 0);
}

void kiln_strbuf_truncate(struct kiln_strbuf *sb, size_t length)
{
	if (length < sb->length)
		set_length(sb, length);
}

static bool fail(struct kiln_strbuf *sb)
{
	sb->failed = true;
	set_length(sb, 0);
	return false;
}

/* Makes room for COUNT more bytes and the NUL. */
static bool reserve(struct kiln_strbuf *sb, size_t count)
{
	size_t capacity = sb->capacity ? sb->capacity : FIRST_CAPACITY;
	size_t needed;
	char *data;

	if (sb->failed)
		return false;
	if (count >= SIZE_MAX / 2 - sb->length)
		return fail(sb);
	needed = sb->length + count + 1;
	if (needed <= sb->capacity)
		return true;
	while (capacity < needed)
		capacity *= 2;
	data = (char *)realloc(sb->capacity ? sb->data : NULL, capacity);
	if (!data)
		return fail(sb);
	sb->data = data;
	sb->capacity = capacity;
	return true;
}

void kiln_strbuf_add(struct kiln_strbuf *sb, const void *bytes, size_t count)
{
	if (!count || !reserve(sb, count))
		return;
	memcpy(sb->data + sb->length, bytes, count);
	set_length(sb, sb->length + count);
}

void kiln_strbuf_adds(struct kiln_strbuf *sb, const char *string)
{
	kiln_strbuf_add(sb, string, strlen(string));
}

void kiln_strbuf_addf(struct kiln_strbuf *sb, const char *format, ...)
{
	va_list args, again;
	int count;

	va_start(args, format);
	va_copy(again, args);
	count = vsnprintf(NULL, 0, format, args);
	if (count < 0)
		fail(sb);
	else if (count > 0 && reserve(sb, (size_t)count)) {
		vsnprintf(sb->data + sb->length, (size_t)count + 1, format, again);
		sb->length += (size_t)count;
	}
	va_end(again);
	va_end(args);
}

/* What fstat says is a hint: files in /proc claim to be empty. */
static size_t size_hint(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < READ_AT_LEAST)
		return READ_AT_LEAST;
	return (size_t)st.st_size + 1;
}

int kiln_strbuf_read_fd(struct kiln_strbuf *sb, int fd)
{
	size_t before = sb->length;
	size_t want = size_hint(fd);
	ssize_t got;

	for (;;) {
		if (!reserve(sb, want)) {
			errno = ENOMEM;
			return -1;
		}
		got = read(fd, sb->data + sb->length, sb->capacity - sb->length - 1);
		if (got == 0)
			break;
		if (got > 0)
			sb->length += (size_t)got;
		else if (errno != EINTR) {
			set_length(sb, before);
			return -1;
		}
		want = 1;
	}
	set_length(sb, sb->length);
	return 0;
}

int kiln_strbuf_write_fd(const struct kiln_strbuf *sb, int fd)
{
	for (size_t done = 0; done < sb->length;) {
		ssize_t count = write(fd, sb->data + done, sb->length - done);

		if (count >= 0)
			done += (size_t)count;
		else if (errno != EINTR)
			return -1;
	}
	return 0;
}
