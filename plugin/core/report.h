/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kiln_report for functions that take a format themselves. Private to the core.
 */
#ifndef KILN_CORE_REPORT_H
#define KILN_CORE_REPORT_H

#include <stdarg.h>

#include "kiln/err.h"

/* The place that a message blames, as in struct kiln_err. */
struct kiln_where {
	const char *path;
	unsigned line;
	unsigned column;
};

void kiln_report_args(struct kiln_sink *sink, enum kiln_severity severity,
		      const struct kiln_where *where, const char *format, va_list args)
	KILN_PRINTF(4, 0);

#endif
