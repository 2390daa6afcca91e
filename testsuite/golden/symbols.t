#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# GCC loads a plugin so that its symbols can replace GCC's own: what the plugin
# shows must be what GCC looks up. It needs libc and nothing else: each further
# library costs every compile.

. "$(dirname "$0")/tap.sh"

exports()
{
	nm -D --defined-only "$PLUGIN" | awk '{ print $3 }' | sort | tee exported
	printf 'plugin_init\nplugin_is_GPL_compatible\n' | cmp - exported
}

needs()
{
	readelf -d "$PLUGIN" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | tee needed
	echo libc.so.6 | cmp - needed
}

# A path of the machine that built it would make two builds differ.
no_build_path()
{
	strings -a "$PLUGIN" >words
	fails grep -F "$top" words
}

symbols()
{
	check "exports what GCC looks up" exports
	check "needs libc alone" needs
	check "has no path of the build machine" no_build_path
}

each_compiler symbols
plan_done
