/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SHA-256 as FIPS 180-4 has it, because libc has none and no other library may
 * be loaded into the compiler.
 */
#ifndef KILN_SHA256_H
#define KILN_SHA256_H

#include "base.h"

KILN_BEGIN_DECLS

/* Hexadecimal digits and a NUL. */
#define KILN_SHA256_SIZE 65

void kiln_sha256(const void *data, size_t length, char ret_digest[KILN_SHA256_SIZE]);

KILN_END_DECLS

#endif
