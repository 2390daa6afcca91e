#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a compiler is asked for besides an object: the plugin must not be in the way,
# and does its work where there is some.

. "$(dirname "$0")/tap.sh"

# same OPTION... : with a policy the output is that of the flag on the command line.
same()
{
	"$CC" -O2 --param=max-inline-insns-auto=100 "$@" -o plain.out
	compile one.policy -fplugin-arg-kiln-noguard "$@" -o made.out
	cmp plain.out made.out
}

silent_probe()
{
	compile one.policy "$@" -c -x c /dev/null -o made.o
	"$CC" -O2 "$@" -c -x c /dev/null -o plain.o
	cmp plain.o made.o
}

# A probe with a broken policy must not make kbuild believe that a flag is unknown.
probe_of_bad_policy()
{
	compile bad.policy -c -x c /dev/null -o made.o
}

syntax_only()
{
	compile one.policy -fsyntax-only unit.c
}

syntax_only_bad()
{
	refuses 'bad.policy:1:1: error: unknown word' "$CC" -fplugin="$PLUGIN" \
		-fplugin-arg-kiln-policy=bad.policy -fsyntax-only unit.c
}

from_stdin()
{
	"$CC" -O2 --param=max-inline-insns-auto=100 -c -x c - -o plain.o <unit.c
	compile one.policy -fplugin-arg-kiln-noguard -c -x c - -o made.o <unit.c
	cmp plain.o made.o
}

save_temps()
{
	mkdir plain made
	(cd plain && "$CC" -O2 --param=max-inline-insns-auto=100 -save-temps -c ../unit.c -o unit.o)
	(cd made && compile "$PWD/../one.policy" -fplugin-arg-kiln-noguard -save-temps -c ../unit.c -o unit.o)
	cmp plain/unit.o made/unit.o
	cmp plain/unit.i made/unit.i
	cmp plain/unit.s made/unit.s
}

several_files()
{
	compile one.policy -c unit.c other.c
	[ -f unit.o ] && [ -f other.o ]
}

assembler_source()
{
	printf '#ifdef __ASSEMBLER__\n.globl here\nhere:\n\tnop\n#endif\n' >code.S
	"$CC" -c code.S -o plain.o
	compile one.policy -c code.S -o made.o
	cmp plain.o made.o
}

# kbuild's fixdep takes the first prerequisite for the source.
dependencies()
{
	compile outer.policy "$@" -c unit.c -o unit.o
	sed -e :a -e '/\\$/N; s/\\\n//; ta' "$dependency_file" | head -1 | tr -s ' ' '\n' >list
	cat list
	[ "$(sed -n 2p list)" = unit.c ]
	grep -Fqx outer.policy list
	grep -Fqx ./one.policy list || grep -Fqx one.policy list
	grep -Fqx "$PLUGIN" list
	[ "$(sort list | uniq -d | wc -l)" = 0 ]
}

no_dependencies()
{
	compile "$1" -fplugin-arg-kiln-disable -MMD -MF disabled.d -c unit.c -o unit.o
	"$CC" -O2 -MMD -MF plain.d -c unit.c -o unit.o
	cmp plain.d disabled.d
}

modes()
{
	echo 'all --param=max-inline-insns-auto=100' >one.policy
	printf 'include one.policy\nfunc none keep\n' >outer.policy
	echo 'nonsense' >bad.policy
	cat >unit.c <<-END
		static int small(int *p, int x) { for (int i = 0; i < x; i++) p[i] += x; return p[0]; }
		int user(int *p, int x) { return small(p, x) + small(p + 1, x) + __LINE__; }
	END
	echo 'int other(int x) { return x; }' >other.c
	check "-c" same -c unit.c
	check "-S" same -S unit.c
	check "-E" same -E unit.c
	check "-E -dM" same -E -dM unit.c
	check "-E -P -C" same -E -P -C unit.c
	check "-c -g" same -c -g unit.c
	check "-c -pipe" same -c -pipe unit.c
	check "/dev/null" silent_probe
	check "/dev/null with -g -pg" silent_probe -g -pg
	check "/dev/null with a bad policy" probe_of_bad_policy
	check "-fsyntax-only" syntax_only
	check "-fsyntax-only with a bad policy" syntax_only_bad
	check "standard input" from_stdin
	check "-save-temps" save_temps
	check "several files in one command" several_files
	check "an assembler source" assembler_source
	dependency_file=unit.d
	check "-MD" dependencies -MD
	check "-MMD -MP" dependencies -MMD -MP
	dependency_file=.unit.o.d
	check "-Wp,-MMD,FILE" dependencies -Wp,-MMD,.unit.o.d
	check "-MD -MF FILE -save-temps" dependencies -MD -MF .unit.o.d -save-temps
	check "-MMD with disable" no_dependencies outer.policy
}

each_compiler modes
plan_done
