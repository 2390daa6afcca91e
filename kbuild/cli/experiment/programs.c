// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What benchmarks print. A line is known by a phrase; the number stands before or after
 * it. hackbench is that of rt-tests, perf bench and stress-ng those of Linux 6.1 and 0.15,
 * sysbench is 1.0, schbench the one with wakeup and request latencies, and the one before.
 */
#include "samples.h"

#include <stdio.h>
#include <string.h>

/* How lines begin that begin a run, and the program they are known by. */
static const struct {
	const char *phrase, *program;
} beginnings[] = {
	{"# Running '", "perf bench"},
	{"Each sender will pass ", "hackbench"},
	{"stress-ng: ", "stress-ng"},
	{"sysbench 1.", "sysbench"},
	{"Wakeup Latencies percentiles ", "schbench"},
	{"Latency percentiles (usec)", "schbench"},
};

/* The number after BEFORE, or else before AFTER. What is the same told otherwise is left out. */
static const struct rule {
	const char *program, *before, *after, *metric;
	bool more_is_better;
} rules[] = {
	{"hackbench", "Time: ", "", "time, s", false},
	{"perf bench", "", " usecs/op", "usecs/op", false},
	{"schbench", "average rps: ", "", "rps", true},
	{"sysbench", "95th percentile: ", "", "latency 95 %, ms", false},
};

struct reader {
	struct samples *samples;
	const char *program;     /* NULL: nothing is known yet */
	struct kiln_strbuf part; /* what the run is called, such as "sched/pipe" */
	struct kiln_strbuf key;
	mpq_t number;
	mpq_t time; /* of the run, until it is known whether another metric says more; or 0 */
	bool failed;
};

static void add(struct reader *reader, const char *metric, bool more_is_better)
{
	kiln_strbuf_reset(&reader->key);
	kiln_strbuf_addf(&reader->key, "%s%s%s %s", reader->program, reader->part.length ? " " : "",
			 reader->part.data, metric);
	reader->failed |= reader->key.failed || !samples_add(reader->samples, reader->key.data,
							     more_is_better, reader->number);
}

/* What LINE, after its beginning, calls the run. */
static void name(struct reader *reader, const char *line, const char *ends)
{
	kiln_strbuf_reset(&reader->part);
	kiln_strbuf_add(&reader->part, line, strcspn(line, ends));
	reader->failed |= reader->part.failed;
}

/* The number that ends before AT, blanks between. */
static bool number_before(struct reader *reader, const char *line, const char *at)
{
	const char *start;

	while (at > line && at[-1] == ' ')
		at--;
	for (start = at; start > line && strchr("0123456789.,", start[-1]);)
		start--;
	return samples_number(start, true, reader->number) == (size_t)(at - start) && at > start;
}

/* The number after PHRASE. */
static bool number_after(struct reader *reader, const char *line, const char *phrase)
{
	const char *at = strstr(line, phrase);

	if (!at)
		return false;
	at += strlen(phrase);
	at += strspn(at, " ");
	return samples_number(at, true, reader->number) && mpq_sgn(reader->number) >= 0;
}

static bool has_rule(struct reader *reader, const struct rule *rule, const char *line)
{
	const char *at;

	if (strcmp(rule->program, reader->program))
		return false;
	if (*rule->before)
		return number_after(reader, line, rule->before);
	at = strstr(line, rule->after);
	return at && number_before(reader, line, at);
}

/* "stress-ng: metrc: [17151] pipe  78089  1.01  0.18  0.50  77552.83  ...": the fifth number. */
static void read_stressor(struct reader *reader, const char *line)
{
	const char *stressor = strstr(line, "] ");

	if (!stressor)
		return;
	stressor += 2;
	line = stressor + strcspn(stressor, " ");
	for (int i = 0; i < 5; i++) {
		size_t number;

		line += strspn(line, " ");
		number = samples_number(line, false, reader->number);
		if (!number || (line[number] != ' ' && line[number]))
			return;
		line += number;
	}
	name(reader, stressor, " ");
	add(reader, "bogo ops/s", true);
}

/* "  * 99.0th: 12  (...)" of a latency; those of the rate are within a run, which has an average.
 */
static void read_percentile(struct reader *reader, const char *line)
{
	char metric[64];
	size_t length;

	line += strspn(line, " \t*");
	length = samples_number(line, false, reader->number);
	if (!length || length > 16 || strncmp(line + length, "th: ", 4) ||
	    !strcmp(reader->part.data, "RPS"))
		return;
	snprintf(metric, sizeof(metric), "%.*s %%, usec", (int)length, line);
	line += length + 4;
	line += strspn(line, " ");
	if (samples_number(line, false, reader->number))
		add(reader, metric, false);
}

static void read_schbench(struct reader *reader, const char *line)
{
	if (strstr(line, " percentiles ("))
		name(reader, line, " ");
	else if (strstr(line, "average rps: "))
		name(reader, "average", " ");
	read_percentile(reader, line);
}

/* "total time: 1.0039s", and after it "total number of events: 3013". */
static void read_events(struct reader *reader, const char *line)
{
	if (number_after(reader, line, "total time: ")) {
		mpq_set(reader->time, reader->number);
	} else if (number_after(reader, line, "total number of events: ") &&
		   mpq_sgn(reader->number) && mpq_sgn(reader->time)) {
		mpq_div(reader->number, reader->time, reader->number);
		mpq_set_ui(reader->time, 0, 1);
		add(reader, "time per event, s", false);
	}
}

/* "Total time: 0.053 [sec]", and after it, of most, "26.741000 usecs/op". */
static void read_perf(struct reader *reader, const char *line)
{
	if (number_after(reader, line, "Total time: "))
		mpq_set(reader->time, reader->number);
	else if (strstr(line, " usecs/op"))
		mpq_set_ui(reader->time, 0, 1);
}

/* A run of perf bench has come to its end: it told a time and nothing else. */
static void end_run(struct reader *reader)
{
	if (reader->program && !strcmp(reader->program, "perf bench") && mpq_sgn(reader->time)) {
		mpq_set(reader->number, reader->time);
		add(reader, "time, s", false);
	}
	mpq_set_ui(reader->time, 0, 1);
}

static void read_sysbench(struct reader *reader, const char *line)
{
	if (!strncmp(line, "Prime numbers limit", 19))
		name(reader, "cpu", "");
	else if (strstr(line, "memory speed test"))
		name(reader, "memory", "");
	else
		read_events(reader, line);
}

static void read_line(struct reader *reader, const char *line)
{
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++) {
		if (strncmp(line, beginnings[i].phrase, strlen(beginnings[i].phrase)))
			continue;
		end_run(reader);
		reader->program = reader->samples->format = beginnings[i].program;
		name(reader, *line == '#' ? strchr(line, '\'') + 1 : "", "'");
	}
	if (!reader->program)
		return;
	if (!strcmp(reader->program, "schbench")) {
		read_schbench(reader, line);
	} else if (!strcmp(reader->program, "stress-ng")) {
		read_stressor(reader, line);
	} else if (!strcmp(reader->program, "sysbench")) {
		read_sysbench(reader, line);
	} else if (!strcmp(reader->program, "perf bench")) {
		read_perf(reader, line);
	}
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (has_rule(reader, &rules[i], line))
			add(reader, rules[i].metric, rules[i].more_is_better);
	}
}

/*
 * schbench reports again and again until "average rps: " ends a run. What is before
 * "current rps: " is told once more: the text after it, or TEXT.
 */
static char *skip_interim(char *text)
{
	static const char interim[] = "current rps: ", final[] = "average rps: ";
	char *next, *last;

	while (!strncmp(text, "Wakeup Latencies percentiles ", 29)) {
		next = strstr(text, interim);
		last = strstr(text, final);
		if (!next || (last && last < next))
			break;
		text = next + strcspn(next, "\n");
		text += *text == '\n';
	}
	return text;
}

static void read_lines(struct reader *reader)
{
	char *line = reader->samples->text.data, *end;
	char saved;

	while (*(line = skip_interim(line))) {
		end = line + strcspn(line, "\r\n");
		saved = *end;
		*end = '\0';
		read_line(reader, line);
		*end = saved;
		line = end + strspn(end, "\r\n");
	}
}

bool samples_read_program(struct samples *samples, enum cli_status *ret_status)
{
	struct reader reader = {.samples = samples};

	kiln_strbuf_init(&reader.part);
	kiln_strbuf_init(&reader.key);
	mpq_init(reader.number);
	mpq_init(reader.time);
	read_lines(&reader);
	end_run(&reader);
	*ret_status = reader.failed ? cli_no_memory() : CLI_OK;
	if (reader.program && !reader.failed && !samples->metrics.count)
		*ret_status = cli_trouble("%s: this is what %s prints, and it has no result",
					  samples->path, reader.program);
	kiln_strbuf_release(&reader.part);
	kiln_strbuf_release(&reader.key);
	mpq_clear(reader.number);
	mpq_clear(reader.time);
	return reader.program;
}
