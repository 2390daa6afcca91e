/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of `kiln experiment`. Private to kbuild/cli. */
#ifndef KILN_EXPERIMENT_H
#define KILN_EXPERIMENT_H

#include "../cli.h"

extern const struct cli_command experiment_bisect;
extern const struct cli_command experiment_compare;
extern const struct cli_command experiment_count;

#endif
