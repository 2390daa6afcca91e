/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stands in for a header that Debian 11's gcc-10-plugin-dev lacks and its own
 * i386.h includes: what that names of it. Found after all other directories
 * (find-compiler), so a header that is there is the one that is used.
 */
#ifndef KILN_STUB_I386_CPUINFO_H
#define KILN_STUB_I386_CPUINFO_H

enum feature_priority {
	P_NONE
};

#endif
