// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln make: a kernel build with a policy, that builds again what an edit of the
 * policy concerns and nothing else.
 *
 * The flags that make is given stay the same whatever the policy: they name one
 * file in the object tree that includes it, and no object depends on that. What is
 * to be built again is found by the records of the last build: refresh.c.
 */
#include "make/make.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kiln/cpu.h"

/* In the directory of the objects. */
#define POLICY_FILE ".kiln.policy"
#define CPU_FILE    ".kiln.cpu"

struct job {
	const struct cli_args *args;
	char *const *policies;
	int nr_policies;
	struct make_build build;
	struct kiln_strbuf unnamed; /* the policy where the user names none */
	struct kiln_strbuf plugin; /* absolute */
	struct kiln_strbuf policy_file;
	struct kiln_strbuf cpu_file; /* what `native` stands for, if anything asks for that */
	struct kiln_policy *cpu;     /* what is in it, or NULL */
	struct kiln_policy *policy;  /* the guard included */
	const struct kiln_arch *arch;
	char digest[KILN_SHA256_SIZE]; /* of it without the guard; "": nothing asks for that */
	bool without;               /* a module that has to do without the plugin */
	struct make_wrappers wrappers;
};

/* ---- the two halves of the command line ---- */

/* "POLICY... -- ARGUMENT...", where getopt has taken away a "--" that came first. */
static void split_operands(struct job *job, char *const **ret_args, int *ret_nr_args)
{
	char *const *operands = job->args->operands;
	int count = job->args->nr_operands, policies = 0;

	if (!strcmp(operands[-1], "--")) {
		*ret_args = operands;
		*ret_nr_args = count;
	} else {
		while (policies < count && strcmp(operands[policies], "--"))
			policies++;
		*ret_args = operands + policies + (policies < count);
		*ret_nr_args = count - policies - (policies < count);
	}
	job->policies = operands;
	job->nr_policies = policies;
}

/* A module outside of the tree, and not the tree itself. */
static bool is_module(const struct job *job)
{
	return strcmp(job->build.objects.data, job->build.objtree.data) != 0;
}

/* A file that the kernel was built with; false: there is none. */
static bool find_of_kernel(const struct job *job, const char *name, struct kiln_strbuf *ret_path)
{
	kiln_strbuf_reset(ret_path);
	kiln_strbuf_addf(ret_path, "%s/%s", job->build.objtree.data, name);
	return is_module(job) && !access(ret_path->data, R_OK);
}

/* Where the user names no policy, a module gets the kernel's. */
static void choose_policy(struct job *job)
{
	if (job->nr_policies)
		return;
	if (!find_of_kernel(job, POLICY_FILE, &job->unnamed)) {
		kiln_strbuf_reset(&job->unnamed);
		kiln_strbuf_adds(&job->unnamed, "default");
	}
	job->policies = &job->unnamed.data;
	job->nr_policies = 1;
}

/* ---- the policy ---- */

/* Before anything is written, and with the names that the user gave in the messages. */
static enum cli_status try_policies(const struct job *job)
{
	struct kiln_policy *policy = NULL;
	enum cli_status status = cli_load(job->policies, job->nr_policies, &policy);

	kiln_policy_free(policy);
	return status;
}

/* A file from where the user stands, for it is read from somewhere else. */
static enum cli_status add_include(struct kiln_strbuf *text, const char *name)
{
	char path[PATH_MAX];

	if (!kiln_policy_names_file(name)) {
		kiln_strbuf_addf(text, "include %s\n", name);
		return CLI_OK;
	}
	if (!realpath(name, path))
		return cli_trouble("the policy '%s' cannot be read: %s", name, strerror(errno));
	kiln_strbuf_adds(text, "include \"");
	for (const char *p = path; *p; p++) {
		if (*p == '"' || *p == '\\')
			kiln_strbuf_adds(text, "\\");
		kiln_strbuf_add(text, p, 1);
	}
	kiln_strbuf_adds(text, "\"\n");
	return CLI_OK;
}

static enum cli_status make_policy_file(struct job *job)
{
	enum cli_status status = CLI_OK;
	struct kiln_strbuf text;

	kiln_strbuf_addf(&job->policy_file, "%s/" POLICY_FILE, job->build.objects.data);
	if (!find_of_kernel(job, CPU_FILE, &job->cpu_file)) {
		kiln_strbuf_reset(&job->cpu_file);
		kiln_strbuf_addf(&job->cpu_file, "%s/" CPU_FILE, job->build.objects.data);
	}
	kiln_strbuf_init(&text);
	kiln_strbuf_adds(&text, "# What this tree is built with; `kiln make` writes it.\n\n");
	for (int i = 0; status == CLI_OK && i < job->nr_policies; i++)
		status = add_include(&text, job->policies[i]);
	if (status == CLI_OK && (text.failed || job->policy_file.failed || job->cpu_file.failed))
		status = cli_no_memory();
	if (status == CLI_OK && !make_file_has(job->policy_file.data, &text))
		status = make_write_file(job->policy_file.data, &text);
	kiln_strbuf_release(&text);
	return status;
}

static enum cli_status load_policy(struct job *job)
{
	static char guard[] = "guard";
	char *const names[] = {job->policy_file.data, guard};

	kiln_policy_free(job->policy);
	job->policy = NULL;
	return cli_load_for_cpu(job->cpu, names, job->args->no_guard ? 1 : 2, &job->policy);
}

/* Of the user's policies alone, as the plugin has it. */
static enum cli_status find_digest(struct job *job)
{
	char *const names[] = {job->policy_file.data};
	struct kiln_policy *policy = NULL;
	enum cli_status status;

	if (!job->args->stamp)
		return CLI_OK;
	status = cli_load_for_cpu(job->cpu, names, 1, &policy);
	if (status == CLI_OK && kiln_policy_digest(policy, job->digest))
		status = cli_no_memory();
	kiln_policy_free(policy);
	return status;
}

/* ---- the CPU ---- */

/* A flag that the CPU of this machine has to be known for; NULL: there is none. */
static const char *find_native(const struct job *job)
{
	for (size_t i = 0; i < kiln_policy_nr_rules(job->policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(job->policy, i);

		for (unsigned k = 0; k < rule->nr_settings; k++) {
			const char *flag = rule->settings[k].flag;

			if (flag && kiln_flag_is_native(flag) && kiln_rule_is_for(rule, job->arch))
				return flag;
		}
	}
	return NULL;
}

static void init_native(const struct job *job, struct cli_words *words)
{
	cli_words_init(words, "/proc/self/exe native");
	cli_words_add(words, "--cc=%s", job->build.compiler.data);
	cli_words_add(words, "--plugin=%s", job->plugin.data);
}

static enum cli_status resolve_cpu(struct job *job, const char *flag)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH"), *file = job->cpu_file.data;
	struct cli_words words;
	enum cli_status status;
	int ended = 0;

	if (epoch && *epoch)
		return cli_trouble("'%s' is not resolved, and SOURCE_DATE_EPOCH asks for the same build "
				   "on every machine; 'kiln native -o %s' resolves it, or 'kiln native "
				   "--cpu=NAME'", flag, file);
	init_native(job, &words);
	cli_words_add(&words, "--output=%s", file);
	status = cli_run_through(&words, &ended);
	cli_words_release(&words);
	if (status != CLI_OK || ended)
		return CLI_TROUBLE;
	cli_note("the CPU is resolved in %s, for this build and those after it; remove that file to "
		 "resolve it again", file);
	return CLI_OK;
}

/* The kernel may be for another machine than this: what lacks here is told, no more. */
static void check_cpu(const struct job *job)
{
	struct cli_words words;
	struct kiln_strbuf out;

	init_native(job, &words);
	cli_words_add(&words, "--check=%s", job->cpu_file.data);
	kiln_strbuf_init(&out);
	if (cli_run(&words, CLI_TAKE_BOTH, &out) == CLI_BAD_POLICY)
		fputs(out.data, stderr);
	kiln_strbuf_release(&out);
	cli_words_release(&words);
}

/* Reads the policy again, with what `native` in it stands for. */
static enum cli_status load_cpu(struct job *job)
{
	const char *flag = find_native(job);
	enum cli_status status = CLI_OK;
	char *names[1];

	if (!flag)
		return CLI_OK;
	if (access(job->cpu_file.data, F_OK))
		status = resolve_cpu(job, flag);
	else
		check_cpu(job);
	names[0] = job->cpu_file.data;
	if (status == CLI_OK)
		status = cli_load(names, 1, &job->cpu);
	return status == CLI_OK ? load_policy(job) : status;
}

/* ---- the kernel's configuration ---- */

/* Is the line WANTED, with its end, in .config? */
static bool is_configured(const struct job *job, const char *wanted)
{
	struct kiln_strbuf path;
	bool found = false;
	char *line = NULL;
	size_t size = 0;
	FILE *config;

	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "%s/.config", job->build.objtree.data);
	config = path.failed ? NULL : fopen(path.data, "re");
	while (config && !found && getline(&line, &size, config) > 0)
		found = !strcmp(line, wanted);
	if (config)
		fclose(config);
	free(line);
	kiln_strbuf_release(&path);
	return found;
}

/* ---- the compiler ---- */

static enum cli_status find_plugin(struct job *job)
{
	struct kiln_strbuf found;
	char path[PATH_MAX];
	enum cli_status status;

	kiln_strbuf_init(&found);
	status = cli_find_plugin(job->build.compiler.data, job->args->plugin, &found);
	if (status == CLI_OK && !realpath(found.data, path))
		status = cli_trouble("the plugin '%s' is not there: %s", found.data, strerror(errno));
	if (status == CLI_OK)
		kiln_strbuf_adds(&job->plugin, path);
	kiln_strbuf_release(&found);
	return status;
}

/* Once, and not in each of 3,000 compiles. */
static enum cli_status try_plugin(const struct job *job)
{
	const char *cc = job->build.compiler.data;
	enum cli_status status = CLI_OK;
	struct kiln_strbuf why;

	kiln_strbuf_init(&why);
	if (!cli_plugin_runs(cc, job->plugin.data, &why))
		status = cli_trouble("'%s' does not run the plugin '%s', it says: %s", cc,
				     job->plugin.data, why.data);
	kiln_strbuf_release(&why);
	return status;
}

/* ---- make ---- */

/* As a word of the shell that a recipe runs, in a value that make expands. */
static void add_make_word(struct kiln_strbuf *sb, const char *prefix, const char *word)
{
	kiln_strbuf_addf(sb, " '%s", prefix);
	for (; *word; word++) {
		if (*word == '\'')
			kiln_strbuf_adds(sb, "'\\''");
		else if (*word == '$')
			kiln_strbuf_adds(sb, "$$");
		else
			kiln_strbuf_add(sb, word, 1);
	}
	kiln_strbuf_adds(sb, "'");
}

static void add_argument(const struct job *job, struct kiln_strbuf *flags, const char *key)
{
	kiln_strbuf_adds(flags, " ");
	cli_add_argument(flags, job->plugin.data, key);
}

/* The units that a kernel's version, and a module's, are in. */
static void add_stamps(const struct job *job, struct kiln_strbuf *flags)
{
	static const char *const sources[] = {"init/version.c", "**.mod.c"};
	struct kiln_strbuf argument;

	kiln_strbuf_init(&argument);
	cli_add_argument(&argument, job->plugin.data, "stamp=");
	for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++)
		add_make_word(flags, argument.data, sources[i]);
	flags->failed |= argument.failed;
	kiln_strbuf_release(&argument);
}

/*
 * NAME in the object tree, where kbuild runs the compiler. For ccache it is left at that,
 * so that two object trees share what is compiled; icecc's other machine is elsewhere.
 */
static void add_file_argument(const struct job *job, struct kiln_strbuf *flags, const char *key,
			      const char *path, const char *name)
{
	bool in_tree = !strcmp(job->build.objects.data, job->build.objtree.data);
	bool shared = job->wrappers.ccache && !job->wrappers.icecc && in_tree;
	struct kiln_strbuf argument;

	kiln_strbuf_init(&argument);
	cli_add_argument(&argument, job->plugin.data, key);
	add_make_word(flags, argument.data, shared ? name : path);
	flags->failed |= argument.failed;
	kiln_strbuf_release(&argument);
}

static void add_flags(const struct job *job, struct cli_words *words)
{
	struct kiln_strbuf flags;

	kiln_strbuf_init(&flags);
	kiln_strbuf_addf(&flags, "KCFLAGS=%s", job->build.kcflags ? job->build.kcflags : "");
	add_make_word(&flags, "-fplugin=", job->plugin.data);
	add_file_argument(job, &flags, "policy=", job->policy_file.data, POLICY_FILE);
	add_file_argument(job, &flags, "cpu=", job->cpu_file.data, CPU_FILE);
	if (make_keeps_records(&job->wrappers)) {
		add_argument(job, &flags, "record");
		add_argument(job, &flags, "nodeps");
	}
	if (job->wrappers.ccache || job->wrappers.icecc)
		add_argument(job, &flags, "mark");
	if (job->args->no_guard)
		add_argument(job, &flags, "noguard");
	if (job->args->stamp)
		add_stamps(job, &flags);
	cli_words_add(words, "%s", flags.data);
	words->text.failed |= flags.failed;
	kiln_strbuf_release(&flags);
}

/* The same CPU for Rust code as for C. */
static enum cli_status add_rust_flags(const struct job *job, struct cli_words *words)
{
	struct kiln_strbuf flags;
	enum cli_status status;

	kiln_strbuf_init(&flags);
	kiln_strbuf_addf(&flags, "KRUSTFLAGS=%s ", job->build.krustflags ? job->build.krustflags : "");
	status = cli_rust_flags(job->policy, job->arch, NULL, &flags);
	if (status == CLI_OK)
		cli_words_add(words, "%s", flags.data);
	kiln_strbuf_release(&flags);
	return status;
}

static enum cli_status add_all_flags(const struct job *job, bool rust, struct cli_words *words)
{
	enum cli_status status;

	add_flags(job, words);
	status = rust ? add_rust_flags(job, words) : CLI_OK;
	if (status == CLI_OK)
		status = make_tell_wrappers(&job->wrappers, job->policy, job->plugin.data);
	return status;
}

static enum cli_status run_make(const struct job *job, int *ret_status)
{
	bool rust = is_configured(job, "CONFIG_RUST=y\n") && job->arch;
	struct cli_words words;
	enum cli_status status;

	cli_words_init(&words, "make");
	for (int i = 0; i < job->build.nr_args; i++) {
		if (job->without || (!make_value(job->build.args[i], "KCFLAGS") &&
				     (!rust || !make_value(job->build.args[i], "KRUSTFLAGS"))))
			cli_words_add(&words, "%s", job->build.args[i]);
	}
	status = job->without ? CLI_OK : add_all_flags(job, rust, &words);
	if (status == CLI_OK)
		status = cli_run_through(&words, ret_status);
	cli_words_release(&words);
	return status;
}

/* ---- the command ---- */

static void say_refreshed(const struct make_refreshed *done)
{
	if (done->stale)
		cli_note("the policy says otherwise now for %zu of %zu units", done->stale, done->units);
	if (done->bad)
		cli_note("the records of %zu units cannot be read; they are built again", done->bad);
	if (done->missing)
		cli_note("the records of %zu units are missing; they are built again", done->missing);
}

static enum cli_status refresh(struct job *job)
{
	struct make_refreshed done;
	enum cli_status status;

	if (!make_keeps_records(&job->wrappers))
		return CLI_OK;
	status = make_refresh(job->build.objects.data, job->policy,
			      *job->digest ? job->digest : NULL, job->args->verbose, &done);
	if (status == CLI_OK)
		say_refreshed(&done);
	return status;
}

/* Two plugins, with a policy each, would undo what the other has done. */
static enum cli_status refuse_integrated(const struct job *job)
{
	if (!is_configured(job, "CONFIG_GCC_PLUGIN_KILN=y\n"))
		return CLI_OK;
	return cli_trouble("'%s/.config' has CONFIG_GCC_PLUGIN_KILN=y: this kernel is built with Kiln by "
			   "make alone, and CONFIG_KILN_POLICY names the policy", job->build.objtree.data);
}

/*
 * A module is compiled where the kernel was not, perhaps by an automatism and by
 * another GCC: better without the plugin than not at all.
 */
static enum cli_status choose_plugin(struct job *job)
{
	enum cli_status status = find_plugin(job);

	if (status == CLI_OK)
		status = try_plugin(job);
	if (status == CLI_OK || !is_module(job))
		return status;
	cli_note("the module is built without the plugin");
	job->without = true;
	return CLI_OK;
}

/* The policy, and the CPU if that asks for it: then GCC judges the flags. */
static enum cli_status prepare(struct job *job)
{
	char *names[1];
	enum cli_status status = try_policies(job);

	if (status == CLI_OK)
		status = make_policy_file(job);
	if (status == CLI_OK)
		status = cli_target_arch(job->build.compiler.data, &job->arch);
	if (status == CLI_OK)
		status = load_policy(job);
	if (status == CLI_OK)
		status = load_cpu(job);
	if (status == CLI_OK)
		status = find_digest(job);
	if (status != CLI_OK)
		return status;
	names[0] = job->policy_file.data;
	make_find_wrappers(job->build.compiler.data, &job->wrappers);
	make_say_wrappers(&job->wrappers);
	status = cli_judge(job->build.compiler.data, job->plugin.data,
			   job->cpu ? job->cpu_file.data : NULL, names, 1);
	return status == CLI_OK ? refresh(job) : status;
}

static enum cli_status run(const struct cli_args *args)
{
	struct job job = {.args = args};
	char *const *make_args;
	int nr_make_args, exit_status = 0;
	enum cli_status status;

	kiln_strbuf_init(&job.unnamed);
	kiln_strbuf_init(&job.plugin);
	kiln_strbuf_init(&job.policy_file);
	kiln_strbuf_init(&job.cpu_file);
	split_operands(&job, &make_args, &nr_make_args);
	status = make_build_init(&job.build, make_args, nr_make_args);
	if (status == CLI_OK)
		status = refuse_integrated(&job);
	if (status == CLI_OK)
		status = choose_plugin(&job);
	if (status == CLI_OK && !job.without) {
		choose_policy(&job);
		status = prepare(&job);
	}
	if (status == CLI_OK)
		status = run_make(&job, &exit_status);
	if (status == CLI_OK && !exit_status && !job.without && make_keeps_records(&job.wrappers) &&
	    !args->quiet)
		status = make_summary(job.build.objects.data, job.policy, job.arch);
	kiln_policy_free(job.policy);
	kiln_policy_free(job.cpu);
	make_build_release(&job.build);
	kiln_strbuf_release(&job.unnamed);
	kiln_strbuf_release(&job.plugin);
	kiln_strbuf_release(&job.policy_file);
	kiln_strbuf_release(&job.cpu_file);
	return status == CLI_OK && exit_status ? CLI_TROUBLE : status;
}

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_SWITCH("no-guard", no_guard, "without the built-in policy 'guard'"),
	CLI_VALUE("plugin", "FILE", plugin, "the plugin to load into the compiler"),
	CLI_SWITCH("quiet", quiet, "no summary at the end"),
	CLI_SWITCH("stamp", stamp, "put a note of the policy into the kernel and its modules"),
	CLI_SWITCH("verbose", verbose, "tell which objects are built again, and why"),
	CLI_END,
};

const struct cli_command cli_make = {
	.name = "make",
	.operands = "[POLICY...] -- [MAKE ARGUMENT...]",
	.max_operands = -1,
	.stop_at_operand = true,
	.summary = "build a kernel with a policy",
	.details = "Runs make with the flags that load the plugin, in the kernel tree: -C, O=, M=,\n"
		   "ARCH=, CROSS_COMPILE=, CC= and KCFLAGS= are understood and passed on. After an\n"
		   "edit of the policy, only the units that it concerns are compiled again.\n",
	.options = options,
	.run = run,
};
