/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page that `kiln report --html` writes. Private to kbuild/cli/report.
 *
 *	html.c		the page as a whole, and its file
 *	html-unit.c	what it says of a unit
 *	symbols.c	the sizes of the functions in an object
 *	page/		what shows it in a browser; make-page puts that together:
 *		page.html page.css
 *		elements.js	elements, numbers
 *		data.js		what the data says: units, functions, rows of the list
 *		summary.js map.js largest.js functions.js	the page's parts
 *		calls.js	what was inlined into a function, as a tree
 *		details.js	a function in a window of its own
 *		start.js	starts all of them
 *
 * The page is those with the data between them, as JSON, which data.js reads. The data is
 * what the records say, and no more: what can be counted or found in it is left to the
 * scripts, so that the file is small. Strings are told once and named by their numbers,
 * 0 being "". Lists of numbers end where only zeros would follow.
 *
 *	{"title": TEXT, "builds": [BUILD...], "texts": [TEXT...],
 *	 "reasons": [[NAME, LIMIT, SENTENCE]...]}
 *
 *	BUILD	{"name", "units", "missing", "damaged", "unread": [UNIT'S NAME...],
 *		 "totals": {as --json has them}, "flags": [[FLAGS, UNITS]...], "list": [UNIT...]}
 *	UNIT	[NAME, SETTINGS, HAS_SIZES, [FUNCTION...], COPIES, EARLY, REFUSED, RULED]
 *	FUNCTION [NAME, HOW, FILE, BEFORE, AFTER, BYTES, FRAME + 1, SETTINGS, SECTION,
 *		  COLD BYTES, ORIGIN + 1, KIND, TWIN + 1]
 *	COPIES	OUTER, FUNCTION, LINE, IS_WITHIN of each copy
 *	EARLY	BODY, COUNT, and so many times CALLEE, LINE
 *	REFUSED	BODY, REASON, COUNT, and so many times CALLEE, LINE, GROWTH or null
 *	RULED	FUNCTION, CALLEE, WORD, WHY it cannot hold, of each
 *
 * A BODY is the number of a function, or of a copy: those count on from the functions.
 */
#ifndef KILN_REPORT_HTML_H
#define KILN_REPORT_HTML_H

#include "report.h"

/* HOW, the sum of: */
enum html_how {
	HTML_PUT_OUT = 1 << 0,
	HTML_TRACEABLE = 1 << 1,
	HTML_DYNAMIC = 1 << 2, /* its frame */
	HTML_BOUNDED = 1 << 3,
	HTML_ALWAYS_INLINE = 1 << 4,
	HTML_LEFT = 1 << 5, /* alone */
	HTML_KEPT = 1 << 6,
	HTML_COPIED = 1 << 7, /* from a header */
	HTML_MERGED = 1 << 8,
	HTML_HAS_SIZES = 1 << 9,    /* BEFORE is known */
	HTML_IS_LEFT = 1 << 10,     /* and so is AFTER: something is left of it */
	HTML_SYMBOL = 1 << 11,      /* the object has it, and the record has not */
	HTML_NAMED_ALONE = 1 << 12, /* no rule was asked about it */
};

struct html {
	struct kiln_strbuf units; /* of the build that is read */
	struct kiln_strbuf texts;
	struct keep_table numbers; /* of texts */
	struct kiln_strbuf reasons;
	struct keep_table reason_numbers;
};

/* The number of the text. Out of memory: a buffer or table has failed. */
unsigned html_text(struct html *html, const char *text);
unsigned html_reason(struct html *html, const char *name, const char *limit);

/* ---- symbols.c ---- */

struct html_symbol {
	struct keep_entry entry; /* the symbol's name */
	uint64_t bytes;
	uint64_t cold_bytes; /* of its .cold part */
	unsigned function;   /* that it is of, plus 1; 0: none that the record tells of */
};

/* The functions of an object, by name. */
struct html_symbols {
	struct keep_table table; /* of struct html_symbol */
	struct html_code *code;  /* sorted by address */
	size_t nr_code, capacity;
	bool failed;
};

void html_symbols_init(struct html_symbols *symbols);
void html_symbols_release(struct html_symbols *symbols);

/* Faults are said. */
enum cli_status html_symbols_read(struct html_symbols *symbols, const char *path);

/* NULL: there is no such function in the object. */
struct html_symbol *html_symbols_find(const struct html_symbols *symbols, const char *name);

/*
 * Gives every byte to one symbol: of code with several names to one that is a function's of
 * the record, or the first by strcmp(); of a .cold part to its function. The others have none.
 */
void html_symbols_settle(struct html_symbols *symbols);

/* ---- html-unit.c ---- */

/*
 * Appends the unit to the page's units. OBJECT is a path. RET_HAS_SIZES: could it be read?
 * If not, that is said where it is there.
 */
enum cli_status html_add_unit(struct html *html, const struct records_unit *unit,
			      const char *object, bool *ret_has_sizes);

/* ---- html.c ---- */

/* OTHER is NULL, or the build to compare with; TITLE may be NULL. */
enum cli_status html_write(const char *path, const char *title, struct records_build *build,
			   struct records_build *other);

/* ---- made by make-page: the page before the data and after it ---- */

extern const char html_page_head[], html_page_tail[];

#endif
