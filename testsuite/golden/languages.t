#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a compiler is given besides a C source: other languages, preprocessed text,
# precompiled headers, what -flto has put into objects. The plugin does its work where that
# is C, and is not in the way elsewhere, be its policy ever so wrong.

. "$(dirname "$0")/tap.sh"

UNIT_FLAG=--param=max-inline-insns-auto=100

# left_alone COMPILER OPTION... : the output is what it is without the plugin.
left_alone()
{
	left_cc=$1
	shift
	"$left_cc" -O2 -g "$@" -o plain.out
	CC=$left_cc compile bad.policy -g "$@" -o made.out
	cmp plain.out made.out
}

from_stdin()
{
	"$CC" -O2 -E unit.c -o - | "$CC" -O2 "$UNIT_FLAG" -c -x cpp-output - -o plain.o
	"$CC" -O2 -E unit.c -o - | compile one.policy -fplugin-arg-kiln-noguard -c -x cpp-output - -o made.o
	cmp plain.o made.o
}

assembler_from_stdin()
{
	"$CC" -c -x assembler - -o plain.o <code.s
	compile bad.policy -c -x assembler - -o made.o <code.s
	cmp plain.o made.o
}

# preprocessed SOURCE OPTION... : the text is made without the plugin.
preprocessed()
{
	"$CC" -O2 -E "$@" -o text.i
	shift
	"$CC" -O2 "$UNIT_FLAG" -fpreprocessed "$@" -c text.i -o plain.o
	compile one.policy -fplugin-arg-kiln-noguard -fpreprocessed "$@" -c text.i -o made.o
	cmp plain.o made.o
}

# By the line markers the policy finds the source's name.
preprocessed_file_rule()
{
	"$CC" -O2 -E unit.c -o text.i
	compile file.policy -fpreprocessed -c text.i -o made.o
	has_function made.o small
	compile file.policy -c other.c -o made.o
	fails has_function made.o small
}

empty_file()
{
	: >empty.c
	"$CC" -O2 -c empty.c -o plain.o
	compile "$1" -c empty.c -o made.o
	cmp plain.o made.o
}

# ---- precompiled headers ---------------------------------------------------------

collect_always="--param=ggc-min-expand=0 --param=ggc-min-heapsize=0"

# use_header OUTPUT OPTION... : head.h.gch must be used.
use_header()
{
	use_output=$1
	shift
	echo "+ $*"
	# shellcheck disable=SC2086
	"$@" -O2 $collect_always -Winvalid-pch -H -c with-head.c -o "$use_output" 2>said || { cat said; return 1; }
	cat said
	grep -qx '! head.h.gch' said
}

# GCC takes params from where the header was compiled: with the plugin as by flags.
header_as_by_flags()
{
	"$CC" -O2 "$UNIT_FLAG" head.h -o head.h.gch
	use_header plain.o "$CC" "$UNIT_FLAG"
	rm head.h.gch
	compile one.policy -fplugin-arg-kiln-noguard head.h -o head.h.gch
	use_header made.o "$CC" -fplugin="$PLUGIN" -fplugin-arg-kiln-policy=one.policy -fplugin-arg-kiln-noguard
	rm head.h.gch
	cmp plain.o made.o
}

# header_makes_no_difference OPTION... : those that the header is precompiled with.
header_makes_no_difference()
{
	set -- "$CC" "$@"
	"$@" -O2 head.h -o head.h.gch
	use_header used.o "$CC" -fplugin="$PLUGIN" -fplugin-arg-kiln-policy=functions.policy -fplugin-arg-kiln-record
	cp .used.o.kiln used.record
	rm head.h.gch
	compile functions.policy -fplugin-arg-kiln-record -c with-head.c -o used.o
	grep -q '^early' .used.o.kiln
	grep -q '^ruled' .used.o.kiln
	diff .used.o.kiln used.record
	has_function used.o small
}

# ---- link time --------------------------------------------------------------------

# link_objects OUTPUT OPTION... : of unit.o and user.o
link_objects()
{
	link_output=$1
	shift
	"$CC" -O2 -flto -nostdlib -r -flinker-output=nolto-rel "$@" unit.o user.o -o "$link_output"
}

lto()
{
	compile one.policy -flto -c unit.c -o unit.o
	compile one.policy -flto -c user.c -o user.o
	link_objects both.o -fplugin="$PLUGIN" -fplugin-arg-kiln-policy=one.policy
	"$NM" both.o | grep -q ' T user$'
}

# What is kept is kept while linking; that it goes otherwise makes the test worth its name.
lto_keep()
{
	"$CC" -O2 -flto -c unit.c user.c
	link_objects plain.o
	fails has_function plain.o small
	compile functions.policy -flto "$@" -c unit.c user.c
	link_objects made.o
	has_function made.o small
}

# lto1 loads the plugin of the link's command line, and must do as if there was none.
lto1_left_alone()
{
	"$CC" -O2 -flto -frandom-seed=1 -c unit.c user.c
	link_objects plain.o -save-temps
	link_objects made.o -save-temps -fplugin="$PLUGIN" -fplugin-arg-kiln-policy=bad.policy -v 2>said
	grep -q "lto1.* -fplugin=$PLUGIN" said || { cat said; return 1; }
	fails grep -E 'bad\.policy:|error:' said
	"$NM" plain.o >plain.nm
	"$NM" made.o >made.nm
	diff plain.nm made.nm
	cmp plain.o made.o
}

fat_object()
{
	"$CC" -O2 "$UNIT_FLAG" -c unit.c -o plain.o
	compile one.policy -fplugin-arg-kiln-noguard -flto -ffat-lto-objects -c unit.c -o made.o
	"$OBJDUMP" -dr --no-addresses plain.o | tail -n +3 >plain.code
	"$OBJDUMP" -dr --no-addresses made.o | tail -n +3 >made.code
	grep -q outer plain.code
	diff plain.code made.code
}

# ---- compiled twice, and counted -----------------------------------------------------

# GCC itself compares the code with and without -g.
compare_debug()
{
	rm -f head.h.gch
	"$CC" -O2 -fcompare-debug -c with-head.c -o plain.o
	compile functions.policy -fplugin-arg-kiln-record -fcompare-debug -c with-head.c -o made.o
}

# same_by_flag OPTION... : with a policy the output is that of the flag.
same_by_flag()
{
	"$CC" -O2 "$UNIT_FLAG" "$@" -o made.out
	mv made.out plain.out
	compile one.policy -fplugin-arg-kiln-noguard "$@" -o made.out
	cmp plain.out made.out
}

languages()
{
	OBJDUMP=$("$CC" -print-prog-name=objdump)
	echo "all $UNIT_FLAG" >one.policy
	printf 'func small keep\nfunc user %s -fno-tree-vectorize\nfunc user call help noinline\n' "$UNIT_FLAG" \
		>functions.policy
	echo 'file unit.c func small keep' >file.policy
	echo 'nonsense' >bad.policy
	: >empty.policy
	cat >unit.c <<-END
		static int small(int *p, int x) { for (int i = 0; i < x; i++) p[i] += x; return p[0]; }
		int outer(int *p, int x) { return small(p, x) + small(p + 1, x) + __LINE__; }
	END
	sed 's/outer/user/' unit.c >other.c
	echo 'int outer(int *, int); int user(int *p, int x) { return outer(p, x) + 1; }' >user.c
	{
		echo 'static inline int help(int *p, int x) { for (int i = 0; i < x; i++) p[i] += 2; return p[1]; }'
		echo 'static inline int first(int *p) { return p[0]; }'
		for number in 1 2 3 4 5 6 7 8 9; do
			echo "static inline int more_$number(int x) { return x + $number; }"
		done
	} >head.h
	{
		echo '#include "head.h"'
		sed 's/outer/user/; s/small(p, x) +/& help(p, x) + first(p) +/' unit.c
		echo 'int more(int *p, int x) { return help(p, x) + more_3(x) + help(p, 4); }'
	} >with-head.c
	printf '.globl here\nhere:\n\tnop\n' >code.s
	printf '#if 1\n.globl here\nhere:\n\tnop\n#endif\n' >code.S
	echo 'namespace a { template<class T> T f(T x) { return x; } } int g() { return a::f(1); }' >unit.cc
	printf 'integer function twice(x)\n  integer, intent(in) :: x\n  twice = 2 * x\nend function\n' >unit.f90
	{
		echo '#define TWO 2'
		sed 's/2/TWO/' unit.f90
	} >unit.F90

	check "an empty file" empty_file one.policy
	check "an empty file with rules for functions" empty_file functions.policy
	check "an assembler file" left_alone "$CC" -c code.s
	check "an assembler file that is preprocessed" same_by_flag -g -c code.S
	check "an assembler file, -E" same_by_flag -E code.S
	check "assembler text from standard input" assembler_from_stdin
	check "preprocessed text from standard input" from_stdin
	check "-fpreprocessed" preprocessed unit.c
	check "-fpreprocessed -fdirectives-only" preprocessed unit.c -fdirectives-only
	check "-fpreprocessed: the source's name" preprocessed_file_rule
	check "a precompiled header: as by flags" header_as_by_flags
	check "a precompiled header without the plugin" header_makes_no_difference
	check "a precompiled header with rules for functions" header_makes_no_difference \
		-fplugin="$PLUGIN" -fplugin-arg-kiln-policy=functions.policy
	check "-flto, compiled and linked" lto
	check "-flto: what is kept is there after the link" lto_keep
	check "-flto -ffat-lto-objects: the same" lto_keep -ffat-lto-objects
	check "-flto: lto1 with the plugin" lto1_left_alone
	check "-flto -ffat-lto-objects: the object's own code" fat_object
	check "-fcompare-debug" compare_debug
	check "-fprofile-generate" same_by_flag -frandom-seed=1 -fprofile-generate -c unit.c
	check "--coverage" same_by_flag -frandom-seed=1 --coverage -c unit.c
	check_with "${CC%gcc}g++" "C++ is left alone" left_alone "${CC%gcc}g++" -c unit.cc
	check_with "${CC%gcc}gfortran" "Fortran is left alone" left_alone "${CC%gcc}gfortran" -c unit.f90
	check_with "${CC%gcc}gfortran" "Fortran that is preprocessed" left_alone "${CC%gcc}gfortran" -c unit.F90
}

each_compiler languages
plan_done
