// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "diag.h"

static bool strict_mode;
static unsigned errors;

static const struct kiln_setting *gcc_setting;
static kiln_starter_fn gcc_starter;
static int gcc_errors_before;

static void print(enum kiln_severity severity, const char *path, unsigned line,
		  unsigned column, const char *text)
{
	if (severity == KILN_WARNING && strict_mode)
		severity = KILN_ERROR;
	if (severity == KILN_ERROR)
		errors++;
	if (!path)
		fputs("kiln: ", stderr);
	else if (!line)
		fprintf(stderr, "%s: ", path);
	else if (!column)
		fprintf(stderr, "%s:%u: ", path, line);
	else
		fprintf(stderr, "%s:%u:%u: ", path, line, column);
	fprintf(stderr, "%s: %s\n", kiln_severity_name(severity), text);
}

static void report(struct kiln_sink *sink, const struct kiln_err *err)
{
	(void)sink;
	print(err->severity, err->path, err->line, err->column, err->text);
}

struct kiln_sink *diag_sink(void)
{
	static struct kiln_sink sink = { report };

	return &sink;
}

void diag_set_strict(bool strict)
{
	strict_mode = strict;
}

static void vprint(enum kiln_severity severity, const char *path, unsigned line,
		   unsigned column, const char *format, va_list args)
{
	char text[KILN_ERR_TEXT_MAX];

	vsnprintf(text, sizeof(text), format, args);
	print(severity, path, line, column, text);
}

void diag_setting(enum kiln_severity severity, const struct kiln_setting *setting,
		  const char *format, ...)
{
	const struct kiln_rule *rule = setting->rule;
	va_list args;

	va_start(args, format);
	vprint(severity, rule->path, rule->line, setting->column, format, args);
	va_end(args);
}

void diag_plain(enum kiln_severity severity, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vprint(severity, NULL, 0, 0, format, args);
	va_end(args);
}

/* In place of GCC's own starter, which would print "cc1:". */
static void start_at_setting(kiln_starter_output output, kiln_diagnostic *diagnostic)
{
	const struct kiln_rule *rule = gcc_setting->rule;
	const char *kind = kiln_is_error(diagnostic) ? "error"
			   : kiln_is_note(diagnostic) ? "note" : "warning";

	pp_set_prefix(kiln_starter_printer(output),
		      xasprintf("%s:%u:%u: %s: ", rule->path, rule->line,
				gcc_setting->column, kind));
}

void diag_gcc_begin(const struct kiln_setting *setting)
{
	gcc_setting = setting;
	gcc_errors_before = errorcount;
	gcc_starter = kiln_starter();
	kiln_starter() = start_at_setting;
}

void diag_gcc_end(void)
{
	kiln_starter() = gcc_starter;
	errors += errorcount - gcc_errors_before;
}

unsigned diag_errors(void)
{
	return errors;
}

void diag_finish(void)
{
	if (errors)
		error("kiln: %u error(s) in the policy or in the plugin%'s arguments", errors);
	errors = 0;
}
