// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void say(const char *severity, const char *format, va_list args)
{
	fprintf(stderr, "kiln: %s: ", severity);
	vfprintf(stderr, format, args);
	fputc('\n', stderr);
}

enum cli_status cli_trouble(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("error", format, args);
	va_end(args);
	return CLI_TROUBLE;
}

enum cli_status cli_no_memory(void)
{
	return cli_trouble("out of memory");
}

void cli_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	say("note", format, args);
	va_end(args);
}

/* An error that is a fault in a policy's text has a column; no other one has. */
static void count(struct cli_sink *sink, const struct kiln_err *err)
{
	if (err->severity != KILN_ERROR)
		return;
	sink->errors++;
	if (!err->column)
		sink->trouble = true;
}

static void report(struct kiln_sink *base, const struct kiln_err *err)
{
	count((struct cli_sink *)base, err);
	fputs(err->path ? err->path : "kiln", stderr);
	if (err->path && err->line)
		fprintf(stderr, ":%u", err->line);
	if (err->path && err->column)
		fprintf(stderr, ":%u", err->column);
	fprintf(stderr, ": %s: %s\n", kiln_severity_name(err->severity), err->text);
}

void cli_sink_init(struct cli_sink *sink)
{
	*sink = (struct cli_sink){.sink = {report}};
}

enum cli_status cli_finish_output(enum cli_status status)
{
	bool failed = ferror(stdout);

	errno = 0;
	if (!fclose(stdout) && !failed)
		return status;
	if (errno)
		return cli_trouble("the output cannot be written: %s", strerror(errno));
	return cli_trouble("the output cannot be written");
}
