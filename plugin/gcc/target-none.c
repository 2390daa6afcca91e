// SPDX-License-Identifier: GPL-2.0-or-later
/* A target that Kiln does not know: no `on` rule holds. */
#include "gcc-compat.h"
#include "target-cpu.h"

const struct kiln_arch *target_arch(void)
{
	return NULL;
}

bool target_default_yields(const struct cl_decoded_option *, const struct cl_decoded_option *)
{
	return false;
}

bool target_is_driver_flag(const struct cl_decoded_option *)
{
	return false;
}

const char *const *target_values(size_t)
{
	return NULL;
}

const char *const *target_extensions(void)
{
	return NULL;
}

void target_expect_function_options(void)
{
}

void target_print_cpus(void)
{
}
