/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every unit test needs: how it is run, and a sink that keeps messages.
 */
#ifndef KILN_UNIT_SUITE_H
#define KILN_UNIT_SUITE_H

#include <check.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kiln/err.h"

/* Under `prove` standard output belongs to TAP. */
static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, getenv("CK_TAP_LOG_FILE_NAME") ? CK_SILENT : CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* xorshift64*, so that a seed means the same everywhere. */
static inline unsigned random_below(uint64_t *state, unsigned limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (unsigned)((*state * 0x2545f4914f6cdd1d) >> 33) % limit;
}

/* Keeps messages as lines "PATH:LINE:COLUMN: SEVERITY: TEXT"; allocates nothing. */
struct messages {
	struct kiln_sink sink;
	char text[64 * 1024];
	size_t length;
	unsigned errors;
};

static inline void keep_message(struct kiln_sink *sink, const struct kiln_err *err)
{
	struct messages *m = (struct messages *)(void *)sink;
	size_t left = sizeof(m->text) - m->length;
	int count;

	m->errors += err->severity == KILN_ERROR;
	count = snprintf(m->text + m->length, left, "%s:%u:%u: %s: %s\n",
			 err->path ? err->path : "-", err->line, err->column,
			 kiln_severity_name(err->severity), err->text);
	if (count > 0 && (size_t)count < left)
		m->length += (size_t)count;
	m->text[m->length] = '\0';
}

static inline void messages_init(struct messages *m)
{
	m->sink.report = keep_message;
	m->text[0] = '\0';
	m->length = 0;
	m->errors = 0;
}

#endif
