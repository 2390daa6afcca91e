// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln integrate: Kiln as a part of a kernel's source tree, among its GCC plugins.
 * What is put there is made by the Makefile of this project, from ../tree and the
 * sources; build/tree has it, or share/kiln/tree once it is installed.
 */
#include "integrate/integrate.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "make/make.h"

/* ---- where from, where to ---- */

static enum cli_status find_source(struct kiln_strbuf *ret_source)
{
	static const char *const directories[] = {"/tree", "/share/kiln/tree"};
	struct kiln_strbuf prefix, list;
	enum cli_status status;

	kiln_strbuf_init(&prefix);
	kiln_strbuf_init(&list);
	status = cli_find_prefix(&prefix);
	for (size_t i = 0; status == CLI_OK && i < sizeof(directories) / sizeof(directories[0]); i++) {
		kiln_strbuf_reset(ret_source);
		kiln_strbuf_addf(ret_source, "%s%s", prefix.data, directories[i]);
		kiln_strbuf_reset(&list);
		kiln_strbuf_addf(&list, "%s/" INTEGRATE_LIST, ret_source->data);
		if (!access(list.data, R_OK))
			break;
	}
	if (status == CLI_OK && (ret_source->failed || list.failed))
		status = cli_no_memory();
	kiln_strbuf_release(&list);
	kiln_strbuf_release(&prefix);
	return status;
}

static bool has(const char *tree, const char *path)
{
	struct kiln_strbuf whole;
	struct stat info;
	bool found;

	kiln_strbuf_init(&whole);
	kiln_strbuf_addf(&whole, "%s/%s", tree, path);
	found = !whole.failed && !lstat(whole.data, &info);
	kiln_strbuf_release(&whole);
	return found;
}

static enum cli_status check_tree(const char *given, char *ret_tree)
{
	static const char *const files[] = {"Kbuild", "Makefile", "scripts/Makefile.gcc-plugins"};

	if (!realpath(given, ret_tree))
		return cli_trouble("the kernel tree '%s' cannot be used: %s", given, strerror(errno));
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		if (has(ret_tree, files[i]))
			continue;
		if (has(ret_tree, "source"))
			return cli_trouble("'%s' is where a kernel is built, not its source tree; that is "
					   "'%s/source'", given, given);
		return cli_trouble("'%s' is not the source tree of a kernel that has GCC plugins: there is "
				   "no %s in it", given, files[i]);
	}
	return CLI_OK;
}

/* ---- the outcome ---- */

static enum cli_status put_patch(const struct integrate_plan *plan, const char *output)
{
	enum cli_status status = CLI_OK;
	struct kiln_strbuf patch;

	kiln_strbuf_init(&patch);
	integrate_patch(plan, &patch);
	if (patch.failed)
		status = cli_no_memory();
	else if (output)
		status = make_write_file(output, &patch);
	else
		fwrite(patch.data, 1, patch.length, stdout);
	kiln_strbuf_release(&patch);
	return status;
}

static void say(const struct integrate_plan *plan)
{
	if (!plan->nr_files && plan->new_version)
		cli_note("Kiln %s is in '%s' already; nothing is to be changed", plan->new_version,
			 plan->tree);
	else if (!plan->nr_files)
		cli_note("there is no Kiln in '%s'; nothing is to be removed", plan->tree);
	else if (!plan->new_version)
		cli_note("Kiln is removed from '%s'", plan->tree);
	else if (plan->old_version)
		cli_note("Kiln %s in '%s' takes the place of %s", plan->new_version, plan->tree,
			 plan->old_version);
	else
		cli_note("Kiln %s is in '%s' now; CONFIG_GCC_PLUGIN_KILN=y turns it on and "
			 "CONFIG_KILN_POLICY names the policy", plan->new_version, plan->tree);
}

static enum cli_status carry_out(const struct integrate_plan *plan, const struct cli_args *args)
{
	enum cli_status status = CLI_OK;

	if (args->patch)
		return put_patch(plan, args->output);
	if (plan->nr_files)
		status = integrate_apply(plan);
	if (status != CLI_OK)
		return status;
	if (args->remove && plan->nr_files)
		integrate_sweep(plan);
	say(plan);
	return CLI_OK;
}

static enum cli_status run(const struct cli_args *args)
{
	struct integrate_plan plan = {.nr_files = 0};
	struct kiln_strbuf source;
	char tree[PATH_MAX];
	enum cli_status status;

	if (args->output && !args->patch)
		return cli_trouble("--output is for --patch; without that, the tree itself is changed");
	kiln_strbuf_init(&source);
	status = check_tree(args->operands[0], tree);
	if (status == CLI_OK && !args->remove)
		status = find_source(&source);
	if (status == CLI_OK)
		status = integrate_plan(&plan, tree, args->remove ? NULL : source.data);
	if (status == CLI_OK)
		status = carry_out(&plan, args);
	integrate_plan_release(&plan);
	kiln_strbuf_release(&source);
	return status;
}

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_LETTER('o', "output", "FILE", output, "where the patch goes, instead of stdout"),
	CLI_SWITCH("patch", patch, "print what would be changed as a patch, and change nothing"),
	CLI_SWITCH("remove", remove, "take it out again"),
	CLI_END,
};

const struct cli_command cli_integrate = {
	.name = "integrate",
	.operands = "TREE",
	.min_operands = 1,
	.max_operands = 1,
	.summary = "put Kiln into a kernel's source tree",
	.details = "Adds the plugin's sources to scripts/gcc-plugins of the tree and a few lines to three\n"
		   "of its files: from then on Kconfig has CONFIG_GCC_PLUGIN_KILN and CONFIG_KILN_POLICY,\n"
		   "and make builds the plugin and uses it. Done again, it brings the tree up to date.\n",
	.options = options,
	.run = run,
};
