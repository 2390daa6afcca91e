/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GCC's saved command line, as it would be had the policy's flags stood at the end
 * of the user's. It is what DW_AT_producer and -frecord-gcc-switches show: the
 * flags that made the object, and not where a plugin lies on some machine.
 */
#ifndef KILN_CMDLINE_H
#define KILN_CMDLINE_H

/*
 * Adds OPTIONS, which live on, before GCC handles them: takes back what the driver
 * added only because the user had not given those, from the global options too.
 * Called at most once.
 */
void cmdline_add(const struct cl_decoded_option *const *options, size_t count);

/*
 * Puts the options that were added in their places, and takes away
 * `-fplugin=.../BASE_NAME.so` and its arguments. Called once.
 */
void cmdline_rewrite(const char *base_name, const char *full_name);

#endif
