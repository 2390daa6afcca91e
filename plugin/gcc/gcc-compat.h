/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GCC's headers, and every difference between its versions.
 *
 * No other file includes a GCC header or tests a GCC version. GCC's headers
 * poison malloc() and break <ctype.h>, so system headers come first, here.
 */
#ifndef KILN_GCC_COMPAT_H
#define KILN_GCC_COMPAT_H

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* GCC 16's headers need it; g++ is always of the version that is extended. */
#if __GNUC__ >= 16
#include <memory>
#include <vector>
#endif

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "stringpool.h"
#include "attribs.h"
#include "basic-block.h"
#include "function.h"
#include "gimple.h"
#include "cgraph.h"
#include "ssa.h"
#include "tree-vrp.h"
#include "value-range.h"
#include "alloc-pool.h"
#include "symbol-summary.h"
#include "sreal.h"
#if GCCPLUGIN_VERSION_MAJOR >= 14
#include "ipa-cp.h"	/* which ipa-prop.h needs and does not include */
#endif
#include "ipa-prop.h"
#include "ipa-fnsummary.h"
#include "ipa-inline.h"
#include "context.h"
#include "tree-pass.h"
#include "memmodel.h"
#include "tm.h"
#include "opts.h"
#include "opt-suggestions.h"
#include "options.h"
#include "output.h"
#include "toplev.h"
#include "rtl.h"
#include "asan.h"
#include "emit-rtl.h"
#include "output.h"
#include "langhooks.h"
#include "target.h"
#include "c-family/c-common.h"
#include "diagnostic-core.h"
#include "diagnostic.h"
#if GCCPLUGIN_VERSION_MAJOR >= 16
#include "diagnostics/text-sink.h"
#elif GCCPLUGIN_VERSION_MAJOR == 15
#include "diagnostic-format-text.h"
#endif

/* GCC 10 keeps no record of which options a node sets explicitly. */
#if GCCPLUGIN_VERSION_MAJOR < 11
#define kiln_build_optimization_node(opts, set) build_optimization_node(opts)
#define kiln_optimization_restore(opts, set, node) \
	cl_optimization_restore(opts, TREE_OPTIMIZATION(node))
#else
#define kiln_build_optimization_node(opts, set) build_optimization_node(opts, set)
#define kiln_optimization_restore(opts, set, node) \
	cl_optimization_restore(opts, set, TREE_OPTIMIZATION(node))
#endif

/*
 * Since GCC 12 the options of the command line are replayed before those of an
 * `optimize` attribute; earlier versions forget them there.
 */
#if GCCPLUGIN_VERSION_MAJOR >= 12
#define kiln_save_for_optimize_attribute(decoded) \
	save_opt_decoded_options->safe_push(decoded)
#else
#define kiln_save_for_optimize_attribute(decoded) ((void)(decoded))
#endif

/*
 * The object's name as the driver passes it on: with the source's suffix since
 * GCC 11 (-dumpbase), without one before (-auxbase-strip).
 */
#if GCCPLUGIN_VERSION_MAJOR >= 11
#define KILN_OBJECT_BASE dump_base_name
#define KILN_OBJECT_BASE_HAS_SUFFIX true
#else
#define KILN_OBJECT_BASE aux_base_name
#define KILN_OBJECT_BASE_HAS_SUFFIX false
#endif

/* A flag of the node until GCC 10, a record of its own since. */
#if GCCPLUGIN_VERSION_MAJOR >= 11
#define kiln_is_thunk(node) ((node)->thunk)
#else
#define kiln_is_thunk(node) ((node)->thunk.thunk_p)
#endif

/* An attribute has it differ per function since GCC 12. */
#if GCCPLUGIN_VERSION_MAJOR >= 12
#define kiln_sanitize_coverage_p(fndecl) sanitize_coverage_p(fndecl)
#else
#define kiln_sanitize_coverage_p(fndecl) ((void)(fndecl), flag_sanitize_coverage != 0)
#endif

/* The type of an option that holds a number or a switch. */
#if GCCPLUGIN_VERSION_MAJOR >= 12
#define KILN_CLVC_INTEGER CLVC_INTEGER
#else
#define KILN_CLVC_INTEGER CLVC_BOOLEAN
#endif

/* How many nops -fpatchable-function-entry, or the attribute, puts at the entry. */
#if GCCPLUGIN_VERSION_MAJOR >= 11
#define kiln_patch_area_size() (crtl->patch_area_size)
#else
#define kiln_patch_area_size() (function_entry_patch_area_size)
#endif

/* GCC 16 has -fcx-limited-range as a value of -fcomplex-method=. */
#if GCCPLUGIN_VERSION_MAJOR >= 16
#define kiln_complex_method(opts) ((opts)->x_flag_complex_method)
#else
#define kiln_complex_method(opts) ((opts)->x_flag_cx_limited_range)
#endif

/*
 * What begins a message of GCC's. Since GCC 15 it is given the text output and
 * no longer the context; GCC 16 renamed them all.
 */
#if GCCPLUGIN_VERSION_MAJOR >= 16
typedef diagnostics::text_starter_fn kiln_starter_fn;
typedef diagnostics::text_sink &kiln_starter_output;
typedef const diagnostics::diagnostic_info kiln_diagnostic;
#define kiln_starter_printer(output) ((output).get_printer())
#define kiln_starter() (diagnostics::text_starter(global_dc))
#define kiln_is_error(diagnostic) ((diagnostic)->m_kind == diagnostics::kind::error)
#define kiln_is_note(diagnostic) ((diagnostic)->m_kind == diagnostics::kind::note)
#else
#if GCCPLUGIN_VERSION_MAJOR == 15
typedef diagnostic_text_starter_fn kiln_starter_fn;
typedef diagnostic_text_output_format &kiln_starter_output;
#define kiln_starter_printer(output) ((output).get_printer())
#define kiln_starter() (diagnostic_text_starter(global_dc))
#else
typedef diagnostic_starter_fn kiln_starter_fn;
typedef diagnostic_context *kiln_starter_output;
#define kiln_starter_printer(output) ((output)->printer)
#define kiln_starter() (diagnostic_starter(global_dc))
#endif
#if GCCPLUGIN_VERSION_MAJOR >= 14
typedef const diagnostic_info kiln_diagnostic;
#else
typedef diagnostic_info kiln_diagnostic;
#endif
#define kiln_is_error(diagnostic) ((diagnostic)->kind == DK_ERROR)
#define kiln_is_note(diagnostic) ((diagnostic)->kind == DK_NOTE)
#endif

/*
 * -funroll-loops takes back x86's -munroll-only-small-loops. In GCC 13 and 14 that
 * is one of a function's target options, which are not set anew for the next
 * function where only its optimization options differ.
 */
#if GCCPLUGIN_VERSION_MAJOR == 13 || GCCPLUGIN_VERSION_MAJOR == 14
#define kiln_reset_unrolling(node) \
	(global_options.x_ix86_unroll_only_small_loops = \
		 TREE_TARGET_OPTION(node)->x_ix86_unroll_only_small_loops)
#else
#define kiln_reset_unrolling(node) ((void)(node))
#endif

/*
 * mkdeps.h is not installed. These live in the C front ends only and are weak,
 * or else lto1 could not load the plugin.
 */
class mkdeps;
struct cpp_reader;
extern void deps_add_dep(class mkdeps *, const char *) __attribute__((weak));
extern class mkdeps *cpp_get_deps(struct cpp_reader *) __attribute__((weak));
extern struct cpp_reader *parse_in __attribute__((weak));

/* In lto1 there is no preprocessor either. */
struct cpp_hashnode;
extern void cpp_forall_identifiers(struct cpp_reader *,
				   int (*)(struct cpp_reader *, struct cpp_hashnode *, void *),
				   void *) __attribute__((weak));

#endif
