// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "args.h"
#include "diag.h"
#include "kiln/glob.h"
#include "kiln/nearest.h"

struct key {
	const char *name;
	bool has_value;
	const char *help;
	void (*set)(struct kiln_args *args, const char *value);
};

static void set_check(struct kiln_args *args, const char *value)
{
	(void)value;
	args->check = true;
}

static void set_cpu(struct kiln_args *args, const char *value)
{
	args->cpu = value;
}

static void set_cpus(struct kiln_args *args, const char *value)
{
	(void)value;
	args->cpus = true;
}

static void set_disable(struct kiln_args *args, const char *value)
{
	(void)value;
	args->disable = true;
}

static void set_help(struct kiln_args *args, const char *value)
{
	(void)value;
	args->help = true;
}

static void set_mark(struct kiln_args *args, const char *value)
{
	(void)value;
	args->mark = true;
}

static void set_noguard(struct kiln_args *args, const char *value)
{
	(void)value;
	args->noguard = true;
}

static void set_nodeps(struct kiln_args *args, const char *value)
{
	(void)value;
	args->nodeps = true;
}

static void set_policy(struct kiln_args *args, const char *value)
{
	if (args->nr_policies == KILN_MAX_POLICIES) {
		diag_plain(KILN_ERROR, "more than %d policies are named; "
			   "use 'include' in one policy file", KILN_MAX_POLICIES);
		return;
	}
	args->policies[args->nr_policies++] = value;
}

static void set_record(struct kiln_args *args, const char *value)
{
	(void)value;
	args->record = true;
}

static void set_srctree(struct kiln_args *args, const char *value)
{
	args->srctree = value;
}

static void set_stamp(struct kiln_args *args, const char *value)
{
	size_t offset;
	const char *fault = kiln_glob_check(value, &offset);

	if (fault)
		diag_plain(KILN_ERROR, "argument 'stamp': bad pattern '%s': %s", value, fault);
	else if (args->nr_stamps == KILN_MAX_STAMPS)
		diag_plain(KILN_ERROR, "more than %d times 'stamp'", KILN_MAX_STAMPS);
	else
		args->stamps[args->nr_stamps++] = value;
}

static void set_strict(struct kiln_args *args, const char *value)
{
	(void)value;
	args->strict = true;
}

static void set_verbose(struct kiln_args *args, const char *value)
{
	(void)value;
	args->verbose = true;
}

static const struct key keys[] = {
	{ "check", false, "let GCC judge every line of the policy, whatever the unit", set_check },
	{ "cpu", true, "the file that says what -march=native stands for: kiln native", set_cpu },
	{ "cpus", false, "print GCC's table of CPUs, where it has one, and go on", set_cpus },
	{ "disable", false, "do nothing", set_disable },
	{ "help", false, "print this and go on", set_help },
	{ "mark", false, "end preprocessed text with what of the policy concerns it: for ccache and "
	  "compile farms", set_mark },
	{ "noguard", false, "do without the built-in policy 'guard' and the asm register guard",
	  set_noguard },
	{ "nodeps", false, "do not make the object depend on the policy's files", set_nodeps },
	{ "policy", true, "a policy file, or a built-in policy's name; may be repeated "
	  "(none: 'default')", set_policy },
	{ "record", false, "write .NAME.o.kiln beside the object", set_record },
	{ "srctree", true, "the root of the kernel tree, if it cannot be found", set_srctree },
	{ "stamp", true, "put a note of what was applied into units that match this path; may be "
	  "repeated", set_stamp },
	{ "strict", false, "turn warnings into errors", set_strict },
	{ "verbose", false, "say what was applied to which unit and function", set_verbose },
};

void args_print_help(void)
{
	fputs("kiln " KILN_VERSION ": GCC flags per function and subsystem of a Linux kernel\n"
	      "use: -fplugin=.../kiln.so [-fplugin-arg-kiln-KEY[=VALUE]]...\n", stdout);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		printf("  %s%-*s %s\n", keys[i].name, (int)(16 - strlen(keys[i].name)),
		       keys[i].has_value ? "=VALUE" : "", keys[i].help);
}

static const struct key *find_key(const char *name, size_t length)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (strlen(keys[i].name) == length && !memcmp(keys[i].name, name, length))
			return &keys[i];
	return NULL;
}

static void report_unknown(const char *name, size_t length)
{
	const char *names[ARRAY_SIZE(keys) + 1] = { NULL };
	char *word = xstrndup(name, length);

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		names[i] = keys[i].name;
	const char *near = kiln_nearest(word, names);
	if (near)
		diag_plain(KILN_ERROR, "unknown argument '%s'; did you mean '%s'?", word, near);
	else
		diag_plain(KILN_ERROR, "unknown argument '%s'; "
			   "-fplugin-arg-kiln-help lists what there is", word);
	free(word);
}

static void parse_one(struct kiln_args *args, const char *text)
{
	size_t length = strcspn(text, "=");
	const char *value = text[length] ? text + length + 1 : NULL;
	const struct key *key = find_key(text, length);

	if (!key)
		report_unknown(text, length);
	else if (key->has_value && (!value || !*value))
		diag_plain(KILN_ERROR, "argument '%s' needs a value: %s", key->name, key->help);
	else if (!key->has_value && value)
		diag_plain(KILN_ERROR, "argument '%s' takes no value", key->name);
	else
		key->set(args, value);
}

int args_parse(const char *base_name, struct kiln_args *ret_args)
{
	size_t length = strlen(base_name);
	unsigned before = diag_errors();

	memset(ret_args, 0, sizeof(*ret_args));
	for (unsigned i = 0; i < save_decoded_options_count; i++) {
		const struct cl_decoded_option *option = &save_decoded_options[i];

		if (option->opt_index == OPT_fplugin_arg_ &&
		    !strncmp(option->arg, base_name, length) && option->arg[length] == '-')
			parse_one(ret_args, option->arg + length + 1);
	}
	return diag_errors() == before ? 0 : -1;
}

static const struct cl_decoded_option *find_option(size_t index)
{
	for (unsigned i = 0; i < save_decoded_options_count; i++)
		if (save_decoded_options[i].opt_index == index)
			return &save_decoded_options[i];
	return NULL;
}

const char *args_input_file(void)
{
	const struct cl_decoded_option *input = find_option(OPT_SPECIAL_input_file);

	return input ? input->arg : NULL;
}

bool args_is_preprocessed(void)
{
	return find_option(OPT_fpreprocessed) != NULL;
}

bool args_wants_text(void)
{
	const struct cl_decoded_option *dump = find_option(OPT_d);

	return find_option(OPT_E) && !find_option(OPT_M) && !find_option(OPT_MM) &&
	       !(dump && strchr(dump->arg, 'M'));
}

const char *args_output_file(void)
{
	const struct cl_decoded_option *output = find_option(OPT_o);

	return output && strcmp(output->arg, "-") ? output->arg : NULL;
}

const char *args_macro(const char *name)
{
	size_t length = strlen(name);
	const char *value = NULL;

	for (unsigned i = 0; i < save_decoded_options_count; i++) {
		const struct cl_decoded_option *option = &save_decoded_options[i];

		if (option->opt_index == OPT_D && !strncmp(option->arg, name, length) &&
		    option->arg[length] == '=')
			value = option->arg + length + 1;
	}
	return value;
}

char *args_srctree(void)
{
	static const char tail[] = "/include/linux/kconfig.h";

	for (unsigned i = 0; i < save_decoded_options_count; i++) {
		const struct cl_decoded_option *option = &save_decoded_options[i];

		if (option->opt_index != OPT_include)
			continue;
		size_t length = strlen(option->arg);
		if (length < sizeof(tail) - 1)
			continue;
		length -= sizeof(tail) - 1;
		if (!strcmp(option->arg + length, tail))
			return xstrndup(option->arg, length);
	}
	return NULL;
}
