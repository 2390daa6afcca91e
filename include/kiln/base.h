/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every core header may rely on.
 *
 * The core is plain C11 and knows nothing of GCC. Its headers hold pure
 * declarations, because the files in plugin/gcc read them through a C++
 * compiler after GCC's system.h has poisoned malloc() and friends.
 */
#ifndef KILN_BASE_H
#define KILN_BASE_H

#include <stdbool.h>
#include <stddef.h>

#define KILN_VERSION "0.1.0"

#ifdef __cplusplus
#define KILN_BEGIN_DECLS extern "C" {
#define KILN_END_DECLS }
#else
#define KILN_BEGIN_DECLS
#define KILN_END_DECLS
#endif

#define KILN_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

#endif
