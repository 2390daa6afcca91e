// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where GCC enters. plugin_init runs after the command line was read and
 * before the options are finished and the source is opened.
 */
#include "gcc-compat.h"
#include "args.h"
#include "cmdline.h"
#include "deps.h"
#include "diag.h"
#include "flags.h"
#include "functions.h"
#include "judge.h"
#include "mark.h"
#include "record-file.h"
#include "stamp.h"
#include "target-cpu.h"
#include "unit.h"
#include "kiln/glob.h"
#include "kiln/packed.h"

#define EXPORT __attribute__((visibility("default")))

extern "C" {
EXPORT int plugin_is_GPL_compatible;
EXPORT int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version);
}

/* ---- the right compiler? ------------------------------------------------------ */

struct version_field {
	const char *name;
	const char *built_for;
	const char *loaded_by;
};

/*
 * Every field must be equal: plugins use GCC's internal structures, and even a
 * rebuild of the same release may lay them out differently.
 */
static bool check_version(const struct plugin_gcc_version *version, bool strict)
{
	const struct version_field fields[] = {
		{ "version", gcc_version.basever, version->basever },
		{ "date stamp", gcc_version.datestamp, version->datestamp },
		{ "development phase", gcc_version.devphase, version->devphase },
		{ "revision", gcc_version.revision, version->revision },
		{ "configuration", gcc_version.configuration_arguments,
		  version->configuration_arguments },
	};

	for (size_t i = 0; i < ARRAY_SIZE(fields); i++) {
		if (!strcmp(fields[i].built_for, fields[i].loaded_by))
			continue;
		fprintf(stderr, "kiln: %s: built for another GCC, whose %s is '%s' and not '%s'; "
			"%s (build Kiln with PLUGIN_CC=this compiler)\n",
			strict ? "error" : "warning", fields[i].name, fields[i].built_for,
			fields[i].loaded_by, strict ? "stopping" : "compiling without it");
		return false;
	}
	return true;
}

/* Before the version check: looks at the portable plugin_name_args only. */
static bool has_argument(const struct plugin_name_args *info, const char *key)
{
	for (int i = 0; i < info->argc; i++)
		if (!strcmp(info->argv[i].key, key))
			return true;
	return false;
}

/* "GNU C17", "GNU GIMPLE", "GNU C++14"... */
static bool is_c(void)
{
	return !strncmp(lang_hooks.name, "GNU C", 5) &&
	       (ISDIGIT(lang_hooks.name[5]) || !lang_hooks.name[5]);
}

/* kbuild tries flags on /dev/null; there is no unit there to have settings. */
static bool is_probe(void)
{
	const char *input = args_input_file();

	return !input || !strcmp(input, "/dev/null");
}

/* ---- the policy ------------------------------------------------------------------ */

/* kbuild runs the compiler in the object tree, which is not where the user stood. */
static void load_named(struct kiln_policy *policy, const char *name)
{
	if (!kiln_policy_load(policy, name, diag_sink()))
		return;
	/* With these words icecc compiles it on the machine that has the file. */
	if (kiln_policy_names_file(name) && access(name, F_OK) && unit_is_elsewhere())
		diag_plain(KILN_NOTE, "on a farm, 'kiln pack' takes the policy along: file not found");
	if (name[0] != '/' && kiln_policy_names_file(name) && access(name, F_OK))
		diag_plain(KILN_NOTE, "'%s' was looked for in %s, where the compiler runs; "
			   "give an absolute path", name,
			   getpwd() ? getpwd() : "a directory that was removed");
}

/* It need not be there where nothing asks for `native`. */
static void load_cpu(struct kiln_policy *policy, const char *file)
{
	struct kiln_policy *cpu = access(file, F_OK) ? NULL : kiln_policy_new();

	if (!cpu && errno == ENOENT)
		return;
	if (!cpu)
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	load_named(cpu, file);
	if (kiln_policy_set_cpu(policy, cpu))
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
}

/* No policy is named: what the plugin has inside, or the default one. */
static void load_unnamed(struct kiln_policy *policy, const char *plugin_file)
{
	struct kiln_strbuf text;

	kiln_strbuf_init(&text);
	switch (kiln_packed_read(plugin_file, &text)) {
	case KILN_PACKED_NONE:
		kiln_policy_load(policy, "default", diag_sink());
		break;
	case KILN_PACKED_FOUND:
		kiln_policy_load_text(policy, "<packed policy>", text.data, text.length, diag_sink());
		break;
	case KILN_PACKED_BAD:
		diag_plain(KILN_ERROR, "whether the plugin has a policy inside cannot be read from '%s': "
			   "%s", plugin_file, errno ? xstrerror(errno) : "it is cut");
		break;
	}
	kiln_strbuf_release(&text);
}

/* Of the user's policies. */
static char digest[KILN_SHA256_SIZE];

static struct kiln_policy *load_policy(const struct kiln_args *args, const char *plugin_file)
{
	struct kiln_policy *policy = kiln_policy_new();

	if (!policy)
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	if (args->cpu)
		load_cpu(policy, args->cpu);
	if (!args->nr_policies)
		load_unnamed(policy, plugin_file);
	for (unsigned i = 0; i < args->nr_policies; i++)
		load_named(policy, args->policies[i]);
	if (args->nr_stamps && kiln_policy_digest(policy, digest))
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	/* Last, so that no `default` of the user's forgets it. */
	if (!args->noguard)
		kiln_policy_load(policy, "guard", diag_sink());
	return policy;
}

/* Another target's flags are another compiler's to judge. */
static void check_policy(const struct kiln_policy *policy)
{
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++)
		if (kiln_rule_is_for(kiln_policy_rule(policy, i), target_arch()))
			flags_check(kiln_policy_rule(policy, i));
}

static bool has_f_flags(const struct kiln_policy *policy)
{
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);

		for (unsigned j = 0; j < rule->nr_settings; j++)
			if (rule->settings[j].what == KILN_FLAG &&
			    !strncmp(rule->settings[j].flag, "-f", 2))
				return true;
	}
	return false;
}

static void describe_unit(const struct kiln_unit *unit, const struct kiln_verdict *verdict)
{
	diag_plain(KILN_NOTE, "unit %s, object %s, %s%s",
		   unit->source ? unit->source : "unknown",
		   unit->object ? unit->object : "unknown",
		   unit->arch ? unit->arch->names[0] : "unknown architecture",
		   verdict->leave ? ", left alone" : "");
	for (size_t i = 0; i < verdict->nr_flags; i++)
		diag_setting(KILN_NOTE, verdict->flags[i], "unit flag %s",
			     verdict->flags[i]->flag);
}

static bool is_stamped(const struct kiln_unit *unit, const struct kiln_args *args)
{
	for (unsigned i = 0; unit->source && i < args->nr_stamps; i++)
		if (kiln_glob_match(args->stamps[i], unit->source))
			return true;
	return false;
}

/* What is written when the compile is over; NULL: nothing. */
static struct kiln_record the_record, *record;
static bool verbose;

static void apply_policy(struct plugin_name_args *info, const struct kiln_args *args)
{
	struct kiln_policy *policy = load_policy(args, info->full_name);

	if (diag_errors())
		return;
	if (args->check)
		check_policy(policy);
	if (is_probe())
		return;

	const struct kiln_unit *unit = unit_init(args->srctree);
	if (unit_is_nameless()) {
		/* In icecc's ears, the last words are the wish to compile it at home. */
		diag_plain(KILN_ERROR, "the text does not tell what it is compiled for, as "
			   "-fplugin-arg-kiln-mark has it: file not found");
		return;
	}
	struct kiln_decider *decider = kiln_decider_new(policy, unit);
	if (!decider)
		fatal_error(UNKNOWN_LOCATION, "kiln: out of memory");
	const struct kiln_verdict *verdict = kiln_decider_unit(decider);

	if (args->verbose)
		describe_unit(unit, verdict);
	flags_apply_unit(verdict);

	if (args->record) {
		record = &the_record;
		kiln_record_begin(record, unit, verdict);
	}
	if (is_stamped(unit, args)) {
		stamp_register(info->base_name, digest, verdict);
		if (record)
			kiln_record_stamp(record, digest);
	}
	struct functions_config config = {
		decider, !args->noguard, has_f_flags(policy), args->strict, args->verbose, record,
	};
	if (args->mark && args_wants_text())
		mark_begin(policy);
	functions_register(info->base_name, &config);
	deps_register(info->base_name, info->full_name, args->nodeps ? NULL : policy);
}

/* Did GCC accept the options as a whole? */
static bool options_accepted;

/* PLUGIN_PRAGMAS comes after GCC's option override hooks, in every mode, unless they failed. */
static void see_start(void *, void *)
{
	options_accepted = true;
}

/* PLUGIN_FINISH comes in every mode, just before GCC decides its exit status. */
static void finish(void *, void *)
{
	if (record && functions_were_seen() && !seen_error() && !diag_errors())
		record_file_write(record, unit_object_file(), verbose);
	mark_end();
	diag_finish();
	if (!options_accepted && seen_error())
		flags_explain_target();
}

EXPORT int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version)
{
	/* A check that checked nothing must not pass. */
	bool strict = has_argument(info, "strict") || has_argument(info, "check");
	struct kiln_args args;

	if (!check_version(version, strict))
		return strict ? 1 : 0;
	if (!args_parse(info->base_name, &args)) {
		diag_set_strict(args.strict);
		judge_set_verbose(args.verbose);
		verbose = args.verbose;
		if (args.help)
			args_print_help();
		if (args.cpus)
			target_print_cpus();
		if (!args.disable && is_c() && (args.check || !is_probe()))
			apply_policy(info, &args);
	}
	cmdline_rewrite(info->base_name, info->full_name);
	diag_finish();
	register_callback(info->base_name, PLUGIN_PRAGMAS, see_start, NULL);
	register_callback(info->base_name, PLUGIN_FINISH, finish, NULL);
	return 0;
}
