// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Another plugin, for second-plugin.t: like those of a kernel it puts a call into each
 * function, before the early optimizations, and sees functions and the call graph
 * by the same events and hooks as Kiln.
 */
#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "cgraph.h"
#include "context.h"
#include "tree-pass.h"
#include "memmodel.h"
#include "tm.h"
#include "target.h"
#include "ssa.h"
#include "gimple-iterator.h"

int plugin_is_GPL_compatible;

static tree saw;	/* second_saw() */
static struct ggc_root_tab roots[] = {
	{ &saw, 1, sizeof(tree), &gt_ggc_mx_tree_node, &gt_pch_nx_tree_node },
	LAST_GGC_ROOT_TAB
};

static const struct pass_data data = { GIMPLE_PASS, "second", OPTGROUP_NONE, TV_NONE, PROP_cfg, 0, 0, 0,
	TODO_update_ssa };

class second_pass : public gimple_opt_pass
{
public:
	second_pass() : gimple_opt_pass(data, g) {}

	unsigned int execute(::function *fun) final override
	{
		basic_block bb = single_succ(ENTRY_BLOCK_PTR_FOR_FN(fun));
		gimple_stmt_iterator gsi = gsi_after_labels(bb);
		gcall *call = gimple_build_call(saw, 0);

		gsi_insert_before(&gsi, call, GSI_SAME_STMT);
		cgraph_node::get(fun->decl)->create_edge(cgraph_node::get_create(saw), call, bb->count);
		return 0;
	}
};

static void make_function(void *, void *)
{
	saw = build_fn_decl("second_saw", build_function_type_list(void_type_node, NULL_TREE));
	TREE_NOTHROW(saw) = 1;
}

static void (*gcc_set_current_function)(tree fndecl);

/* A function of this name is not inlined. */
static void set_current_function(tree fndecl)
{
	if (fndecl && !strcmp(IDENTIFIER_POINTER(DECL_NAME(fndecl)), "second_apart"))
		DECL_UNINLINABLE(fndecl) = 1;
	gcc_set_current_function(fndecl);
}

static void see_node(struct cgraph_node *, struct cgraph_node *, void *)
{
}

int plugin_init(struct plugin_name_args *info, struct plugin_gcc_version *version)
{
	struct register_pass_info pass = { new second_pass, "early_optimizations", 1, PASS_POS_INSERT_BEFORE };

	if (!plugin_default_version_check(version, &gcc_version))
		return 1;
	register_callback(info->base_name, PLUGIN_REGISTER_GGC_ROOTS, NULL, roots);
	register_callback(info->base_name, PLUGIN_START_UNIT, make_function, NULL);
	register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, NULL, &pass);
	symtab->add_cgraph_duplication_hook(see_node, NULL);
	gcc_set_current_function = targetm.set_current_function;
	targetm.set_current_function = set_current_function;
	return 0;
}
