/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A test of plugin/gcc from the inside: a plugin made of the same objects, with a
 * plugin_init of its own, that runs in cc1 and asks what no object file shows.
 *
 * It is run by selftest.t as
 *
 *	CC -O2 -fplugin=selftest.so -S src/toy.c -o obj/other.s
 *
 * in an empty directory, and prints one line for each check, "ok - ..." or
 * "not ok - ...", and "done" at the end. A check that fails names what was found.
 */
#include "gcc-compat.h"
#include "args.h"
#include "diag.h"
#include "flags.h"
#include "target-cpu.h"
#include "unit.h"

#define EXPORT __attribute__((visibility("default")))

extern "C" {
EXPORT int plugin_is_GPL_compatible;
EXPORT int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version);
}

static unsigned failures;

static bool check(bool good, const char *name)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
	failures += !good;
	return good;
}

static void check_string(const char *have, const char *want, const char *name)
{
	bool good = have && want ? !strcmp(have, want) : have == want;

	if (!check(good, name))
		printf("#   found '%s', not '%s'\n", have ? have : "(null)",
		       want ? want : "(null)");
}

static void check_number(long have, long want, const char *name)
{
	if (!check(have == want, name))
		printf("#   found %ld, not %ld\n", have, want);
}

/* ---- a command line of the test's own ------------------------------------------- */

static struct cl_decoded_option *real_options;
static unsigned nr_real_options;

/* Plugin arguments ("selftest-..."), or "-include FILE" where INCLUDE says so. */
static void use_command_line(const char *const *words, bool include)
{
	static struct cl_decoded_option options[32];

	real_options = save_decoded_options;
	nr_real_options = save_decoded_options_count;
	memset(options, 0, sizeof(options));
	save_decoded_options = options;
	save_decoded_options_count = 0;
	for (; *words; words++) {
		struct cl_decoded_option *option = &options[save_decoded_options_count++];

		option->opt_index = include ? OPT_include : OPT_fplugin_arg_;
		option->arg = *words;
	}
}

static void use_real_command_line(void)
{
	save_decoded_options = real_options;
	save_decoded_options_count = nr_real_options;
}

/* ---- args.c -------------------------------------------------------------------------- */

static void test_good_args(void)
{
	static const char *const words[] = {
		"selftest-policy=a=b=c.policy", "other-policy=not-ours", "selftest-strict",
		"selftest-policy=rfc", "selftest-srctree=../linux", "selftestx-disable", NULL,
	};
	struct kiln_args args;

	use_command_line(words, false);
	check_number(args_parse("selftest", &args), 0, "args: good ones are taken");
	use_real_command_line();
	check_number(args.nr_policies, 2, "args: both policies, no other plugin's");
	check_string(args.policies[0], "a=b=c.policy", "args: a value with several '=' is whole");
	check_string(args.policies[1], "rfc", "args: the policies are in order");
	check_string(args.srctree, "../linux", "args: srctree");
	check(args.strict && !args.verbose && !args.disable && !args.check && !args.help,
	      "args: those given and no others");
}

static void test_bad_args(void)
{
	static const char *const words[] = {
		"selftest-polic=x", "selftest-strict=1", "selftest-policy", "selftest-policy=",
		"selftest-", NULL,
	};
	unsigned before = diag_errors();
	struct kiln_args args;

	use_command_line(words, false);
	check_number(args_parse("selftest", &args), -1, "args: bad ones are refused");
	use_real_command_line();
	check_number(diag_errors() - before, 5, "args: each bad one is an error");
	check_number(args.nr_policies, 0, "args: and none is taken");
}

static void test_srctree_arg(void)
{
	static const struct {
		const char *words[4];
		const char *root;
	} rows[] = {
		{ { "../linux/include/linux/kconfig.h" }, "../linux" },
		{ { "./include/linux/kconfig.h" }, "." },
		{ { "/a/b/include/linux/kconfig.h", "/c/include/linux/kconfig.h" }, "/a/b" },
		{ { "x.h", "/usr/include/linux/compiler_types.h" }, NULL },
		{ { "include/linux/kconfig.h" }, NULL },
		{ { "h" }, NULL },
		{ { NULL }, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		use_command_line(rows[i].words, true);
		char *root = args_srctree();
		use_real_command_line();
		check_string(root, rows[i].root, "args: the tree by -include kconfig.h");
		free(root);
	}
}

static void test_input(void)
{
	check_string(args_input_file(), "src/toy.c", "args: the input file");
	check(!args_is_preprocessed(), "args: it is not preprocessed");
}

/* ---- unit.c ---------------------------------------------------------------------------- */

static const struct kiln_unit *unit;

static void test_unit(void)
{
	unit = unit_init(NULL);
	check_string(unit->source, "src/toy.c", "unit: the source");
	check_string(unit->object, "obj/other.o", "unit: the object by -o, not by the source");
	check(unit->arch && unit->arch == target_arch(), "unit: the architecture");
	check_string(unit_tree_path("src/../lib/./x.h"), "lib/x.h", "unit: another file, folded");
	check_string(unit_tree_path("src/toy.c"), "src/toy.c", "unit: and the source again");
	check_string(unit_tree_path("/no/such/x.h"), "/no/such/x.h", "unit: a file outside");
}

/* ---- diag.c ---------------------------------------------------------------------------- */

static void test_diag(void)
{
	unsigned before = diag_errors();

	diag_plain(KILN_NOTE, "self-test: a note");
	diag_plain(KILN_WARNING, "self-test: a warning");
	check_number(diag_errors() - before, 0, "diag: notes and warnings are no errors");
	diag_set_strict(true);
	diag_plain(KILN_NOTE, "self-test: a note");
	diag_plain(KILN_WARNING, "self-test: a warning under strict");
	check_number(diag_errors() - before, 1, "diag: a warning under strict is one");
	diag_set_strict(false);
	diag_plain(KILN_WARNING, "self-test: a warning");
	kiln_report(diag_sink(), KILN_ERROR, "x.policy", 3, 0, "self-test: an error of the core");
	check_number(diag_errors() - before, 2, "diag: the core's errors count");
}

/* ---- flags.c ---------------------------------------------------------------------------- */

static const char policy_text[] =
	"all --param=max-inline-insns-auto=31 -fwrapv\n"
	"func param --param=early-inlining-insns=77\n"
	"func twin --param=early-inlining-insns=77\n"
	"func flag -fno-ipa-cp\n"
	"func both --param=early-inlining-insns=78 -fno-ipa-cp\n"
	"func undone default\n"
	"func moved --param=max-inline-insns-auto=32\n"
	"func same --param=max-inline-insns-auto=31\n"
	"func unit_only -fcommon\n"
	"func out_of_range --param=inline-min-speedup=101\n"
	"func unknown --param=no-such-parameter=1\n"
	"func skipped ?--param=no-such-parameter=1\n";

static struct kiln_decider *decider;

static const struct kiln_verdict *verdict_of(const char *name)
{
	struct kiln_function function = { name, NULL, NULL, false };

	return kiln_decider_function(decider, &function);
}

/* The value of the int option spelled as cl_options has it, "fwrapv". */
static int value_of(const char *name, struct gcc_options *opts)
{
	return *(int *)option_flag_var(find_opt(name, CL_COMMON | CL_C | CL_PARAMS), opts);
}

static void test_unit_flags(void)
{
	struct kiln_policy *policy = kiln_policy_new();

	check_number(kiln_policy_load_text(policy, "self.policy", policy_text,
					   sizeof(policy_text) - 1, diag_sink()),
		     0, "flags: the policy is read");
	decider = kiln_decider_new(policy, unit);
	check_number(value_of("-param=max-inline-insns-auto=", &global_options), 15,
		     "flags: a parameter before");
	flags_apply_unit(kiln_decider_unit(decider));
	check_number(value_of("-param=max-inline-insns-auto=", &global_options), 31,
		     "flags: a parameter of the unit is set");
	check_number(value_of("-param=max-inline-insns-auto=", &global_options_set), 1,
		     "flags: it counts as given");
	check_number(value_of("fwrapv", &global_options), 1, "flags: a flag of the unit is set");
}

static size_t option_bytes(const struct cl_option *option)
{
	if (option->var_type == CLVC_STRING)
		return sizeof(const char *);
	if (option->var_type == CLVC_ENUM)
		return cl_enums[option->var_enum].var_size;
	return option->cl_host_wide_int ? sizeof(HOST_WIDE_INT) : sizeof(int);
}

static void options_of(tree node, struct gcc_options *opts, struct gcc_options *set)
{
	*opts = global_options;
	*set = global_options_set;
	kiln_optimization_restore(opts, set, node);
}

/* The options in which two nodes differ, " -fwrapv -fother", in GCC's order. */
static const char *difference(tree one, tree other)
{
	static struct gcc_options one_opts, one_set, other_opts, other_set;
	static char names[4096];

	options_of(one, &one_opts, &one_set);
	options_of(other, &other_opts, &other_set);
	names[0] = '\0';
	for (size_t i = 0; i < cl_options_count; i++) {
		const struct cl_option *option = &cl_options[i];
		const void *value = option_flag_var(i, &one_opts);

		if (!(option->flags & CL_OPTIMIZATION) || !value ||
		    !memcmp(value, option_flag_var(i, &other_opts), option_bytes(option)))
			continue;
		size_t length = strlen(names);
		snprintf(names + length, sizeof(names) - length, " %s", option->opt_text);
	}
	return names;
}

static tree attribute_node;	/* what the source gave with_attribute */

static void test_function_nodes(void)
{
	static const struct {
		const char *function;
		const char *difference;	/* from the unit's node */
	} rows[] = {
		{ "param", " --param=early-inlining-insns=" },
		{ "flag", " -fipa-cp" },
		{ "both", " --param=early-inlining-insns= -fipa-cp" },
		{ "undone", " --param=max-inline-insns-auto= -fwrapv" },
		{ "moved", " --param=max-inline-insns-auto=" },
		{ "same", "" },
		{ "skipped", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct kiln_verdict *verdict = verdict_of(rows[i].function);
		char *name = concat("flags: only what the rule names: ", rows[i].function, NULL);

		check_string(difference(optimization_default_node, flags_node(verdict, NULL)),
			     rows[i].difference, name);
		if (attribute_node)
			check_string(difference(attribute_node,
						flags_node(verdict, attribute_node)),
				     rows[i].difference, "flags: the same on top of an attribute");
		free(name);
	}
}

static void test_node_values(void)
{
	static struct gcc_options opts, set;

	options_of(flags_node(verdict_of("param"), NULL), &opts, &set);
	check_number(value_of("-param=early-inlining-insns=", &opts), 77, "flags: the value");
	check_number(value_of("-param=max-inline-insns-auto=", &opts), 31,
		     "flags: the unit's value beside it");
	options_of(flags_node(verdict_of("undone"), NULL), &opts, &set);
	check_number(value_of("-param=max-inline-insns-auto=", &opts), 15,
		     "flags: `default` gives the command line's value back");
	check_number(value_of("fwrapv", &opts), 0, "flags: and the command line's flag");
	options_of(flags_node(verdict_of("param"), attribute_node), &opts, &set);
	check_number(value_of("funroll-loops", &opts), 1, "flags: an attribute's flag stays");
}

static void test_sharing(void)
{
	static struct gcc_options opts, set;
	const struct kiln_verdict *verdict = verdict_of("param");
	tree node = flags_node(verdict, NULL);

	check(verdict == verdict_of("param"), "flags: one answer for one question");
	check(node == flags_node(verdict, NULL), "flags: one node for one answer");
	check(node == flags_node(verdict, optimization_default_node),
	      "flags: no node is the default node");
	check(node == flags_node(verdict_of("twin"), NULL), "flags: equal options, one node");
	check(node != flags_node(verdict, attribute_node), "flags: another base, another node");
	check(optimization_default_node == flags_node(verdict_of("same"), NULL),
	      "flags: nothing changed, no new node");

	opts = global_options;
	set = global_options_set;
	flags_node(verdict_of("both"), attribute_node);
	check(!memcmp(&opts, &global_options, sizeof(opts)) &&
		      !memcmp(&set, &global_options_set, sizeof(set)),
	      "flags: making a node leaves GCC's options alone");
}

static void test_timing(void)
{
	check(flags_wait_for_ipa(verdict_of("param")), "flags: a parameter can wait for IPA");
	check(!flags_wait_for_ipa(verdict_of("flag")), "flags: a flag can not");
	check(!flags_wait_for_ipa(verdict_of("undone")), "flags: nor can the loss of one");
}

/* Last: after this GCC has seen errors. */
static void test_bad_flags(void)
{
	static const char *const names[] = { "unit_only", "out_of_range", "unknown" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kiln_verdict *verdict = verdict_of(names[i]);
		unsigned before = diag_errors();

		tree node = flags_node(verdict, NULL);
		check_number(diag_errors() - before, 1, "flags: a bad one is an error");
		check_string(difference(optimization_default_node, node), "",
			     "flags: and changes nothing");
		flags_node(verdict, attribute_node);
		check_number(diag_errors() - before, 1, "flags: it is told once");
	}
}

/* ---- when -------------------------------------------------------------------------------- */

static void find_attribute_node(void *gcc_data, void *)
{
	tree fndecl = (tree)gcc_data;

	if (!strcmp(IDENTIFIER_POINTER(DECL_NAME(fndecl)), "with_attribute"))
		attribute_node = DECL_FUNCTION_SPECIFIC_OPTIMIZATION(fndecl);
}

static void test_at_ipa(void *, void *)
{
	check(attribute_node != NULL_TREE, "the source has a node of its own");
	test_function_nodes();
	test_node_values();
	test_sharing();
	test_timing();
	test_bad_flags();
	puts("done");
	fflush(stdout);
	exit(failures ? 1 : 0);
}

EXPORT int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version)
{
	if (!plugin_default_version_check(version, &gcc_version))
		return 1;
	test_good_args();
	test_bad_args();
	test_srctree_arg();
	test_input();
	test_unit();
	test_diag();
	test_unit_flags();
	register_callback(info->base_name, PLUGIN_PRE_GENERICIZE, find_attribute_node, NULL);
	register_callback(info->base_name, PLUGIN_ALL_IPA_PASSES_START, test_at_ipa, NULL);
	return 0;
}
