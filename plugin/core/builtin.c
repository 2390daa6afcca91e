// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/builtin.h"

#include <string.h>

#include "banned.h"

const struct kiln_builtin *kiln_builtin_find(const char *name)
{
	for (const struct kiln_builtin *b = kiln_builtins; b->name; b++) {
		if (strcmp(b->name, name) == 0)
			return b;
	}
	return NULL;
}
