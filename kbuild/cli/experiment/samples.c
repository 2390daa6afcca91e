// SPDX-License-Identifier: GPL-2.0-or-later
#include "samples.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Columns that are no metric. */
#define STARTED  "started"
#define GOVERNOR "governor"
#define LAYOUT   "layout"

/* A number that says more is taken for an error: exact ones get as long as their exponent. */
#define MAX_EXPONENT 400
#define MAX_DIGITS   400

void samples_init(struct samples *samples, const char *path)
{
	*samples = (struct samples){.path = path, .format = "CSV"};
	kiln_strbuf_init(&samples->text);
	keep_table_init(&samples->metrics, sizeof(struct samples_metric));
	keep_table_init(&samples->words, sizeof(struct keep_entry));
}

void samples_release(struct samples *samples)
{
	for (size_t i = 0; i < samples->metrics.nr_slots; i++) {
		struct samples_metric *metric = (struct samples_metric *)samples->metrics.slots[i];

		for (size_t v = 0; metric && v < metric->nr_values; v++)
			mpq_clear(metric->values[v]);
		if (metric)
			free(metric->values);
	}
	for (size_t i = 0; i < samples->nr_runs; i++)
		mpq_clear(samples->runs[i].started);
	free(samples->runs);
	keep_table_release(&samples->metrics);
	keep_table_release(&samples->words);
	kiln_strbuf_release(&samples->text);
}

/* ARRAY, with room for one more of SIZE bytes; NULL: no memory, and it is as it was. */
static void *grow(void *array, size_t count, size_t *capacity, size_t size)
{
	size_t wanted = *capacity ? 2 * *capacity : 16;
	void *grown;

	if (count < *capacity)
		return array;
	grown = realloc(array, wanted * size);
	if (grown)
		*capacity = wanted;
	return grown;
}

static struct samples_metric *find_metric(struct samples *samples, const char *name, size_t length)
{
	size_t place = samples->metrics.count;
	struct samples_metric *metric =
		(struct samples_metric *)keep_table_add(&samples->metrics, name, length);

	if (metric && samples->metrics.count > place)
		metric->place = place;
	return metric;
}

static bool add_value(struct samples_metric *metric, const mpq_t value)
{
	mpq_t *values =
		(mpq_t *)grow(metric->values, metric->nr_values, &metric->capacity, sizeof(mpq_t));

	if (!values)
		return false;
	metric->values = values;
	mpq_init(metric->values[metric->nr_values]);
	mpq_set(metric->values[metric->nr_values++], value);
	return true;
}

bool samples_add(struct samples *samples, const char *name, bool more_is_better, const mpq_t value)
{
	struct samples_metric *metric = find_metric(samples, name, strlen(name));

	if (!metric)
		return false;
	metric->more_is_better = more_is_better;
	return add_value(metric, value);
}

static struct samples_run *add_run(struct samples *samples)
{
	struct samples_run *run,
		*runs = (struct samples_run *)grow(samples->runs, samples->nr_runs,
						   &samples->capacity, sizeof(*run));

	if (!runs)
		return NULL;
	samples->runs = runs;
	run = &samples->runs[samples->nr_runs++];
	*run = (struct samples_run){.has_started = false};
	mpq_init(run->started);
	return run;
}

/* ---- numbers ---- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* DIGITS times 10 to the EXPONENT. */
static void set_decimal(mpq_t value, const char *digits, long exponent)
{
	mpz_t power;

	mpz_init(power);
	mpz_ui_pow_ui(power, 10, (unsigned long)(exponent < 0 ? -exponent : exponent));
	mpz_set_str(mpq_numref(value), digits, 10);
	mpz_set_ui(mpq_denref(value), 1);
	if (exponent < 0)
		mpz_set(mpq_denref(value), power);
	else
		mpz_mul(mpq_numref(value), mpq_numref(value), power);
	mpq_canonicalize(value);
	mpz_clear(power);
}

/* "e-3" after the digits; how long it is, 0: there is none. */
static size_t read_exponent(const char *text, long *exponent)
{
	char *end;
	long more;

	if ((*text != 'e' && *text != 'E') ||
	    !is_digit(text[1 + (text[1] == '-' || text[1] == '+')]))
		return 0;
	more = strtol(text + 1, &end, 10);
	*exponent += more > MAX_EXPONENT || more < -MAX_EXPONENT ? 2 * MAX_EXPONENT : more;
	return (size_t)(end - text);
}

size_t samples_number(const char *text, bool commas, mpq_t ret_value)
{
	char digits[MAX_DIGITS + 2];
	size_t nr_digits = 0;
	const char *at = text;
	bool is_fraction = false, has_digits = false;
	long exponent = 0;

	if (*at == '-' || *at == '+')
		digits[nr_digits] = *at == '-' ? '-' : '0', nr_digits++, at++;
	for (;; at++) {
		if (*at == '.' && !is_fraction) {
			is_fraction = true;
			continue;
		}
		if (commas && *at == ',' && has_digits && !is_fraction && is_digit(at[1]))
			continue;
		if (!is_digit(*at) || nr_digits > MAX_DIGITS)
			break;
		digits[nr_digits++] = *at;
		has_digits = true;
		exponent -= is_fraction;
	}
	if (!has_digits)
		return 0;
	digits[nr_digits] = '\0';
	at += read_exponent(at, &exponent);
	if (nr_digits > MAX_DIGITS || exponent > MAX_EXPONENT || exponent < -MAX_EXPONENT)
		return 0;
	set_decimal(ret_value, digits, exponent);
	return (size_t)(at - text);
}

/* ---- CSV ---- */

enum column_kind { COLUMN_METRIC, COLUMN_STARTED, COLUMN_GOVERNOR, COLUMN_LAYOUT };

struct column {
	enum column_kind kind;
	struct samples_metric *metric; /* of that kind */
};

struct csv {
	struct samples *samples;
	char *at, *line_start; /* in the text, which is cut into cells */
	unsigned line;
	struct column *columns;
	size_t nr_columns, capacity;
	mpq_t number;
};

static enum cli_status fault(const struct csv *csv, const char *cell, const char *what)
{
	return cli_trouble("%s:%u:%zu: %s", csv->samples->path, csv->line,
			   (size_t)(cell - csv->line_start) + 1, what);
}

static bool is_end(char c)
{
	return !c || c == '\n' || c == '\r';
}

/*
 * The next cell of the line, a string where it stands, without its quotes and the blanks
 * around it. *RET_LAST: the line ends after it. NULL: its quotes do not.
 */
static char *next_cell(struct csv *csv, bool *ret_last)
{
	char *cell, *to, end;

	csv->at += strspn(csv->at, " \t");
	cell = to = csv->at;
	if (*cell == '"') {
		cell++, csv->at++;
		to = cell;
		while (*csv->at && *csv->at != '\n' && (*csv->at != '"' || csv->at[1] == '"')) {
			csv->at += *csv->at == '"';
			*to++ = *csv->at++;
		}
		if (*csv->at != '"')
			return NULL;
		csv->at++;
		csv->at += strspn(csv->at, " \t");
	} else {
		csv->at += strcspn(csv->at, ",\r\n");
		to = csv->at;
		while (to > cell && (to[-1] == ' ' || to[-1] == '\t'))
			to--;
	}
	end = *csv->at;
	if (end != ',' && !is_end(end))
		return NULL;
	*ret_last = end != ',';
	csv->at += end == '\r' ? 1 + (csv->at[1] == '\n') : end != '\0';
	*to = '\0';
	return cell;
}

/* To the next line that is neither blank nor a comment. False: there is none. */
static bool next_line(struct csv *csv)
{
	for (;; csv->at += *csv->at == '\n') {
		char *line = csv->at;

		csv->line++;
		line += strspn(line, " \t");
		if (!*line)
			return false;
		if (*line != '#' && !is_end(*line)) {
			csv->line_start = csv->at;
			return true;
		}
		csv->at = line + strcspn(line, "\n");
	}
}

static enum column_kind column_kind(const char *name)
{
	if (!strcmp(name, STARTED))
		return COLUMN_STARTED;
	if (!strcmp(name, GOVERNOR))
		return COLUMN_GOVERNOR;
	return strcmp(name, LAYOUT) ? COLUMN_METRIC : COLUMN_LAYOUT;
}

static enum cli_status add_column(struct csv *csv, const char *name)
{
	struct column *column, *columns;
	size_t count = csv->samples->metrics.count;

	if (!*name)
		return fault(csv, name, "a column has no name");
	columns = (struct column *)grow(csv->columns, csv->nr_columns, &csv->capacity,
					sizeof(*column));
	if (!columns)
		return cli_no_memory();
	csv->columns = columns;
	column = &csv->columns[csv->nr_columns++];
	*column = (struct column){.kind = column_kind(name)};
	if (column->kind != COLUMN_METRIC)
		return CLI_OK;
	if (samples_number(name, false, csv->number) == strlen(name))
		return fault(csv, name,
			     "the first line must name the columns, and this is a number");
	column->metric = find_metric(csv->samples, name, strlen(name));
	if (!column->metric)
		return cli_no_memory();
	if (csv->samples->metrics.count == count)
		return fault(csv, name, "there is another column of that name");
	return CLI_OK;
}

static enum cli_status read_head(struct csv *csv)
{
	enum cli_status status = CLI_OK;
	bool is_last = false;

	while (status == CLI_OK && !is_last) {
		char *start = csv->at, *cell = next_cell(csv, &is_last);

		status = cell ? add_column(csv, cell)
			      : fault(csv, start, "the quotes do not end, or not with the cell");
	}
	if (status == CLI_OK && !csv->samples->metrics.count)
		return fault(csv, csv->line_start, "there is no column of a metric");
	return status;
}

static const char *add_word(struct samples *samples, const char *word)
{
	const struct keep_entry *entry = keep_table_add(&samples->words, word, strlen(word));

	return entry ? entry->text : NULL;
}

static enum cli_status add_cell(struct csv *csv, const struct column *column, const char *cell,
				struct samples_run *run)
{
	const char **word = column->kind == COLUMN_GOVERNOR ? &run->governor : &run->layout;

	if (!*cell) {
		csv->samples->nr_missing += column->kind == COLUMN_METRIC;
		return CLI_OK;
	}
	if (column->kind == COLUMN_GOVERNOR || column->kind == COLUMN_LAYOUT) {
		*word = add_word(csv->samples, cell);
		return *word ? CLI_OK : cli_no_memory();
	}
	if (samples_number(cell, false, csv->number) != strlen(cell))
		return fault(csv, cell,
			     "this is no number; leave the cell of a run that failed empty");
	if (column->kind == COLUMN_STARTED) {
		mpq_set(run->started, csv->number);
		run->has_started = true;
		return CLI_OK;
	}
	return add_value(column->metric, csv->number) ? CLI_OK : cli_no_memory();
}

static enum cli_status read_row(struct csv *csv)
{
	struct samples_run *run = add_run(csv->samples);
	enum cli_status status = run ? CLI_OK : cli_no_memory();
	size_t nr_cells = 0;
	bool is_last = false;

	while (status == CLI_OK && !is_last) {
		char *start = csv->at, *cell = next_cell(csv, &is_last);

		if (!cell)
			return fault(csv, start, "the quotes do not end, or not with the cell");
		if (nr_cells == csv->nr_columns)
			return fault(csv, cell, "more cells than the first line has names");
		status = add_cell(csv, &csv->columns[nr_cells++], cell, run);
	}
	if (status == CLI_OK && nr_cells < csv->nr_columns)
		return fault(csv, csv->line_start, "fewer cells than the first line has names");
	return status;
}

static enum cli_status read_csv(struct samples *samples)
{
	struct csv csv = {.samples = samples, .at = samples->text.data};
	enum cli_status status = CLI_OK;

	mpq_init(csv.number);
	if (!next_line(&csv))
		status = cli_trouble("%s: nothing was measured: the file is empty", samples->path);
	else
		status = read_head(&csv);
	while (status == CLI_OK && next_line(&csv))
		status = read_row(&csv);
	mpq_clear(csv.number);
	free(csv.columns);
	return status;
}

enum cli_status samples_read(struct samples *samples)
{
	bool is_stdin = !strcmp(samples->path, "-");
	int fd = is_stdin ? STDIN_FILENO : open(samples->path, O_RDONLY | O_CLOEXEC);
	int error = fd < 0 || kiln_strbuf_read_fd(&samples->text, fd) ? errno : 0;
	enum cli_status status;

	if (fd >= 0 && !is_stdin)
		close(fd);
	if (error)
		return cli_trouble("'%s' cannot be read: %s", samples->path, strerror(error));
	if (strlen(samples->text.data) != samples->text.length)
		return cli_trouble("'%s' is no text", samples->path);
	if (samples_read_program(samples, &status))
		return status;
	return read_csv(samples);
}
