/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages of the core: a place in a file and one complete sentence.
 *
 * Core functions neither print nor exit. They hand each message to the sink
 * that the caller passed in, and go on to find further faults where that makes
 * sense, so that one run shows every mistake of a policy. A message lives only
 * for the duration of the call; nothing here allocates, so that running out of
 * memory can be reported too.
 */
#ifndef KILN_ERR_H
#define KILN_ERR_H

#include "base.h"

KILN_BEGIN_DECLS

enum kiln_severity {
	KILN_ERROR,	/* the policy cannot be used */
	KILN_WARNING,	/* usable, but something cannot hold */
	KILN_NOTE,	/* belongs to the message before it */
};

/* A longer text is cut and ends in "...". */
#define KILN_ERR_TEXT_MAX 1024

struct kiln_err {
	enum kiln_severity severity;
	const char *path;	/* NULL: no file is concerned */
	unsigned line;		/* from 1; 0: the whole file */
	unsigned column;	/* from 1, in bytes; 0: the whole line */
	const char *text;	/* a sentence without a full stop */
};

/* Receives every message in the order found. Must not call back into the core. */
struct kiln_sink {
	void (*report)(struct kiln_sink *sink, const struct kiln_err *err);
};

/* Formats a message and hands it to SINK. A NULL sink drops it. */
void kiln_report(struct kiln_sink *sink, enum kiln_severity severity,
		 const char *path, unsigned line, unsigned column,
		 const char *format, ...) KILN_PRINTF(6, 7);

/* "error", "warning", "note". */
const char *kiln_severity_name(enum kiln_severity severity);

KILN_END_DECLS

#endif
