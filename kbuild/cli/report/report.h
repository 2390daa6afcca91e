/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `kiln report`, the command in ../report.c. Private to kbuild/cli.
 *
 *	gather.c	adds up what the units' records say
 *	table.c		a table: which columns, in which order, how much of it
 *	text.c json.c csv.c	the three outputs
 *
 * A table has rows, a row that is the sum of those that are not shown, and one that is
 * the sum of all. The sum is not made of the rows: each thing is added to both when it is
 * seen, so that one can be checked by the other.
 */
#ifndef KILN_REPORT_H
#define KILN_REPORT_H

#include <stdint.h>

#include "../keep/keep.h"
#include "../records/records.h"

enum report_by { REPORT_DIRECTORY, REPORT_FILE, REPORT_FUNCTION, REPORT_REASON };

/* Of directories, files and functions. */
enum report_count {
	REPORT_UNITS,         /* with a record */
	REPORT_FUNCTIONS,     /* that were put out */
	REPORT_CLONES,        /* of those */
	REPORT_TRACEABLE,     /* of those, with an mcount or patchable site */
	REPORT_KEPT,          /* by a rule */
	REPORT_LEFT,          /* alone */
	REPORT_ALWAYS_INLINE, /* calls inlined because the source says so, whenever */
	REPORT_EARLY,         /* other calls, by the early inliner */
	REPORT_IPA,           /* by the IPA inliner */
	REPORT_REFUSED,
	REPORT_SIZE_BEFORE, /* GCC's estimates, around the IPA inliner */
	REPORT_SIZE_AFTER,
	REPORT_FRAME, /* the largest */
	REPORT_NR_COUNTS,
};

/* Of reasons for which calls were refused. */
enum report_reason_count {
	REPORT_REASON_CALLS,
	REPORT_REASON_FUNCTIONS,
	REPORT_REASON_UNITS,
	REPORT_REASON_ESTIMATES, /* calls whose growth is known */
	REPORT_REASON_LEAST,     /* growth */
	REPORT_REASON_MOST,
	REPORT_NR_REASON_COUNTS,
};

struct report_column {
	const char *key;   /* for JSON and CSV */
	const char *title; /* for text */
	bool is_largest;   /* the whole has the largest and not the sum */
	bool is_least;
};

struct report_row {
	struct keep_entry entry;
	int64_t counts[REPORT_NR_COUNTS];
	int64_t *refused; /* REPORT_REFUSED by the reasons' numbers */
	size_t nr_refused;
	size_t last_unit, last_function; /* in which it was seen, from 1 */
};

/* "MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15", and its row in a table of reasons. */
struct report_reason {
	struct report_row row;
	size_t number;
	char *name, *limit; /* limit: or NULL */
};

/* The flags of units. */
struct report_flags {
	struct keep_entry entry;
	size_t units;
};

struct report {
	const struct records_build *build;
	enum report_by by;
	struct keep_table table;   /* of struct report_row, but for reasons */
	struct keep_table reasons; /* of struct report_reason */
	struct keep_table flags;
	struct report_row total;
	struct report_row reasons_total;  /* of a table of reasons */
	struct kiln_strbuf largest_frame; /* whose it is; "": no frame is known */

	/* table.c: once all is read. */
	const struct report_row **rows; /* those that are shown, in order */
	size_t nr_shown, nr_rows;
	struct report_row others;                    /* the sum of those that are not shown */
	const struct report_reason **sorted_reasons; /* the most frequent first */
	const struct report_flags **sorted_flags;    /* alike */
};

extern const char *const report_by_names[]; /* by enum report_by, NULL at the end */

/* ---- gather.c ---- */

/* Reads the records: damaged ones are said and counted by BUILD. */
enum cli_status report_gather(struct report *report, struct records_build *build,
			      enum report_by by);
void report_release(struct report *report);

/* How many calls of the row were refused for the reason of that number. */
int64_t report_refused(const struct report_row *row, size_t number);

/* ---- table.c ---- */

/* The report's columns. */
const struct report_column *report_columns(const struct report *report, size_t *ret_count);

/*
 * Has the row that number? Growths of calls without an estimate are none. A unit that is in
 * several rows is in the total once, so that what others have is no sum: units of functions,
 * units and functions of reasons.
 */
bool report_knows(const struct report *report, const struct report_row *row, size_t column);

/* The sum of all rows. */
const struct report_row *report_total(const struct report *report);

/* Brings all in order; TOP: the rows that are shown, 0 for all. */
enum cli_status report_arrange(struct report *report, size_t top);

/* ---- outputs ---- */

void report_print_text(const struct report *report);
void report_print_json(const struct report *report);
void report_print_csv(const struct report *report);

#endif
