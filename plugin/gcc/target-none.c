// SPDX-License-Identifier: GPL-2.0-or-later
/* A target that Kiln does not know: no `on` rule holds. */
#include "gcc-compat.h"
#include "target-arch.h"

const struct kiln_arch *target_arch(void)
{
	return NULL;
}
