// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln native: resolves the CPU once, into a policy. A build that reads that file
 * is the same whatever machine it runs on.
 */
#include "native/native.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kiln/builtin.h"
#include "kiln/cpu.h"
#include "kiln/nearest.h"

static const struct native_arch *const archs[] = {&native_aarch64, &native_x86};

#define NR_ARCHS (sizeof(archs) / sizeof(archs[0]))

static const struct native_arch *find_arch(const struct kiln_arch *arch)
{
	for (size_t i = 0; arch && i < NR_ARCHS; i++) {
		if (kiln_arch_matches(arch, archs[i]->pattern))
			return archs[i];
	}
	return NULL;
}

/* ---- options ---- */

static const char *const axes[] = {"both", "march", "mtune", NULL};

static bool is_axis(const struct native_job *job, const char *axis)
{
	return job->args->axis && !strcmp(job->args->axis, axis);
}

bool native_wants_march(const struct native_job *job)
{
	return !is_axis(job, "mtune");
}

bool native_wants_mtune(const struct native_job *job)
{
	return !is_axis(job, "march");
}

static enum cli_status check_axis(const char *axis)
{
	const char *nearest;

	for (size_t i = 0; axis && axes[i]; i++) {
		if (!strcmp(axis, axes[i]))
			return CLI_OK;
	}
	if (!axis)
		return CLI_OK;
	nearest = kiln_nearest(axis, axes);
	if (nearest)
		return cli_trouble("unknown axis '%s'; did you mean '%s'?", axis, nearest);
	return cli_trouble("unknown axis '%s'; there are both, march and mtune", axis);
}

/*
 * A file that is there was resolved before: replacing it is asked for. What is no
 * file, such as /dev/null, is never replaced.
 */
static enum cli_status check_output(const struct cli_args *args)
{
	struct stat there;

	if (!args->output || !strcmp(args->output, "-") || stat(args->output, &there))
		return CLI_OK;
	if (!S_ISREG(there.st_mode))
		return cli_trouble("'%s' is no regular file; without -o the lock goes to stdout",
				   args->output);
	if (args->force)
		return CLI_OK;
	return cli_trouble("'%s' is there already, and a CPU is resolved once; --force replaces it",
			   args->output);
}

static enum cli_status check_args(const struct cli_args *args)
{
	enum cli_status status = check_axis(args->axis);

	if (status != CLI_OK)
		return status;
	if (args->cc && !args->cc[strspn(args->cc, " \t")])
		return cli_trouble("--cc needs the name of a compiler");
	if (args->cpu && !strcmp(args->cpu, "native"))
		return cli_trouble("--cpu=native is what is done without --cpu");
	if (args->cpuid && args->cpuinfo)
		return cli_trouble("--cpuid=FILE and --cpuinfo=FILE are both the record of a "
				   "machine; give one of them");
	if (args->check && args->cpu)
		return cli_trouble("--check=LOCK tells of a machine: this one, or a recorded one; "
				   "--cpu names none");
	if (args->check && (args->output || args->drop || args->kconfig || args->rust))
		return cli_trouble("--check=LOCK tells of a lock and makes none");
	if (args->config && !args->kconfig)
		return cli_trouble("--config=FILE is what --kconfig=TREE is compared with");
	if (args->kconfig && (args->output || args->rust))
		return cli_trouble("--kconfig=TREE prints kernel options and writes no policy");
	if (args->rustc && !args->rust)
		return cli_trouble("--rustc=RUSTC is the compiler that --rust asks");
	return check_output(args);
}

/* Is WORD, of --drop, a whole setting and no feature? */
static bool is_setting(const char *word, size_t length)
{
	static const char *const settings[] = {"--param", "-march", "-mcpu", "-mtune"};

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		size_t begin = strlen(settings[i]);

		if (length >= begin && !memcmp(word, settings[i], begin) &&
		    (length == begin || word[begin] == '='))
			return true;
	}
	return false;
}

/* What is before a feature's name: "-m", "+". */
static size_t prefix_length(const char *word, size_t length)
{
	if (length > 2 && !memcmp(word, "-m", 2))
		return 2;
	return length > 1 && *word == '+';
}

static void split_drop(struct native_job *job, const char *text)
{
	static const char separators[] = ", \t";

	for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
		size_t length = strcspn(text, separators), prefix = prefix_length(text, length);

		if (is_setting(text, length))
			native_set_add(&job->dropped_rules, text, length);
		else
			native_set_add(&job->drop, text + prefix, length - prefix);
		text += length;
	}
}

/* ---- the compiler and the machine ---- */

static enum cli_status find_target(struct native_job *job)
{
	struct kiln_strbuf target;
	enum cli_status status;

	kiln_strbuf_init(&target);
	status = cli_ask(job->cc, "--version", &job->compiler);
	if (status == CLI_OK)
		status = cli_ask(job->cc, "-dumpmachine", &target);
	kiln_strbuf_addf(&job->compiler, ", for %s", target.data);
	kiln_strbuf_truncate(&target, strcspn(target.data, "-"));
	if (status == CLI_OK) {
		job->target = kiln_arch_find(target.data);
		job->arch = find_arch(job->target);
		if (!job->arch)
			status = cli_trouble("'%s' compiles for %s, whose CPUs are not known here",
					     job->cc, target.data);
	}
	kiln_strbuf_release(&target);
	return status;
}

/* The driver would ask this machine what another one is. */
static enum cli_status check_host(const struct native_job *job)
{
	struct utsname host;

	if (uname(&host))
		return cli_trouble("this machine does not tell its architecture: %s",
				   strerror(errno));
	if (find_arch(kiln_arch_find(host.machine)) == job->arch)
		return CLI_OK;
	return cli_trouble(
		"'%s' compiles for %s and this machine is %s, so that what it has says "
		"nothing; name the CPU with --cpu=NAME, or give the /proc/cpuinfo of one "
		"with --cpuinfo=FILE",
		job->cc, job->target->names[0], host.machine);
}

static enum cli_status read_cpuid(struct native_job *job)
{
	if (!job->arch->read_cpuid)
		return cli_trouble("'%s' compiles for %s, and --cpuid=FILE is the record of an x86",
				   job->cc, job->target->names[0]);
	return job->arch->read_cpuid(&job->machine, job->args->cpuid);
}

static enum cli_status read_machine(struct native_job *job)
{
	enum cli_status status = CLI_OK;

	if (job->args->cpu && !native_record(job))
		return CLI_OK;
	if (!native_record(job))
		status = check_host(job);
	if (status == CLI_OK && job->args->cpuid)
		status = read_cpuid(job);
	else if (status == CLI_OK)
		status = native_machine_read(&job->machine, job->args->cpuinfo, job->arch);
	job->has_machine = status == CLI_OK;
	return status;
}

/* ---- a CPU by name ---- */

/* The value of FLAG if it names a CPU for the job's architecture. */
static const char *named_cpu(const struct native_job *job, const char *flag)
{
	const char *const options[] = {"-march=", job->arch->cpu_flag};

	for (size_t i = 0; i < 2; i++) {
		size_t length = strlen(options[i]);

		if (!strncmp(flag, options[i], length) && strcmp(flag + length, "native"))
			return flag + length;
	}
	return NULL;
}

/* Takes the last name in RULE that GCC knows. As native_try. */
static int take_from_rule(struct native_job *job, const struct kiln_rule *rule)
{
	for (unsigned i = 0; i < rule->nr_settings; i++) {
		const struct kiln_setting *setting = &rule->settings[i];
		const char *cpu = setting->what == KILN_FLAG ? named_cpu(job, setting->flag) : NULL;
		int known = cpu ? job->arch->knows(job, cpu) : 0;

		if (known < 0)
			return known;
		if (!known)
			continue;
		kiln_strbuf_reset(&job->cpu);
		kiln_strbuf_adds(&job->cpu, cpu);
	}
	return job->cpu.length > 0;
}

/* A built-in policy for a CPU, such as graviton3. */
static enum cli_status take_from_policy(struct native_job *job, const char *name)
{
	const struct kiln_unit unit = {.arch = job->target};
	char *names[] = {(char *)name};
	struct kiln_policy *policy;

	if (!kiln_builtin_find(name))
		return CLI_OK;
	if (cli_load(names, 1, &policy) != CLI_OK)
		return CLI_TROUBLE;
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);

		if (kiln_rule_holds(rule, &unit, NULL) && take_from_rule(job, rule) < 0) {
			kiln_policy_free(policy);
			return CLI_TROUBLE;
		}
	}
	kiln_policy_free(policy);
	return CLI_OK;
}

static enum cli_status refuse_cpu(const struct native_job *job, const char *name)
{
	struct cli_words words;
	struct native_set set;
	const char *word = NULL, *nearest = NULL;

	cli_words_init(&words, "");
	native_set_init(&set);
	if (job->arch->list(job, &words) == CLI_OK) {
		while ((word = native_next_word(&words, word)))
			native_set_add_string(&set, word);
		nearest = kiln_nearest(name, native_set_list(&set));
		if (nearest && !strcmp(nearest, name))
			cli_trouble("'%s' lists '%s', but not as a CPU that it can compile for: "
				    "of another word size, or a name for tuning alone",
				    job->cc, name);
		else if (nearest)
			cli_trouble("'%s' knows no CPU '%s'; did you mean '%s'?", job->cc, name,
				    nearest);
		else
			cli_trouble("'%s' knows no CPU '%s', and no built-in policy names it for "
				    "%s; '%s --help=target' lists what there is",
				    job->cc, name, job->target->names[0], job->cc);
	}
	native_set_release(&set);
	cli_words_release(&words);
	return CLI_TROUBLE;
}

static enum cli_status find_cpu(struct native_job *job)
{
	const char *name = job->args->cpu;
	enum cli_status status;
	int known;

	if (!name)
		return CLI_OK;
	known = job->arch->knows(job, name);
	if (known < 0)
		return CLI_TROUBLE;
	if (known)
		kiln_strbuf_adds(&job->cpu, name);
	status = known ? CLI_OK : take_from_policy(job, name);
	if (status == CLI_OK && !job->cpu.length)
		status = refuse_cpu(job, name);
	return status;
}

/* ---- the job ---- */

static void init_job(struct native_job *job, const struct cli_args *args)
{
	*job = (struct native_job){.args = args, .cc = args->cc ? args->cc : "gcc"};
	kiln_strbuf_init(&job->compiler);
	kiln_strbuf_init(&job->cpu);
}

static void release_job(struct native_job *job)
{
	kiln_strbuf_release(&job->compiler);
	kiln_strbuf_release(&job->cpu);
	native_machine_release(&job->machine);
	native_denials_release(&job->denials);
	native_set_release(&job->drop);
	native_set_release(&job->dropped_rules);
}

static enum cli_status prepare(struct native_job *job)
{
	enum cli_status status;

	/* GCC's messages are read; and aarch64's driver is to read the same file as we. */
	setenv("LC_ALL", "C", 1);
	unsetenv("GCC_CPUINFO");
	if (job->args->drop)
		split_drop(job, job->args->drop);
	status = find_target(job);
	if (status == CLI_OK)
		status = read_machine(job);
	if (status == CLI_OK)
		status = find_cpu(job);
	if (status == CLI_OK)
		status = native_denials_load(&job->denials, job->target);
	return status;
}

/* ---- the lock ---- */

/* native_lock_rule says which it left out. */
static bool was_dropped(const struct native_lock *lock, const char *setting)
{
	struct kiln_strbuf line;
	bool found;

	kiln_strbuf_init(&line);
	kiln_strbuf_addf(&line, "# Dropped: %s", setting);
	found = strstr(lock->about.data, line.data) != NULL;
	kiln_strbuf_release(&line);
	return found;
}

static enum cli_status check_drops(const struct native_lock *lock)
{
	const struct native_set *drops = &lock->job->dropped_rules;

	for (size_t i = 0; i < drops->count; i++) {
		if (!was_dropped(lock, drops->words[i]))
			return cli_trouble("'%s' cannot be dropped: nothing sets it",
					   drops->words[i]);
	}
	return CLI_OK;
}

/* Adds the flags for Rust that are in step with TEXT, a lock. */
static enum cli_status add_rust(const struct native_job *job, struct kiln_strbuf *text)
{
	struct kiln_policy *policy = kiln_policy_new();
	enum cli_status status;
	struct cli_sink sink;

	cli_sink_init(&sink);
	if (policy && !kiln_policy_load_text(policy, "lock", text->data, text->length, &sink.sink)) {
		kiln_strbuf_adds(text, "\n# KRUSTFLAGS:");
		status = cli_rust_flags(policy, job->target, job->args->rustc, text);
		kiln_strbuf_adds(text, "\n");
	} else {
		status = sink.errors ? CLI_TROUBLE : cli_no_memory();
	}
	kiln_policy_free(policy);
	return status;
}

static enum cli_status write_lock(const struct native_lock *lock)
{
	const struct cli_args *args = lock->job->args;
	enum cli_status status = CLI_OK;
	struct kiln_strbuf text;

	kiln_strbuf_init(&text);
	native_lock_text(lock, &text);
	if (args->rust)
		status = add_rust(lock->job, &text);
	if (status == CLI_OK && text.failed)
		status = cli_no_memory();
	if (status == CLI_OK)
		status = native_lock_write(args->output, args->force, &text);
	kiln_strbuf_release(&text);
	return status;
}

/* ---- the kernel's options ---- */

static enum cli_status print_kconfig(const struct native_lock *lock)
{
	const struct native_job *job = lock->job;
	const struct native_cpu cpu = {
		.arch = job->target,
		.name = lock->name.length ? lock->name.data : NULL,
		.vendor = lock->vendor.length ? lock->vendor.data : NULL,
		.features = native_set_list(&lock->features),
		.words = job->has_machine ? native_set_list(&job->machine.words) : NULL,
	};

	return native_kconfig(&cpu, job->args->kconfig, job->args->config);
}

static enum cli_status print_answer(const struct native_lock *lock)
{
	enum cli_status status = check_drops(lock);

	if (status == CLI_OK && native_lock_failed(lock))
		status = cli_no_memory();
	if (status != CLI_OK)
		return status;
	return lock->job->args->kconfig ? print_kconfig(lock) : write_lock(lock);
}

static enum cli_status resolve(const struct native_job *job)
{
	struct native_lock lock;
	enum cli_status status;

	native_lock_init(&lock, job);
	status = job->arch->resolve(job, &lock);
	if (status == CLI_OK)
		status = print_answer(&lock);
	native_lock_release(&lock);
	return status;
}

/* ---- --check ---- */

/* Those for a CPU; an optional one if GCC knows it, but for "+NAME", which is no option. */
static void take_flags(const struct native_job *job, const struct kiln_verdict *verdict,
		       struct cli_words *flags)
{
	for (size_t i = 0; i < verdict->nr_flags; i++) {
		const struct kiln_setting *setting = verdict->flags[i];
		const char *flag = setting->flag;
		bool is_extension = kiln_flag_is_extension(flag);

		if (!is_extension && (strncmp(flag, "-m", 2) || !strncmp(flag, "-mtune=", 7)))
			continue;
		if (is_extension || !setting->optional || native_takes(job, flag, "") > 0)
			cli_words_add(flags, "%s", flag);
	}
}

static enum cli_status judge_flags(const struct native_job *job, const struct cli_words *flags)
{
	const char *word = NULL;

	while ((word = native_next_word(flags, word))) {
		if (kiln_flag_is_native(word))
			return cli_trouble("'%s' has '%s', which is whatever machine compiles; "
					   "'kiln native -o FILE' resolves it",
					   job->args->check, word);
	}
	if (flags->text.failed)
		return cli_no_memory();
	if (!flags->count)
		return cli_trouble("'%s' names no CPU of %s", job->args->check,
				   job->target->names[0]);
	return CLI_OK;
}

/* The flags that the policy LOCK has for every unit. */
static enum cli_status read_lock(const struct native_job *job, const char *lock,
				 struct cli_words *ret_flags)
{
	const struct kiln_unit unit = {.arch = job->target};
	char *names[] = {(char *)lock};
	struct kiln_decider *decider;
	struct kiln_policy *policy;

	if (cli_load(names, 1, &policy) != CLI_OK)
		return CLI_TROUBLE;
	decider = kiln_decider_new(policy, &unit);
	if (decider)
		take_flags(job, kiln_decider_unit(decider), ret_flags);
	kiln_decider_free(decider);
	kiln_policy_free(policy);
	return decider ? judge_flags(job, ret_flags) : cli_no_memory();
}

static enum cli_status tell_lacking(const struct native_job *job, const struct native_set *used)
{
	const char *lock = job->args->check;
	size_t count = 0;

	for (size_t i = 0; i < used->count; i++) {
		if (job->arch->has(&job->machine, used->words[i]) != NATIVE_NO)
			continue;
		printf("lacking\t%s\n", used->words[i]);
		count++;
	}
	if (!count)
		printf("%s: this machine has what it uses\n", lock);
	else
		printf("%s: this machine lacks %zu of what it uses\n", lock, count);
	return count ? CLI_BAD_POLICY : CLI_OK;
}

static enum cli_status check(const struct native_job *job)
{
	struct native_set used;
	struct cli_words flags;
	enum cli_status status;

	native_set_init(&used);
	cli_words_init(&flags, "");
	status = read_lock(job, job->args->check, &flags);
	if (status == CLI_OK)
		status = job->arch->uses(job, &flags, &used);
	if (status == CLI_OK)
		status = tell_lacking(job, &used);
	cli_words_release(&flags);
	native_set_release(&used);
	return status;
}

static enum cli_status run(const struct cli_args *args)
{
	enum cli_status status = check_args(args);
	struct native_job job;

	if (status != CLI_OK)
		return status;
	init_job(&job, args);
	status = prepare(&job);
	if (status == CLI_OK)
		status = args->check ? check(&job) : resolve(&job);
	release_job(&job);
	return status;
}

static const struct cli_option options[] = {
	CLI_VALUE("axis", "AXIS", axis, "march: the instructions; mtune: the tuning (both)"),
	CLI_VALUE("cc", "CC", cc, "the compiler, as for kiln check (gcc)"),
	CLI_VALUE("check", "LOCK", check, "tell what of a resolved file's the machine lacks"),
	CLI_VALUE("config", "FILE", config, "the .config to compare with (TREE/.config)"),
	CLI_VALUE("cpu", "NAME", cpu, "this CPU by GCC's name, or a policy's such as graviton3"),
	CLI_VALUE("cpuid", "FILE", cpuid, "the x86 machine that 'cpuid -r' printed this on"),
	CLI_VALUE("cpuinfo", "FILE", cpuinfo, "the machine that this was /proc/cpuinfo of"),
	CLI_VALUE("drop", "FLAG,...", drop, "without these features or settings"),
	CLI_SWITCH("force", force, "replace a file that is there"),
	CLI_HELP,
	CLI_VALUE("kconfig", "TREE", kconfig, "print kernel options that suit the CPU"),
	CLI_LETTER('o', "output", "FILE", output, "write this file; stdout by default"),
	CLI_VALUE("plugin", "FILE", plugin, "the plugin to load into CC"),
	CLI_SWITCH("rust", rust, "also the flags for Rust, as comments"),
	CLI_VALUE("rustc", "RUSTC", rustc, "the Rust compiler (rustc)"),
	CLI_END,
};

const struct cli_command cli_native = {
	.name = "native",
	.operands = "",
	.max_operands = 0,
	.summary = "resolve the CPU once, into a policy",
	.details = "The policy names the CPU and its features, without those that kernel code\n"
		   "cannot use, so that later builds do not depend on the machine they run on.\n"
		   "By default that is this machine, as the compiler's driver sees it.\n",
	.options = options,
	.run = run,
};
