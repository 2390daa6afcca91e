// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include <string.h>

/* By the names of GCC 10 to 16, sorted. */
static const struct {
	const char *name;
	const char *sentence;
} reasons[] = {
	{"BODY_NOT_AVAILABLE", "the unit has no body of it"},
	{"CILK_SPAWN", "it is spawned"},
	{"EH_PERSONALITY", "the two handle exceptions in different ways"},
	{"EXTERN_LIVE_ONLY_STATIC", "-flive-patching allows static functions alone"},
	{"FUNCTION_NOT_CONSIDERED", "GCC did not come to look at the call"},
	{"FUNCTION_NOT_INLINABLE", "it cannot be inlined: noinline, or what its body does"},
	{"FUNCTION_NOT_INLINE_CANDIDATE", "GCC did not take it for a candidate"},
	{"FUNCTION_NOT_OPTIMIZED", "the caller is not optimized"},
	{"INDIRECT_UNKNOWN_CALL", "the call is indirect, and of what is not known"},
	{"INLINE_UNIT_GROWTH_LIMIT", "the unit as a whole has grown by what it may"},
	{"LARGE_FUNCTION_GROWTH_LIMIT", "the caller would grow beyond what a large function may"},
	{"LARGE_STACK_FRAME_GROWTH_LIMIT",
	 "the caller's stack frame would grow beyond what it may"},
	{"LTO_MISMATCHED_DECLARATIONS", "caller and callee disagree on its declaration"},
	{"MAX_INLINE_INSNS_AUTO_LIMIT", "it is not declared inline, and too large for that"},
	{"MAX_INLINE_INSNS_SINGLE_LIMIT", "it is declared inline, and too large all the same"},
	{"MISMATCHED_ARGUMENTS", "the call's arguments are not those of the function"},
	{"NEVER_CALL", "GCC holds that the call is never executed, and the code would grow"},
	{"NON_CALL_EXCEPTIONS", "the two differ in which instructions may trap"},
	{"NOT_DECLARED_INLINED", "it is not declared inline, and the code would grow"},
	{"OPTIMIZATION_MISMATCH", "the two are compiled with different options"},
	{"ORIGINALLY_INDIRECT_CALL", "the call was indirect at first"},
	{"OVERWRITABLE", "another function may take its place when the kernel is linked (weak)"},
	{"RECURSIVE_INLINING", "the call is recursive"},
	{"REDEFINED_EXTERN_INLINE", "it is an extern inline function that was defined again"},
	{"SANITIZE_ATTRIBUTE_MISMATCH", "the two differ in their sanitizers' attributes"},
	{"TARGET_OPTION_MISMATCH", "the two are compiled for different instruction sets"},
	{"UNLIKELY_CALL", "GCC holds the call for unlikely, and the code would grow"},
	{"UNREACHABLE", "the call is never reached"},
	{"UNSPECIFIED", "GCC gives no reason"},
	{"USES_COMDAT_LOCAL", "it uses symbols that no other function may"},
	{"VARIADIC_THUNK", "the caller is a thunk with variable arguments"},
};

const char *records_reason_sentence(const char *name)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++) {
		if (!strcmp(reasons[i].name, name))
			return reasons[i].sentence;
	}
	return NULL;
}
