// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "cpplib.h"
#include "deps.h"

static const char *file_of_plugin;
static const struct kiln_policy *policy_read;

/*
 * PLUGIN_PRAGMAS comes after the main file was opened: kbuild's fixdep takes
 * the first prerequisite for the source. It comes in every mode, -E included.
 */
static void add_dependencies(void *, void *)
{
	if (!parse_in || !cpp_get_deps || !deps_add_dep ||
	    cpp_get_options(parse_in)->deps.style == DEPS_NONE)
		return;
	class mkdeps *deps = cpp_get_deps(parse_in);
	for (size_t i = 0; policy_read && i < kiln_policy_nr_files(policy_read); i++)
		deps_add_dep(deps, kiln_policy_file(policy_read, i));
	deps_add_dep(deps, file_of_plugin);
}

void deps_register(const char *plugin_name, const char *plugin_file,
		   const struct kiln_policy *policy)
{
	file_of_plugin = plugin_file;
	policy_read = policy;
	register_callback(plugin_name, PLUGIN_PRAGMAS, add_dependencies, NULL);
}
