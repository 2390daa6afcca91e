/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the architectures that a policy can say `on` for.
 *
 * A target has GCC's name first, then the names by which the kernel knows it,
 * so that `on aarch64` and `on arm64` mean the same, and `on x86` means both
 * x86_64 and 32-bit x86.
 */
#ifndef KILN_ARCH_H
#define KILN_ARCH_H

#include "base.h"

KILN_BEGIN_DECLS

/* One target: all names it answers to, NULL-terminated, GCC's first. */
struct kiln_arch {
	const char *names[4];
};

/* The target called NAME (any of its names; x86 gives x86_64), or NULL. */
const struct kiln_arch *kiln_arch_find(const char *name);

/* Does the glob PATTERN match one of ARCH's names? */
bool kiln_arch_matches(const struct kiln_arch *arch, const char *pattern);

/* Every name of every target, sorted, NULL-terminated: for messages. */
const char *const *kiln_arch_names(void);

KILN_END_DECLS

#endif
