// SPDX-License-Identifier: GPL-2.0-or-later
#include "gcc-compat.h"
#include "target-arch.h"

const struct kiln_arch *target_arch(void)
{
	return kiln_arch_find("aarch64");
}
