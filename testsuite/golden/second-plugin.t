#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Two plugins at once, whichever is named first: each does what it does alone.

. "$(dirname "$0")/tap.sh"

build_second()
{
	cxx=$(sed -n 's/^PLUGIN_CXX := //p' "${PLUGIN%/*}/gcc.mk")
	include=$(sed -n 's/^PLUGIN_INC := //p' "${PLUGIN%/*}/gcc.mk")
	"$cxx" -x c++ -std=gnu++14 -O1 -fno-rtti -fPIC -isystem "$include" -shared -o second.so \
		"$top/testsuite/golden/second-part.c"
}

# second OPTION... : the other plugin alone.
second()
{
	"$CC" -O2 -fplugin="$PWD/second.so" "$@"
}

# both POLICY OPTION... : makes first.o and last.o, of the order in which Kiln is named.
both()
{
	both_policy=$1
	shift
	compile "$both_policy" -fplugin="$PWD/second.so" "$@" -c unit.c -o object.o
	mv object.o first.o
	second -fplugin="$PLUGIN" -fplugin-arg-kiln-policy="$both_policy" "$@" -c unit.c -o object.o >said 2>&1
	mv object.o last.o
	cat said
	[ ! -s said ]
}

alone()
{
	second -c unit.c -o object.o
	"$NM" object.o | grep -q ' U second_saw$'
	has_function object.o second_apart
	fails has_function object.o small
}

# -g: the debug information names the flags, and plugins by their paths.
as_by_flag()
{
	second "$@" --param=max-inline-insns-auto=0 -c unit.c -o object.o
	mv object.o plain.o
	second "$@" -c unit.c -o object.o
	fails cmp -s plain.o object.o
	both all.policy -fplugin-arg-kiln-noguard "$@"
	cmp plain.o first.o
	cmp plain.o last.o
}

empty_policy()
{
	second -g -c unit.c -o object.o
	mv object.o plain.o
	both empty.policy -g
	cmp plain.o first.o
	cmp plain.o last.o
}

rules()
{
	both functions.policy
	for object in first.o last.o; do
		has_function $object small
		has_function $object second_apart
		has_function $object called
		"$NM" $object | grep -q ' U second_saw$'
	done
	cmp first.o last.o
}

record()
{
	both functions.policy -fplugin-arg-kiln-record
	cp .object.o.kiln last.record
	compile functions.policy -fplugin-arg-kiln-record -fplugin="$PWD/second.so" -c unit.c -o object.o
	diff .object.o.kiln last.record
	grep -q '^function.small' last.record
	grep -q '^ruled' last.record
}

bad_policy()
{
	refuses 'bad.policy:1:1: error: unknown word' second -fplugin="$PLUGIN" \
		-fplugin-arg-kiln-policy=bad.policy -c unit.c -o bad.o
	refuses 'bad.policy:1:1: error: unknown word' "$CC" -O2 -fplugin="$PLUGIN" \
		-fplugin-arg-kiln-policy=bad.policy -fplugin="$PWD/second.so" -c unit.c -o bad.o
}

two_plugins()
{
	echo 'all --param=max-inline-insns-auto=0' >all.policy
	printf 'func small keep\nfunc user -fno-tree-vectorize\nfunc user call called noinline\n' >functions.policy
	: >empty.policy
	echo 'nonsense' >bad.policy
	cat >unit.c <<-END
		static int small(int *p, int x) { for (int i = 0; i < x; i++) p[i] += x; return p[0]; }
		static int called(int *p, int x) { return small(p, x) + 2; }
		static int second_apart(int *p) { return p[1] + 1; }
		int user(int *p, int x) { return small(p, x) + second_apart(p) + called(p, x); }
		int other(int *p, int x) { return small(p + 1, x) + second_apart(p + 2); }
	END
	check "the other plugin is built" build_second
	check "the other plugin alone" alone
	check "a flag for all: as by the command line" as_by_flag
	check "a flag for all: as by the command line, with -g" as_by_flag -g
	check "an empty policy: as without Kiln, with -g" empty_policy
	check "rules for functions and calls: the same in both orders" rules
	check "the record: the same in both orders" record
	check "a bad policy is refused" bad_policy
}

each_compiler two_plugins
plan_done
