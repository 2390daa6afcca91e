// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln pack: a plugin with a policy inside, which needs no other file. It goes where
 * a compile farm sends plugins and nothing else.
 */
#include "cli.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kiln/cpu.h"
#include "kiln/packed.h"

struct job {
	const struct cli_args *args;
	const char *cc;
	struct kiln_policy *cpu;    /* what `native` stands for, or NULL */
	struct kiln_policy *policy;
	struct kiln_strbuf text;    /* of the policy, written out again */
	struct kiln_strbuf source;  /* the file of the text, while objcopy reads it */
	struct kiln_strbuf packed;  /* the new plugin, until it has its name */
};

/* GCC takes the name of a plugin, and of its arguments, from the file's. */
static enum cli_status check_output(const char *output)
{
	const char *slash = strrchr(output, '/');
	const char *name = slash ? slash + 1 : output;
	size_t length = strlen(name);

	if (length > 3 && !strcmp(name + length - 3, ".so")) {
		const char *p = name;

		while (isalnum((unsigned char)*p) || *p == '_')
			p++;
		if (p == name + length - 3)
			return CLI_OK;
	}
	return cli_trouble("'%s': a plugin's file is called NAME.so, and its name has letters, digits "
			   "and '_'; GCC does not know what to do with another", output);
}

/* ---- the policy ---- */

static enum cli_status check_native(const struct kiln_policy *policy)
{
	struct kiln_strbuf place;

	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);

		for (unsigned k = 0; k < rule->nr_settings; k++) {
			if (!rule->settings[k].flag || !kiln_flag_is_native(rule->settings[k].flag))
				continue;
			kiln_strbuf_init(&place);
			cli_add_place(&place, &rule->settings[k]);
			cli_trouble("%s: '%s' is not resolved, and means another CPU wherever the "
				    "plugin is used; 'kiln native -o FILE' resolves it, --cpu=FILE "
				    "says so here", place.data, rule->settings[k].flag);
			kiln_strbuf_release(&place);
			return CLI_BAD_POLICY;
		}
	}
	return CLI_OK;
}

static enum cli_status load(struct job *job)
{
	char *cpu_names[] = {(char *)job->args->cpu};
	enum cli_status status = job->args->cpu ? cli_load(cpu_names, 1, &job->cpu) : CLI_OK;

	if (status == CLI_OK)
		status = cli_load_for_cpu(job->cpu, job->args->operands, job->args->nr_operands,
					  &job->policy);
	if (status == CLI_OK)
		status = check_native(job->policy);
	if (status != CLI_OK)
		return status;
	kiln_policy_write(job->policy, &job->text);
	return job->text.failed ? cli_no_memory() : CLI_OK;
}

/* ---- the plugin ---- */

static enum cli_status say_unwritable(const char *file)
{
	return cli_trouble("'%s' cannot be written: %s", file, strerror(errno));
}

/* A new file beside OUTPUT. */
static enum cli_status make_temporary(const char *output, struct kiln_strbuf *ret_name,
				      const struct kiln_strbuf *text)
{
	bool written;
	int fd;

	kiln_strbuf_addf(ret_name, "%s.XXXXXX", output);
	if (ret_name->failed)
		return cli_no_memory();
	fd = mkstemp(ret_name->data);
	if (fd < 0) {
		kiln_strbuf_reset(ret_name);
		return say_unwritable(output);
	}
	written = !text || !kiln_strbuf_write_fd(text, fd);
	if (close(fd) || !written)
		return say_unwritable(output);
	return CLI_OK;
}

/* A policy that is inside already is replaced; the mode stays. */
static enum cli_status add_section(const struct job *job, const char *plugin)
{
	struct cli_words words;
	enum cli_status status;
	struct stat there;
	int ended = 0;

	cli_words_init(&words, "objcopy");
	cli_words_add(&words, "--remove-section=" KILN_PACKED_SECTION);
	cli_words_add(&words, "--add-section=" KILN_PACKED_SECTION "=%s", job->source.data);
	cli_words_add(&words, "%s", plugin);
	cli_words_add(&words, "%s", job->packed.data);
	status = cli_run_through(&words, &ended);
	cli_words_release(&words);
	if (status == CLI_OK && ended)
		status = cli_trouble("objcopy could not add the policy to '%s'", plugin);
	else if (status == CLI_OK && (stat(plugin, &there) || chmod(job->packed.data, there.st_mode & 0777)))
		status = say_unwritable(job->args->output);
	return status;
}

static enum cli_status write_plugin(struct job *job, const char *plugin)
{
	const char *output = job->args->output;
	enum cli_status status = make_temporary(output, &job->source, &job->text);

	if (status == CLI_OK)
		status = make_temporary(output, &job->packed, NULL);
	if (status == CLI_OK)
		status = add_section(job, plugin);
	if (status == CLI_OK && rename(job->packed.data, output))
		status = say_unwritable(output);
	if (job->source.length)
		unlink(job->source.data);
	if (job->packed.length && status != CLI_OK)
		unlink(job->packed.data);
	return status;
}

static enum cli_status pack(struct job *job)
{
	struct kiln_strbuf plugin;
	enum cli_status status = check_output(job->args->output);

	kiln_strbuf_init(&plugin);
	if (status == CLI_OK)
		status = cli_find_plugin(job->cc, job->args->plugin, &plugin);
	if (status == CLI_OK)
		status = cli_judge(job->cc, plugin.data, job->args->cpu, job->args->operands,
				   job->args->nr_operands);
	if (status == CLI_OK)
		status = write_plugin(job, plugin.data);
	kiln_strbuf_release(&plugin);
	return status;
}

/* ---- the command ---- */

static enum cli_status run(const struct cli_args *args)
{
	struct job job = {.args = args, .cc = args->cc ? args->cc : "gcc"};
	enum cli_status status;

	kiln_strbuf_init(&job.text);
	kiln_strbuf_init(&job.source);
	kiln_strbuf_init(&job.packed);
	status = load(&job);
	if (status == CLI_OK && args->output)
		status = pack(&job);
	else if (status == CLI_OK)
		fwrite(job.text.data, 1, job.text.length, stdout);
	kiln_policy_free(job.policy);
	kiln_policy_free(job.cpu);
	kiln_strbuf_release(&job.text);
	kiln_strbuf_release(&job.source);
	kiln_strbuf_release(&job.packed);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("cc", "CC", cc, "the GCC that the plugin is for (gcc)"),
	CLI_VALUE("cpu", "FILE", cpu, "what -march=native in the policy stands for, by 'kiln native'"),
	CLI_HELP,
	CLI_LETTER('o', "output", "FILE.so", output, "the plugin to write; without it, the policy is printed"),
	CLI_VALUE("plugin", "FILE", plugin, "the plugin to put the policy into (looked for)"),
	CLI_END,
};

const struct cli_command cli_pack = {
	.name = "pack",
	.operands = "POLICY...",
	.min_operands = 1,
	.max_operands = -1,
	.summary = "put a policy into a plugin, which needs no other file then",
	.details = "The plugin has the policy in its section " KILN_PACKED_SECTION ", and uses it where no\n"
		   "policy=... is given. What is printed without -o is what would be inside: the\n"
		   "rules of all that is included, without comments. Its sha256sum is the policy's\n"
		   "digest.\n",
	.options = options,
	.run = run,
};
