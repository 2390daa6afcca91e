// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln experiment: what a policy does to a kernel, and what is noise.
 */
#include "experiment/experiment.h"

static const struct cli_command *const verbs[] = {
	&experiment_bisect,
	&experiment_compare,
	&experiment_count,
	NULL,
};

static const struct cli_option options[] = {
	CLI_HELP,
	CLI_END,
};

const struct cli_command cli_experiment = {
	.name = "experiment",
	.operands = "COMMAND [ARGUMENT...]",
	.min_operands = 1,
	.max_operands = -1,
	.stop_at_operand = true,
	.summary = "tell an effect from noise",
	.details = "",
	.options = options,
	.verbs = verbs,
};
