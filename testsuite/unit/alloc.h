/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An allocator that fails when told to. The Makefile links every unit test so
 * that malloc, calloc and realloc of the core and of the test come through it;
 * those inside of libc do not.
 */
#ifndef KILN_UNIT_ALLOC_H
#define KILN_UNIT_ALLOC_H

#include <stdbool.h>

/* The NUMBERth call from now on fails, counted from 1; 0: none does. */
void alloc_fail_at(unsigned long number);

/* Every call from the NUMBERth on fails. */
void alloc_fail_from(unsigned long number);

/* Calls since the last of the two above; they do not fail any more. */
unsigned long alloc_stop(void);

/* Calls so far, without ending anything. */
unsigned long alloc_calls(void);

/* Has a call failed on purpose since then? */
bool alloc_failed(void);

#endif
