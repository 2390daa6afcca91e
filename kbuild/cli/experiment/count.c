// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln experiment count: how many instructions the operations of kernels take.
 */
#include "experiment.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guest.h"

#define MAX_KERNELS    16
#define MAX_OPERATIONS 64
#define RUNS           2 /* a count that is not the same in both is none to rely on */

#define LINE_BEGIN "kiln-count\t"

/* What an operation took in each run, for all its times together; negative: it could not be done.
 */
struct counted {
	long long instructions[RUNS];
	char *why; /* it could not be done; owned */
};

struct operation {
	char *name; /* owned */
	long times;
	struct counted kernels[MAX_KERNELS];
};

struct counts {
	struct guest guests[MAX_KERNELS];
	int nr_kernels;
	struct operation operations[MAX_OPERATIONS];
	size_t nr_operations;
};

/* ---- what the guest says ---- */

static struct operation *find_operation(struct counts *counts, const char *name, size_t length)
{
	struct operation *operation;

	for (size_t i = 0; i < counts->nr_operations; i++) {
		operation = &counts->operations[i];
		if (strlen(operation->name) == length && !memcmp(operation->name, name, length))
			return operation;
	}
	if (counts->nr_operations == MAX_OPERATIONS)
		return NULL;
	operation = &counts->operations[counts->nr_operations];
	operation->name = strndup(name, length);
	for (int kernel = 0; kernel < MAX_KERNELS; kernel++)
		for (int run = 0; run < RUNS; run++)
			operation->kernels[kernel].instructions[run] = -1;
	return operation->name ? &counts->operations[counts->nr_operations++] : NULL;
}

/* "NAME\tTIMES\tNANOSECONDS", "NAME\t-\tWHY" or "end", which ends the line. False: it is none of
 * them. */
static bool read_line(struct counts *counts, int kernel, int run, const char *line, bool *ret_end)
{
	size_t length = strcspn(line, "\t\r\n");
	struct operation *operation;
	long times;
	long long nanoseconds;

	*ret_end = length == 3 && !memcmp(line, "end", 3);
	if (*ret_end)
		return true;
	operation = line[length] == '\t' ? find_operation(counts, line, length) : NULL;
	if (!operation)
		return false;
	line += length + 1;
	if (sscanf(line, "%ld\t%lld", &times, &nanoseconds) == 2 && times > 0 && nanoseconds >= 0) {
		operation->times = times;
		operation->kernels[kernel].instructions[run] = nanoseconds;
		return true;
	}
	if (strncmp(line, "-\t", 2))
		return false;
	free(operation->kernels[kernel].why);
	operation->kernels[kernel].why = strndup(line + 2, strcspn(line + 2, "\r\n"));
	return operation->kernels[kernel].why;
}

/* The last lines of what was said, for who has to find out. */
static void show_end(const char *text)
{
	size_t length = strlen(text);
	int lines = 0;

	while (length && lines < 20)
		lines += text[--length] == '\n';
	fprintf(stderr, "%s\n", text + length);
}

static enum cli_status read_console(struct counts *counts, int kernel, int run, const char *text)
{
	bool ended = false;

	for (const char *line = text; (line = strstr(line, LINE_BEGIN));
	     line += strcspn(line, "\n")) {
		if (!read_line(counts, kernel, run, line + strlen(LINE_BEGIN), &ended))
			return cli_trouble("'%s': the workload said what is not understood: %.*s",
					   counts->guests[kernel].image.data,
					   (int)strcspn(line, "\r\n"), line);
	}
	if (ended)
		return CLI_OK;
	show_end(text);
	return cli_trouble(
		"'%s' ended before the workload did; its last words are above: it needs "
		"BLK_DEV_INITRD, BINFMT_ELF, PRINTK and a serial console (SERIAL_8250_CONSOLE, "
		"on arm64 SERIAL_AMBA_PL011_CONSOLE)",
		counts->guests[kernel].image.data);
}

static enum cli_status count(struct counts *counts, const char *cpu)
{
	enum cli_status status = CLI_OK;

	for (int run = 0; run < RUNS; run++) {
		for (int kernel = 0; status == CLI_OK && kernel < counts->nr_kernels; kernel++) {
			struct kiln_strbuf console;

			cli_note("counting %s, run %d of %d", counts->guests[kernel].image.data,
				 run + 1, RUNS);
			kiln_strbuf_init(&console);
			status = guest_run(&counts->guests[kernel], cpu, &console);
			if (status == CLI_OK)
				status = read_console(counts, kernel, run, console.data);
			kiln_strbuf_release(&console);
		}
	}
	return status;
}

/* ---- what is told ---- */

static bool is_known(const struct counted *counted)
{
	return counted->instructions[0] >= 0 && counted->instructions[1] >= 0;
}

static bool is_exact(const struct counted *counted)
{
	return counted->instructions[0] == counted->instructions[1];
}

/* Of one operation; the mean if the runs differ. */
static double per_operation(const struct operation *operation, int kernel)
{
	const long long *instructions = operation->kernels[kernel].instructions;

	return (double)(instructions[0] + instructions[1]) / RUNS / (double)operation->times;
}

/* To the first kernel; negative: one of them cannot do it. */
static double ratio(const struct operation *operation, int kernel)
{
	if (!is_known(&operation->kernels[0]) || !is_known(&operation->kernels[kernel]))
		return -1;
	return per_operation(operation, kernel) / per_operation(operation, 0);
}

/* The geometric mean of the ratios to the first kernel, of what both can do; 0: nothing. */
static double mean_ratio(const struct counts *counts, int kernel)
{
	double sum = 0;
	size_t count = 0;

	for (size_t i = 0; i < counts->nr_operations; i++) {
		double one = ratio(&counts->operations[i], kernel);

		sum += one >= 0 ? log(one) : 0;
		count += one >= 0;
	}
	return count ? exp(sum / (double)count) : 0;
}

static void print_cell(const struct operation *operation, int kernel)
{
	const struct counted *counted = &operation->kernels[kernel];

	if (is_known(counted))
		printf("%14.1f%c", per_operation(operation, kernel), is_exact(counted) ? ' ' : '?');
	else
		printf("%14s ", "-");
	if (!kernel)
		return;
	if (ratio(operation, kernel) >= 0)
		printf("%8.4f", ratio(operation, kernel));
	else
		printf("%8s", "-");
}

static void print_text(const struct counts *counts)
{
	bool has_inexact = false;

	for (int kernel = 0; kernel < counts->nr_kernels; kernel++)
		printf("%c  %s, %s\n", 'A' + kernel, counts->guests[kernel].image.data,
		       counts->guests[kernel].arch->name);
	printf("\n%-20s", "instructions");
	for (int kernel = 0; kernel < counts->nr_kernels; kernel++) {
		printf("%14c ", 'A' + kernel);
		if (kernel)
			printf("     %c/A", 'A' + kernel);
	}
	putchar('\n');
	for (size_t i = 0; i < counts->nr_operations; i++) {
		const struct operation *operation = &counts->operations[i];

		printf("%-20s", operation->name);
		for (int kernel = 0; kernel < counts->nr_kernels; kernel++) {
			print_cell(operation, kernel);
			has_inexact |= !is_exact(&operation->kernels[kernel]);
		}
		putchar('\n');
	}
	if (counts->nr_kernels > 1) {
		printf("%-20s%14s ", "geometric mean", "");
		for (int kernel = 1; kernel < counts->nr_kernels; kernel++)
			printf("%14s %8.4f", "", mean_ratio(counts, kernel));
		putchar('\n');
	}
	if (has_inexact)
		puts("\n?  not the same in both runs: not exact");
}

static void print_csv(const struct counts *counts)
{
	puts("operation,kernel,times,instructions,again,per_operation,ratio");
	for (size_t i = 0; i < counts->nr_operations; i++) {
		const struct operation *operation = &counts->operations[i];

		for (int kernel = 0; kernel < counts->nr_kernels; kernel++) {
			const struct counted *counted = &operation->kernels[kernel];

			cli_print_csv_string(operation->name);
			putchar(',');
			cli_print_csv_string(counts->guests[kernel].image.data);
			if (is_known(counted))
				printf(",%ld,%lld,%lld,%.15g,", operation->times,
				       counted->instructions[0], counted->instructions[1],
				       per_operation(operation, kernel));
			else
				fputs(",,,,,", stdout);
			if (ratio(operation, kernel) >= 0)
				printf("%.15g", ratio(operation, kernel));
			putchar('\n');
		}
	}
}

static void print_json_counted(const struct operation *operation, int kernel)
{
	const struct counted *counted = &operation->kernels[kernel];

	if (is_known(counted)) {
		printf("{\"times\": %ld, \"instructions\": [%lld, %lld], \"exact\": %s}",
		       operation->times, counted->instructions[0], counted->instructions[1],
		       is_exact(counted) ? "true" : "false");
		return;
	}
	fputs("{\"why\": ", stdout);
	cli_print_json_string(counted->why ? counted->why : "not told");
	putchar('}');
}

static void print_json(const struct counts *counts)
{
	fputs("{\"kernels\": [", stdout);
	for (int kernel = 0; kernel < counts->nr_kernels; kernel++) {
		fputs(kernel ? ", {\"path\": " : "{\"path\": ", stdout);
		cli_print_json_string(counts->guests[kernel].image.data);
		printf(", \"arch\": \"%s\", \"mean_ratio\": %.15g}",
		       counts->guests[kernel].arch->name, mean_ratio(counts, kernel));
	}
	fputs("], \"operations\": [", stdout);
	for (size_t i = 0; i < counts->nr_operations; i++) {
		fputs(i ? ",\n {\"name\": " : "\n {\"name\": ", stdout);
		cli_print_json_string(counts->operations[i].name);
		fputs(", \"counts\": [", stdout);
		for (int kernel = 0; kernel < counts->nr_kernels; kernel++) {
			fputs(kernel ? ", " : "", stdout);
			print_json_counted(&counts->operations[i], kernel);
		}
		fputs("]}", stdout);
	}
	puts("]}");
}

/* ---- the command ---- */

static enum cli_status find_kernels(struct counts *counts, const struct cli_args *args)
{
	for (int i = 0; i < args->nr_operands; i++) {
		enum cli_status status =
			guest_init(&counts->guests[counts->nr_kernels++], args->operands[i]);

		if (status != CLI_OK)
			return status;
		if (counts->guests[i].arch != counts->guests[0].arch)
			return cli_trouble("'%s' and '%s' are kernels of two architectures",
					   args->operands[0], args->operands[i]);
	}
	return CLI_OK;
}

static void release(struct counts *counts)
{
	for (int kernel = 0; kernel < counts->nr_kernels; kernel++)
		guest_release(&counts->guests[kernel]);
	for (size_t i = 0; i < counts->nr_operations; i++) {
		free(counts->operations[i].name);
		for (int kernel = 0; kernel < MAX_KERNELS; kernel++)
			free(counts->operations[i].kernels[kernel].why);
	}
	free(counts);
}

static enum cli_status run_count(const struct cli_args *args)
{
	struct counts *counts;
	enum cli_status status;

	if (cli_check_outputs(args) != CLI_OK)
		return CLI_TROUBLE;
	counts = (struct counts *)calloc(1, sizeof(*counts));
	if (!counts)
		return cli_no_memory();
	status = find_kernels(counts, args);
	if (status == CLI_OK)
		status = count(counts, args->cpu);
	if (status == CLI_OK) {
		if (args->json)
			print_json(counts);
		else if (args->csv)
			print_csv(counts);
		else
			print_text(counts);
	}
	release(counts);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("cpu", "NAME", cpu, "the CPU that QEMU emulates"),
	CLI_SWITCH("csv", csv, "print comma-separated values"),
	CLI_HELP,
	CLI_SWITCH("json", json, "print JSON"),
	CLI_END,
};

const struct cli_command experiment_count = {
	.name = "experiment count",
	.operands = "KERNEL...",
	.min_operands = 1,
	.max_operands = MAX_KERNELS,
	.summary = "count the instructions of kernels' operations",
	.details =
		"Each KERNEL, a bzImage of x86_64, an Image of arm64 or the directory of a build,\n"
		"boots under QEMU in a machine whose clock counts instructions, and does one\n"
		"operation after the other some thousand times. That is done twice, and what is\n"
		"not the same both times is marked. Without a difference of the kernels the\n"
		"counts are the same on any day and host with the same QEMU. It takes one or two\n"
		"minutes a kernel.\n",
	.options = options,
	.run = run_count,
};
