/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the policy files and the plugin prerequisites of the object, in the
 * dependency file that -MD writes and that kbuild reads.
 */
#ifndef KILN_DEPS_H
#define KILN_DEPS_H

#include "kiln/policy.h"

/* POLICY lives as long as the compiler. */
void deps_register(const char *plugin_name, const char *plugin_file,
		   const struct kiln_policy *policy);

#endif
