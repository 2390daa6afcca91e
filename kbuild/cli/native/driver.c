// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asks the compiler and its driver.
 */
#include "native.h"

#include <string.h>

int native_try(const struct native_job *job, const struct cli_words *words, enum cli_take take,
	       struct kiln_strbuf *out)
{
	struct cli_words line;
	int status;

	cli_words_init(&line, job->cc);
	cli_words_add_all(&line, words);
	status = cli_run(&line, take, out);
	cli_words_release(&line);
	if (status >= 0 && out->failed) {
		cli_no_memory();
		return -1;
	}
	return status < 0 ? -1 : !status;
}

int native_takes(const struct native_job *job, const char *option, const char *value)
{
	struct kiln_strbuf out;
	struct cli_words words;
	int tried;

	cli_words_init(&words, "-S -o /dev/null -xc /dev/null");
	cli_words_add(&words, "%s%s", option, value);
	kiln_strbuf_init(&out);
	tried = native_try(job, &words, CLI_TAKE_OUT_ONLY, &out);
	kiln_strbuf_release(&out);
	cli_words_release(&words);
	return tried;
}

const char *native_next_word(const struct cli_words *words, const char *word)
{
	const char *end = words->text.data + words->text.length;

	word = word ? word + strlen(word) + 1 : words->text.data;
	return word < end ? word : NULL;
}

/* Adds the words of a line that the driver shows: "-###" quotes some of them. */
static void split_line(const char *line, size_t length, struct cli_words *words)
{
	for (size_t i = 0; i < length; i++) {
		char end = line[i] == '"' ? '"' : ' ';
		size_t begin = i += end == '"';

		while (i < length && line[i] != end)
			i++;
		if (i > begin)
			cli_words_add(words, "%.*s", (int)(i - begin), line + begin);
	}
}

/* The line of cc1: it begins with a blank, as those of all programs do. */
static const char *find_line(const char *text)
{
	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		size_t first = *text == ' ' ? strcspn(text + 1, " \n") : 0;

		if (first >= 3 && !memcmp(text + 1 + first - 3, "cc1", 3))
			return text;
		if (first >= 4 && !memcmp(text + 1 + first - 4, "cc1\"", 4))
			return text;
	}
	return NULL;
}

enum cli_status native_expand(const struct native_job *job, const char *options,
			      struct cli_words *ret_words)
{
	struct kiln_strbuf out;
	struct cli_words words;
	const char *line;
	int tried;

	cli_words_init(&words, options);
	cli_words_add(&words, "-###");
	cli_words_add(&words, "-S");
	cli_words_add(&words, "-xc");
	cli_words_add(&words, "/dev/null");
	kiln_strbuf_init(&out);
	tried = native_try(job, &words, CLI_TAKE_BOTH, &out);
	line = tried > 0 ? find_line(out.data) : NULL;
	if (line)
		split_line(line, strcspn(line, "\n"), ret_words);
	cli_words_release(&words);
	kiln_strbuf_release(&out);
	if (tried < 0)
		return CLI_TROUBLE;
	return line ? CLI_OK
		    : cli_trouble("'%s %s -###' does not show how the compiler proper is run",
				  job->cc, options);
}
