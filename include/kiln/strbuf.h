/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing, always NUL-terminated string.
 *
 * A failed allocation is remembered in `failed` and makes every later addition
 * a no-op, so that a caller may add piece by piece and ask once at the end.
 * `data` is never NULL: an empty or failed buffer points at "".
 */
#ifndef KILN_STRBUF_H
#define KILN_STRBUF_H

#include "base.h"

KILN_BEGIN_DECLS

struct kiln_strbuf {
	char *data;	/* owned by the buffer unless capacity is 0 */
	size_t length;	/* bytes before the NUL */
	size_t capacity;
	bool failed;
};

void kiln_strbuf_init(struct kiln_strbuf *sb);
/* Frees the storage; SB is as after init. NULL is allowed. */
void kiln_strbuf_release(struct kiln_strbuf *sb);

/* Forgets the text and a failure, keeps the storage. */
void kiln_strbuf_reset(struct kiln_strbuf *sb);
/* Shortens to LENGTH bytes; a LENGTH beyond the end changes nothing. */
void kiln_strbuf_truncate(struct kiln_strbuf *sb, size_t length);

void kiln_strbuf_add(struct kiln_strbuf *sb, const void *bytes, size_t count);
void kiln_strbuf_adds(struct kiln_strbuf *sb, const char *string);
void kiln_strbuf_addf(struct kiln_strbuf *sb, const char *format, ...) KILN_PRINTF(2, 3);

/* Reads the whole of an open file descriptor; -1 with errno set on failure. */
int kiln_strbuf_read_fd(struct kiln_strbuf *sb, int fd);
/* Writes the text to an open file descriptor; -1 with errno set: not all of it. */
int kiln_strbuf_write_fd(const struct kiln_strbuf *sb, int fd);

KILN_END_DECLS

#endif
