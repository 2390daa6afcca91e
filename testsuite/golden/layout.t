#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# `file` finds its units however the build names them: in the tree, with O=, by
# absolute and relative paths, preprocessed, as an object of another directory, as
# the file where a function is defined, and out of the tree.

. "$(dirname "$0")/tap.sh"

# A function that is there only if the rule kept it.
make_tree()
{
	mkdir -p tree/include/linux tree/fs tree/lib tree/kernel/sched tree/drivers/net build/fs \
		build/kernel/sched build/drivers/firmware/efi/libstub mod/drivers/net
	: >tree/include/linux/kconfig.h
	for file in tree/fs/open.c tree/lib/sort.c mod/drivers/net/mod.c tree/kernel/sched/rt.c \
		tree/include/linux/helper.h; do
		cat >"$file" <<-END
			static int small(int x)
			{
				return x + 1;
			}
		END
	done
	for file in tree/fs/open.c tree/lib/sort.c mod/drivers/net/mod.c; do
		echo 'int user(int x) { return small(x); }' >>"$file"
	done
	cat >tree/kernel/sched/build_policy.c <<-END
		#include "rt.c"
		int user(int x) { return small(x); }
	END
	cat >tree/fs/header.c <<-END
		#include <linux/helper.h>
		int user(int x) { return small(x); }
	END
}

# kept GLOB OPTION... : the rule finds the unit. Runs in the current directory.
kept()
{
	echo "file $1 func small keep" >"$root/one.policy"
	shift
	compile "$root/one.policy" -c "$@" -o "$object"
	has_function "$object" small
}

# not_kept GLOB OPTION... : it does not.
not_kept()
{
	echo "file $1 func small keep" >"$root/one.policy"
	shift
	compile "$root/one.policy" -c "$@" -o "$object"
	fails has_function "$object" small
}

in_tree()
{
	cd tree || return
	object=fs/open.o
	kconfig="-include ./include/linux/kconfig.h"
	check "in the tree" kept fs/open.c $kconfig fs/open.c
	check "in the tree, by a wildcard" kept 'fs/*.c' $kconfig fs/open.c
	check "in the tree, below a directory" kept 'fs/**' $kconfig fs/open.c
	check "in the tree, ./ before it" kept fs/open.c $kconfig ./fs/open.c
	check "in the tree, with .." kept fs/open.c $kconfig lib/../fs/open.c
	check "in the tree, absolute" kept fs/open.c $kconfig "$root/tree/fs/open.c"
	check "in the tree, no kconfig.h on the command line" kept fs/open.c fs/open.c
	check "another file" not_kept fs/read.c $kconfig fs/open.c
	check "not by its base name" not_kept open.c $kconfig fs/open.c
	check "* does not cross a slash" not_kept '*.c' $kconfig fs/open.c
	check "by its object" kept fs/open.o $kconfig fs/open.c
	object=fs/.tmp_open.o
	check "by its object under CONFIG_MODVERSIONS" kept fs/open.o $kconfig fs/open.c
	object=$root/elsewhere.o
	check "from another directory, absolute" other_directory fs/open.c "$root/tree/fs/open.c"
	check "from another directory, relative" other_directory fs/open.c ../tree/fs/open.c
	cd "$root" || return
}

other_directory()
{
	cd "$root/mod"
	kept "$@"
}

object_tree()
{
	cd build || return
	object=fs/open.o
	kconfig="-include ../tree/include/linux/kconfig.h"
	check "O=, relative" kept fs/open.c $kconfig ../tree/fs/open.c
	check "O=, by its object" kept fs/open.o $kconfig ../tree/fs/open.c
	kconfig="-include $root/tree/include/linux/kconfig.h"
	check "O=, absolute" kept fs/open.c $kconfig "$root/tree/fs/open.c"
	object=drivers/firmware/efi/libstub/lib-sort.o
	check "an object of another directory" \
		kept 'drivers/firmware/efi/libstub/**' $kconfig "$root/tree/lib/sort.c"
	check "and still by its source" kept lib/sort.c $kconfig "$root/tree/lib/sort.c"
	check "the guard knows it by its object" guarded $kconfig "$root/tree/lib/sort.c"
	object=kernel/sched/build_policy.o
	check "a .c file that is included" \
		kept kernel/sched/rt.c $kconfig ../tree/kernel/sched/build_policy.c
	check "the file that includes it" \
		kept kernel/sched/build_policy.c $kconfig ../tree/kernel/sched/build_policy.c
	object=fs/header.o
	check "a header" kept 'include/linux/*.h' $kconfig -I../tree/include ../tree/fs/header.c
	check "not another header" \
		not_kept 'include/net/*.h' $kconfig -I../tree/include ../tree/fs/header.c
	cd "$root" || return
}

# EFI's copy of a library file is left alone, the library's own is not.
guarded()
{
	cat >"$root/guard.policy" <<-END
		all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0
		func user -fno-early-inlining -fno-inline-small-functions
		func small -fno-inline-functions-called-once
	END
	compile "$root/guard.policy" -c "$@" -o "$object"
	fails has_function "$object" small
	compile "$root/guard.policy" -c "$@" -o lib-sort.o
	has_function lib-sort.o small
}

preprocessed()
{
	cd build || return
	object=fs/open.o
	kconfig="-include ../tree/include/linux/kconfig.h"
	"$CC" -E $kconfig ../tree/fs/open.c -o fs/open.i
	check ".i input" kept fs/open.c -fplugin-arg-kiln-srctree=../tree fs/open.i
	check ".i input, the tree unknown" kept fs/open.c fs/open.i
	check "-save-temps" kept fs/open.c $kconfig -save-temps ../tree/fs/open.c
	check "-save-temps=obj" kept fs/open.c $kconfig -save-temps=obj ../tree/fs/open.c
	check "-pipe" kept fs/open.c $kconfig -pipe ../tree/fs/open.c
	cd "$root" || return
}

# A module's directory may be called like one of the kernel's.
out_of_tree()
{
	cd tree || return
	object=$root/mod/drivers/net/mod.o
	kconfig="-include ./include/linux/kconfig.h"
	check "a module, not by the kernel's directory" \
		not_kept 'drivers/**' $kconfig "$root/mod/drivers/net/mod.c"
	check "a module, by its absolute path" \
		kept "$root/mod/drivers/net/mod.c" $kconfig "$root/mod/drivers/net/mod.c"
	check "a module, by the end of its path" kept '**/mod/**/*.c' $kconfig "$root/mod/drivers/net/mod.c"
	cd ../mod || return
	object=drivers/net/mod.o
	kconfig="-include ../tree/include/linux/kconfig.h"
	check "a module compiled in its directory" \
		not_kept 'drivers/**' $kconfig drivers/net/mod.c
	check "a module compiled in its directory, by its path" \
		kept '**/mod/drivers/net/mod.c' $kconfig drivers/net/mod.c
	cd "$root" || return
}

# kbuild makes sources of its own where the objects are, as *.mod.c.
made_by_kbuild()
{
	mkdir -p build/include/config build/lib
	cp tree/fs/open.c build/lib/made.mod.c
	cp tree/fs/open.c mod/made.mod.c
	cd build || return
	kconfig="-include ../tree/include/linux/kconfig.h"
	object=lib/made.mod.o
	check "a source outside of the tree" kept "$root/build/lib/made.mod.c" $kconfig lib/made.mod.c
	: >include/config/auto.conf
	check "a source in the object tree" kept lib/made.mod.c $kconfig lib/made.mod.c
	check "a source in the object tree, by its absolute path" \
		kept lib/made.mod.c $kconfig "$root/build/lib/made.mod.c"
	check "its object" kept lib/made.mod.o $kconfig lib/made.mod.c
	object=$root/mod/made.mod.o
	check "not a module's" kept "$root/mod/made.mod.c" $kconfig "$root/mod/made.mod.c"
	check "nor another's" not_kept made.mod.c $kconfig "$root/mod/made.mod.c"
	rm -r include/config
	cd "$root" || return
}

srctree_argument()
{
	mkdir -p plain/sub
	cp tree/fs/open.c plain/sub/
	cd build || return
	object=open.o
	check "srctree=, absolute" kept sub/open.c -fplugin-arg-kiln-srctree="$root/plain" ../plain/sub/open.c
	check "srctree=, relative" kept sub/open.c -fplugin-arg-kiln-srctree=../plain ../plain/sub/open.c
	check "without it an absolute path" not_kept sub/open.c ../plain/sub/open.c
	ln -s tree "$root/link"
	kconfig="-include $root/link/include/linux/kconfig.h"
	check "a symbolic link to the tree" kept fs/open.c $kconfig "$root/link/fs/open.c"
	check "a symbolic link, one side only" kept fs/open.c $kconfig "$root/tree/fs/open.c"
	cd "$root" || return
}

layout()
{
	root=$PWD
	make_tree
	in_tree
	object_tree
	preprocessed
	out_of_tree
	made_by_kbuild
	srctree_argument
}

each_compiler layout
plan_done
