/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzzers share. One program per parser, for libFuzzer: a property that does
 * not hold is an abort(), as an error is that a sanitizer finds.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kiln/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                           \
	do {                                                                         \
		if (!(condition)) {                                                  \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
			abort();                                                     \
		}                                                                    \
	} while (0)

/* The input as a string of its own: what reads behind its end is found. To be freed. */
static inline char *fuzz_string(const uint8_t *data, size_t size)
{
	char *string = (char *)malloc(size + 1);

	REQUIRE(string);
	memcpy(string, data, size);
	string[size] = '\0';
	return string;
}

/* The path of a file with the input, until the next one. */
static inline const char *fuzz_file(const uint8_t *data, size_t size)
{
	static char path[32];
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("input", 0);
	REQUIRE(fd >= 0 && !ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return path;
}

#endif
