// SPDX-License-Identifier: GPL-2.0-or-later
#include "make.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool *flag_of(struct make_wrappers *wrappers, const char *program)
{
	const struct {
		const char *name;
		bool *flag;
	} known[] = {
		{"ccache", &wrappers->ccache},
		{"distcc", &wrappers->distcc},
		{"icecc", &wrappers->icecc},
		{"sccache", &wrappers->sccache},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (!strcmp(program, known[i].name))
			return known[i].flag;
	}
	return NULL;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * Goes through what WORD runs: "gcc" may be a link to ccache, which then runs the next
 * gcc of PATH. True when it is a wrapper by its own name, and runs the next word.
 */
static bool follow(const char *word, struct make_wrappers *wrappers)
{
	const char *path = cli_program_path(word);
	char program[PATH_MAX];
	bool *flag;

	while (cli_find_next_program(&path, word, program, sizeof(program))) {
		flag = flag_of(wrappers, base_of(program));
		if (!flag)
			return false;
		*flag = true;
		if (flag_of(wrappers, base_of(word)))
			return true;
	}
	return false;
}

/* The words of a command, up to the compiler. */
static void follow_all(const char *words, struct make_wrappers *wrappers)
{
	char word[PATH_MAX];

	do {
		words += strspn(words, " \t");
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(words, " \t"), words);
		words += strcspn(words, " \t");
	} while (*word && follow(word, wrappers));
}

/* What ccache puts before the compiler, by its configuration or CCACHE_PREFIX. */
static void follow_prefix(struct make_wrappers *wrappers)
{
	struct cli_words words;
	struct kiln_strbuf prefix;

	cli_words_init(&words, "ccache");
	cli_words_add(&words, "--get-config=prefix_command");
	kiln_strbuf_init(&prefix);
	if (!cli_run(&words, CLI_TAKE_OUT_ONLY, &prefix) && prefix.length) {
		kiln_strbuf_truncate(&prefix, strcspn(prefix.data, "\n"));
		follow_all(prefix.data, wrappers);
	}
	kiln_strbuf_release(&prefix);
	cli_words_release(&words);
}

void make_find_wrappers(const char *compiler, struct make_wrappers *ret_wrappers)
{
	*ret_wrappers = (struct make_wrappers){0};
	follow_all(compiler, ret_wrappers);
	if (ret_wrappers->ccache)
		follow_prefix(ret_wrappers);
}

bool make_keeps_records(const struct make_wrappers *wrappers)
{
	return !wrappers->ccache && !wrappers->sccache && !wrappers->icecc;
}

void make_say_wrappers(const struct make_wrappers *wrappers)
{
	if (!make_keeps_records(wrappers))
		cli_note("behind %s records are missing, and so is what is told by them: which "
			 "functions were touched, which rules held for nothing",
			 wrappers->ccache ? "ccache" : wrappers->sccache ? "sccache" : "icecc");
	if (wrappers->ccache)
		cli_note("after an edit of the policy ccache is asked for every unit, and compiles those "
			 "that the edit can concern");
	else if (wrappers->sccache || wrappers->icecc)
		cli_note("an edit of the policy compiles everything again");
	if (wrappers->distcc)
		cli_note("distcc does not take plugins to other machines: everything is compiled on "
			 "this one; 'kiln flags POLICY' prints the nearest plain KCFLAGS");
	if (wrappers->icecc && getenv("ICECC_VERSION"))
		cli_note("ICECC_VERSION names an environment that has neither plugin nor policy; "
			 "without it icecc makes one that has both");
}

/* ---- their environment ---- */

/* Sets the variable NAME to what it was, SEPARATOR, and MORE. */
static enum cli_status extend(const char *name, const char *separator, const char *more)
{
	const char *before = getenv(name);
	struct kiln_strbuf value;
	enum cli_status status = CLI_OK;

	kiln_strbuf_init(&value);
	if (before && *before)
		kiln_strbuf_addf(&value, "%s%s", before, separator);
	kiln_strbuf_adds(&value, more);
	if (value.failed || setenv(name, value.data, 1))
		status = cli_no_memory();
	kiln_strbuf_release(&value);
	return status;
}

/* icecc takes the plugin along by itself, and the files named here. */
static enum cli_status tell_icecc(const struct kiln_policy *policy)
{
	struct kiln_strbuf files;
	enum cli_status status;

	kiln_strbuf_init(&files);
	for (size_t i = 0; i < kiln_policy_nr_files(policy); i++)
		kiln_strbuf_addf(&files, "%s%s", i ? ":" : "", kiln_policy_file(policy, i));
	status = files.failed ? cli_no_memory() : extend("ICECC_EXTRAFILES", ":", files.data);
	kiln_strbuf_release(&files);
	return status;
}

/* sccache looks into neither the plugin nor the policy: its key gets a word for both. */
static enum cli_status tell_sccache(const struct kiln_policy *policy, const char *plugin)
{
	char rules[KILN_SHA256_SIZE], code[KILN_SHA256_SIZE], both[2 * KILN_SHA256_SIZE];
	struct kiln_strbuf text;
	bool read;

	if (kiln_policy_digest(policy, rules))
		return cli_no_memory();
	kiln_strbuf_init(&text);
	read = make_read_file(plugin, &text);
	if (read)
		kiln_sha256(text.data, text.length, code);
	kiln_strbuf_release(&text);
	if (!read)
		return cli_trouble("the plugin '%s' cannot be read", plugin);
	snprintf(both, sizeof(both), "%s-%s", code, rules);
	return extend("SCCACHE_C_CUSTOM_CACHE_BUSTER", "-", both);
}

enum cli_status make_tell_wrappers(const struct make_wrappers *wrappers,
				   const struct kiln_policy *policy, const char *plugin)
{
	/* Its servers refuse each compile, and distcc complains of each; make's -j is the limit. */
	if (wrappers->distcc && setenv("DISTCC_HOSTS", "localhost/1024", 1))
		return cli_no_memory();
	if (wrappers->icecc && tell_icecc(policy) != CLI_OK)
		return CLI_TROUBLE;
	return wrappers->sccache ? tell_sccache(policy, plugin) : CLI_OK;
}
