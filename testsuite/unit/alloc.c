// SPDX-License-Identifier: GPL-2.0-or-later
#include "alloc.h"

#include <errno.h>
#include <stddef.h>

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

static unsigned long calls;
static unsigned long first_to_fail;
static bool all_after;
static bool failed;

static void arm(unsigned long number, bool after)
{
	calls = 0;
	first_to_fail = number;
	all_after = after;
	failed = false;
}

void alloc_fail_at(unsigned long number)
{
	arm(number, false);
}

void alloc_fail_from(unsigned long number)
{
	arm(number, true);
}

unsigned long alloc_stop(void)
{
	first_to_fail = 0;
	return calls;
}

unsigned long alloc_calls(void)
{
	return calls;
}

bool alloc_failed(void)
{
	return failed;
}

static bool must_fail(void)
{
	calls++;
	if (!first_to_fail || calls < first_to_fail || (calls > first_to_fail && !all_after))
		return false;
	failed = true;
	errno = ENOMEM;
	return true;
}

void *__wrap_malloc(size_t size)
{
	return must_fail() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return must_fail() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *memory, size_t size)
{
	return must_fail() ? NULL : __real_realloc(memory, size);
}
