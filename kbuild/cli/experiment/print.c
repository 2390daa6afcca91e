// SPDX-License-Identifier: GPL-2.0-or-later
#include "comparison.h"

#include <float.h>
#include <mpfr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- numbers as texts ---- */

/* The nearest double; mpq_get_d() cuts off. */
static double nearest(const mpq_t x)
{
	double value;
	mpfr_t rounded;

	mpfr_init2(rounded, DBL_MANT_DIG);
	mpfr_set_q(rounded, x, MPFR_RNDN);
	value = mpfr_get_d(rounded, MPFR_RNDN);
	mpfr_clear(rounded);
	return value;
}

/* X as per cent with two digits after the point, rounded up: "0.41" of 0.00401. X is not negative.
 */
static void add_percent_up(struct kiln_strbuf *sb, const mpq_t x)
{
	mpz_t hundredths;

	mpz_init(hundredths);
	mpz_mul_ui(hundredths, mpq_numref(x), 10000);
	mpz_cdiv_q(hundredths, hundredths, mpq_denref(x));
	kiln_strbuf_addf(sb, "%.2f", mpz_get_d(hundredths) / 100);
	mpz_clear(hundredths);
}

/* The distance of RATIO from 1, or of OTHER if that is farther. */
static void add_change(struct kiln_strbuf *sb, const mpq_t ratio, const mpq_t other)
{
	mpq_t one, change, more;

	mpq_inits(one, change, more, NULL);
	mpq_set_ui(one, 1, 1);
	mpq_sub(change, ratio, one);
	mpq_sub(more, other, one);
	mpq_abs(change, change);
	mpq_abs(more, more);
	add_percent_up(sb, mpq_cmp(change, more) > 0 ? change : more);
	mpq_clears(one, change, more, NULL);
}

static bool is_constant(const struct verdict *verdict)
{
	return verdict->has_interval && mpq_equal(verdict->low, verdict->high);
}

/* The verdict in words. */
static void add_words(struct kiln_strbuf *sb, const struct verdict *verdict)
{
	switch (verdict->word) {
	case VERDICT_FASTER:
	case VERDICT_SLOWER:
		kiln_strbuf_adds(sb, verdict->word == VERDICT_FASTER ? "faster" : "slower");
		if (verdict->has_ratio) {
			kiln_strbuf_adds(sb, mpq_cmp_ui(verdict->ratio, 1, 1) > 0 ? ": +" : ": -");
			kiln_strbuf_addf(sb, "%.2f %%",
					 100 * (mpq_cmp_ui(verdict->ratio, 1, 1) > 0
							? nearest(verdict->ratio) - 1
							: 1 - nearest(verdict->ratio)));
		}
		break;
	case VERDICT_UNCLEAR:
		kiln_strbuf_adds(sb, "unclear: a difference if this were the only metric");
		break;
	case VERDICT_TOO_FEW:
		kiln_strbuf_adds(sb, "too few runs to see any effect");
		break;
	case VERDICT_NO_EFFECT:
		kiln_strbuf_adds(sb, "no effect seen");
		if (is_constant(verdict)) {
			kiln_strbuf_adds(sb, "; all runs have the same ratio");
		} else if (verdict->has_interval) {
			kiln_strbuf_adds(sb, "; more than ");
			add_change(sb, verdict->low, verdict->high);
			kiln_strbuf_adds(sb, " % is excluded");
		}
		break;
	}
}

static const char *const word_names[] = {
	[VERDICT_FASTER] = "faster",        [VERDICT_SLOWER] = "slower",
	[VERDICT_UNCLEAR] = "unclear",      [VERDICT_NO_EFFECT] = "no effect seen",
	[VERDICT_TOO_FEW] = "too few runs",
};

static void add_p(struct kiln_strbuf *sb, const mpq_t p)
{
	double value = nearest(p);

	if (value > 0)
		kiln_strbuf_addf(sb, value < 0.0001 ? "%.1e" : "%.4f", value);
	else
		kiln_strbuf_adds(sb, "1e-300");
}

/* ---- text ---- */

enum {
	COLUMN_NAME,
	COLUMN_A,
	COLUMN_B,
	COLUMN_RATIO,
	COLUMN_INTERVAL,
	COLUMN_P,
	COLUMN_SEES,
	COLUMN_WORDS,
	NR_COLUMNS
};

typedef struct kiln_strbuf row[NR_COLUMNS];

static void init_row(row cells)
{
	for (int i = 0; i < NR_COLUMNS; i++)
		kiln_strbuf_init(&cells[i]);
}

static void fill_head(row cells, const struct comparison *comparison)
{
	const char *names[NR_COLUMNS] = {"metric", "A", "B",         "B/A",
					 NULL,     "p", "could see", "verdict"};

	for (int i = 0; i < NR_COLUMNS; i++)
		kiln_strbuf_adds(&cells[i], names[i] ? names[i] : "");
	kiln_strbuf_addf(&cells[COLUMN_INTERVAL], "%g %% interval",
			 100 * (1 - nearest(comparison->alpha)));
}

static void fill_row(row cells, const struct verdict *verdict)
{
	kiln_strbuf_adds(&cells[COLUMN_NAME], verdict->a->entry.text);
	kiln_strbuf_addf(&cells[COLUMN_A], "%.6g (%zu)", nearest(verdict->median_a),
			 verdict->a->nr_values);
	kiln_strbuf_addf(&cells[COLUMN_B], "%.6g (%zu)", nearest(verdict->median_b),
			 verdict->b->nr_values);
	if (verdict->has_ratio)
		kiln_strbuf_addf(&cells[COLUMN_RATIO], "%.4f", nearest(verdict->ratio));
	else
		kiln_strbuf_adds(&cells[COLUMN_RATIO], "-");
	if (verdict->has_interval) {
		kiln_strbuf_addf(&cells[COLUMN_INTERVAL], "%.4f to %.4f", nearest(verdict->low),
				 nearest(verdict->high));
		add_percent_up(&cells[COLUMN_SEES], verdict->could_see);
		kiln_strbuf_adds(&cells[COLUMN_SEES], " %");
	} else {
		kiln_strbuf_adds(&cells[COLUMN_INTERVAL], "-");
		kiln_strbuf_adds(&cells[COLUMN_SEES], "-");
	}
	add_p(&cells[COLUMN_P], verdict->adjusted);
	add_words(&cells[COLUMN_WORDS], verdict);
}

static bool print_rows(row *rows, size_t nr_rows)
{
	size_t widths[NR_COLUMNS] = {0};
	bool failed = false;

	for (size_t i = 0; i < nr_rows; i++) {
		for (int column = 0; column < NR_COLUMNS; column++) {
			failed |= rows[i][column].failed;
			if (rows[i][column].length > widths[column])
				widths[column] = rows[i][column].length;
		}
	}
	for (size_t i = 0; i < nr_rows; i++) {
		for (int column = 0; column < NR_COLUMNS - 1; column++)
			printf(column ? "%*s  " : "%-*s  ", (int)widths[column],
			       rows[i][column].data);
		puts(rows[i][COLUMN_WORDS].data);
	}
	return !failed;
}

static void print_arm(char letter, const struct samples *samples)
{
	printf("%c  %s: %s", letter, samples->path, samples->format);
	if (samples->nr_runs)
		printf(", %zu run%s", samples->nr_runs, samples->nr_runs == 1 ? "" : "s");
	putchar('\n');
}

enum cli_status comparison_print(const struct comparison *comparison)
{
	size_t nr_rows = comparison->verdicts.count + 1;
	row *rows = (row *)calloc(nr_rows, sizeof(row));
	bool printed;

	if (!rows)
		return cli_no_memory();
	for (size_t i = 0; i < nr_rows; i++) {
		init_row(rows[i]);
		if (i)
			fill_row(rows[i], &comparison->verdicts.list[i - 1]);
		else
			fill_head(rows[i], comparison);
	}
	print_arm('A', &comparison->a);
	print_arm('B', &comparison->b);
	putchar('\n');
	printed = print_rows(rows, nr_rows);
	if (comparison->nr_warnings)
		putchar('\n');
	for (size_t i = 0; i < comparison->nr_warnings; i++)
		printf("warning: %s\n", comparison->warnings[i].data);
	for (size_t i = 0; i < nr_rows; i++) {
		for (int column = 0; column < NR_COLUMNS; column++)
			kiln_strbuf_release(&rows[i][column]);
	}
	free(rows);
	return printed ? CLI_OK : cli_no_memory();
}

/* ---- for programs ---- */

/* What CSV and JSON tell of a verdict, in this order; VALUE is NULL where it is not known. */
struct field {
	const char *name;
	const mpq_t *value;
};

static size_t number_fields(const struct verdict *verdict, struct field ret_fields[8])
{
	const struct field fields[] = {
		{"median_a", &verdict->median_a},
		{"median_b", &verdict->median_b},
		{"ratio", verdict->has_ratio ? &verdict->ratio : NULL},
		{"low", verdict->has_interval ? &verdict->low : NULL},
		{"high", verdict->has_interval ? &verdict->high : NULL},
		{"could_see", verdict->has_interval ? &verdict->could_see : NULL},
		{"p", &verdict->p},
		{"p_adjusted", &verdict->adjusted},
	};

	memcpy(ret_fields, fields, sizeof(fields));
	return sizeof(fields) / sizeof(fields[0]);
}

static void print_json_arm(const char *key, const struct samples *samples)
{
	printf("\"%s\": {\"path\": ", key);
	cli_print_json_string(samples->path);
	printf(", \"format\": \"%s\"}", samples->format);
}

static void print_json_verdict(const struct verdict *verdict)
{
	struct field fields[8];
	size_t nr_fields = number_fields(verdict, fields);

	printf("{\"metric\": ");
	cli_print_json_string(verdict->a->entry.text);
	printf(", \"more_is_better\": %s, \"runs_a\": %zu, \"runs_b\": %zu",
	       verdict->more_is_better ? "true" : "false", verdict->a->nr_values,
	       verdict->b->nr_values);
	for (size_t i = 0; i < nr_fields; i++) {
		printf(", \"%s\": ", fields[i].name);
		if (fields[i].value)
			printf("%.15g", nearest(*fields[i].value));
		else
			fputs("null", stdout);
	}
	printf(", \"verdict\": \"%s\"}", word_names[verdict->word]);
}

enum cli_status comparison_print_json(const struct comparison *comparison)
{
	putchar('{');
	print_json_arm("a", &comparison->a);
	fputs(", ", stdout);
	print_json_arm("b", &comparison->b);
	printf(", \"alpha\": %.15g, \"metrics\": [", nearest(comparison->alpha));
	for (size_t i = 0; i < comparison->verdicts.count; i++) {
		fputs(i ? ",\n " : "\n ", stdout);
		print_json_verdict(&comparison->verdicts.list[i]);
	}
	printf("], \"warnings\": [");
	for (size_t i = 0; i < comparison->nr_warnings; i++) {
		fputs(i ? ",\n " : "\n ", stdout);
		cli_print_json_string(comparison->warnings[i].data);
	}
	puts("]}");
	return CLI_OK;
}

enum cli_status comparison_print_csv(const struct comparison *comparison)
{
	struct field fields[8];

	puts("metric,better,runs_a,runs_b,median_a,median_b,ratio,low,high,could_see,p,p_adjusted,"
	     "verdict");
	for (size_t i = 0; i < comparison->verdicts.count; i++) {
		const struct verdict *verdict = &comparison->verdicts.list[i];
		size_t nr_fields = number_fields(verdict, fields);

		cli_print_csv_string(verdict->a->entry.text);
		printf(",%s,%zu,%zu", verdict->more_is_better ? "more" : "less",
		       verdict->a->nr_values, verdict->b->nr_values);
		for (size_t f = 0; f < nr_fields; f++) {
			putchar(',');
			if (fields[f].value)
				printf("%.15g", nearest(*fields[f].value));
		}
		printf(",%s\n", word_names[verdict->word]);
	}
	for (size_t i = 0; i < comparison->nr_warnings; i++)
		cli_note("warning: %s", comparison->warnings[i].data);
	return CLI_OK;
}
