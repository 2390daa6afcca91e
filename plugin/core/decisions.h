/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the second part of a record. Private to the core.
 */
#ifndef KILN_CORE_DECISIONS_H
#define KILN_CORE_DECISIONS_H

#include "kiln/record.h"
#include "lines.h"

/*
 * Calls VISITOR->decide for what follows the line that was read last. NR_FUNCTIONS
 * have a number already. RET_WHY: what is wrong with the line read then, or
 * untouched. -1: out of memory.
 */
int kiln_decisions_visit(struct kiln_lines *lines, size_t nr_functions,
			 struct kiln_record_visitor *visitor, const char **ret_why);

#endif
