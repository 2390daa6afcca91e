/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mark: how preprocessed text tells what of the policy concerns it.
 *
 * ccache takes two compiles for the same when their preprocessed texts are, and icecc
 * compiles that text on a machine that knows neither tree nor object. With the
 * argument `mark` the text ends in
 *
 *	# 1 "/path/of/my.policy"
 *	# 1 "<kiln DIGEST fs/open.o ../linux>"
 *
 * a line for each file of the policy, which ccache's direct mode takes for files that
 * were included, and one that is there for its text. DIGEST stands for the rules that
 * can concern the unit; object and root of the kernel tree follow where they are known.
 * Compiled, these lines are nothing.
 */
#ifndef KILN_MARK_H
#define KILN_MARK_H

#include "kiln/policy.h"

/*
 * At plugin_init, when the compiler is asked for text. POLICY lives as long as the
 * compiler.
 */
void mark_begin(const struct kiln_policy *policy);

/* At PLUGIN_FINISH, in any compile: GCC has closed its output. */
void mark_end(void);

/*
 * What the mark at the end of the file FD says, which has a position; it stays where
 * it is. NULL each, or both: it does not say. xmalloc'ed.
 */
void mark_read(int fd, char **ret_object, char **ret_srctree);

#endif
