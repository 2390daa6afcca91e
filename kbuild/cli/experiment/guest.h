/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A kernel in an emulated machine whose clock counts instructions: QEMU's -icount, where one
 * instruction is one nanosecond. Nothing there is left to chance, so that what is counted
 * is the same each time: no random numbers of the CPU, no random addresses, a fixed date.
 */
#ifndef KILN_EXPERIMENT_GUEST_H
#define KILN_EXPERIMENT_GUEST_H

#include "../cli.h"

struct guest_arch {
	const char *name;  /* the kernel's */
	const char *image; /* where kbuild puts it */
	const char *qemu, *machine, *cpu;
	const char *append; /* of the kernel's command line */
	unsigned elf_machine;
};

struct guest {
	const struct guest_arch *arch;
	struct kiln_strbuf image; /* its path */
	int initramfs;            /* a file without a name; negative: none */
};

/*
 * The kernel that PATH is, or that the build directory PATH has, and an initramfs of the
 * workload made for its architecture. What is missing is said.
 */
enum cli_status guest_init(struct guest *guest, const char *path);
void guest_release(struct guest *guest);

/*
 * Boots it on CPU (NULL: the usual one of the architecture) and appends what it says on the console
 * to OUT; it ends by itself, or after GUEST_LIMIT_S.
 */
#define GUEST_LIMIT_S 1200
enum cli_status guest_run(const struct guest *guest, const char *cpu, struct kiln_strbuf *out);

#endif
