// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln-refresh POLICY FILE: what `kiln make` does before it runs make, for a tree
 * that has Kiln in it. Writes the policy with all that it includes into FILE, which
 * the plugin reads, and removes the objects below the working directory that the
 * policy would have compiled otherwise. Says nothing when there is nothing to do.
 */
#include <stdio.h>

#include "cli/make/make.h"

static enum cli_status write_policy(const struct kiln_policy *policy, const char *path)
{
	enum cli_status status = CLI_OK;
	struct kiln_strbuf text;

	kiln_strbuf_init(&text);
	kiln_strbuf_adds(&text, "# What this tree is built with, by CONFIG_KILN_POLICY.\n\n");
	kiln_policy_write(policy, &text);
	if (text.failed)
		status = cli_no_memory();
	else if (!make_file_has(path, &text))
		status = make_write_file(path, &text);
	kiln_strbuf_release(&text);
	return status;
}

static void say(const struct make_refreshed *done)
{
	size_t again = done->stale + done->bad + done->missing;

	if (again)
		printf("  KILN    %zu objects are compiled again: the policy says otherwise for %zu, "
		       "%zu have no good record\n", again, done->stale, done->bad + done->missing);
}

/* The guard is no part of what is written: the plugin has it. */
static enum cli_status refresh(char *name)
{
	static char guard[] = "guard";
	char *const names[] = {name, guard};
	struct kiln_policy *policy = NULL;
	struct make_refreshed done;
	enum cli_status status = cli_load(names, 2, &policy);

	if (status != CLI_OK)
		return status;
	status = make_refresh(".", policy, NULL, false, &done);
	kiln_policy_free(policy);
	if (status == CLI_OK)
		say(&done);
	return status;
}

static enum cli_status run(char *name, const char *path)
{
	struct kiln_policy *policy = NULL;
	enum cli_status status = cli_load(&name, 1, &policy);

	if (status != CLI_OK)
		return status;
	status = refresh(name);
	if (status == CLI_OK)
		status = write_policy(policy, path);
	kiln_policy_free(policy);
	return status;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return cli_trouble("usage: kiln-refresh POLICY FILE");
	return cli_finish_output(run(argv[1], argv[2]));
}
