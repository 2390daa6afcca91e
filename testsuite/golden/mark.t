#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The mark at the end of preprocessed text: ccache sees by it what of the policy concerns
# a unit, and icecc's other machine what the text is compiled for.

. "$(dirname "$0")/tap.sh"

macros='-DKBUILD_MODFILE="fs/x/y" -DKBUILD_BASENAME="unit" -include tree/include/linux/kconfig.h'

# text OPTION... : unit.c preprocessed with the mark.
text()
{
	# shellcheck disable=SC2086
	compile one.policy -fplugin-arg-kiln-mark $macros -E tree/fs/x/unit.c "$@"
}

# digest LINE... : the mark when the policy is these lines.
digest()
{
	printf '%s\n' "$@" >one.policy
	rm -f unit.i
	text -o unit.i
	sed -n 's/^# 1 "<kiln \([0-9a-f]*\)[ >].*/\1/p' unit.i >digest
	[ "$(wc -c <digest)" = 65 ]
	cat digest
}

same_digest()
{
	base=$(digest 'all -fno-gcse')
	for line; do
		echo "like none: $line"
		[ "$(digest 'all -fno-gcse' "$line" | tail -1)" = "$(echo "$base" | tail -1)" ]
	done
}

other_digest()
{
	base=$(digest 'all -fno-gcse')
	for line; do
		echo "unlike none: $line"
		[ "$(digest 'all -fno-gcse' "$line" | tail -1)" != "$(echo "$base" | tail -1)" ]
	done
}

no_concern()
{
	same_digest '# a comment' '  ' 'func nothing_has_this keep' 'func nothing_* -fno-ivopts' \
		'file net/** -fno-ivopts' 'file fs/x/unit.h -fno-ivopts' 'file fs/x/other.o -fno-ivopts' \
		"on $other_arch -fno-ivopts" "func do_it file net/** keep"
}

concern()
{
	other_digest 'all -fno-ivopts' 'func do_it keep' 'func pasted keep' 'func do_* -fno-ivopts' \
		'func [a-d]o_it keep' 'func * -fno-ivopts' 'file fs/x/** -fno-ivopts' \
		'file fs/x/unit.o -fno-ivopts' 'file fs/x/unit.c -fno-ivopts' \
		'file include/linux/used.h -fno-ivopts' 'func of_header noinline' \
		'section .text.none -fno-ivopts' "file fs/x/unit.c func do_it keep"
}

# Not split into words, or for an object that nobody tells: everything may concern it.
unknown_words()
{
	macros="$macros -fdirectives-only" other_digest 'func nothing_has_this keep'
}

unknown_object()
{
	macros= other_digest 'file fs/x/other.o keep' 'file net/** -fno-ivopts'
	macros='-DKBUILD_MODFILE="fs/x/y" -DKBUILD_BASENAME="a_name"' other_digest 'file fs/x/a-name.o keep'
}

# Where the object is made of a source of another directory.
object_elsewhere()
{
	macros='-DKBUILD_MODFILE="arch/z/unit" -DKBUILD_BASENAME="unit" -include tree/include/linux/kconfig.h'
	other_digest 'file arch/z/** leave' 'file fs/x/unit.c leave'
	same_digest 'file arch/y/** leave'
	grep -qx '# 1 "<kiln [0-9a-f]* arch/z/unit.o tree>"' unit.i
}

names_the_files()
{
	printf 'include "a \\"b\\".policy"\n' >one.policy
	echo 'all -fno-gcse' >'a "b".policy'
	text -o unit.i
	tail -3 unit.i >tail
	cat tail
	[ "$(sed -n 1p tail)" = '# 1 "one.policy"' ]
	[ "$(sed -n 2p tail)" = '# 1 "a \"b\".policy"' ] || [ "$(sed -n 2p tail)" = '# 1 "./a \"b\".policy"' ]
	sed -n 3p tail | grep -qx '# 1 "<kiln [0-9a-f]* fs/x/unit.o tree>"'
}

only_at_the_end()
{
	echo 'func do_it keep' >one.policy
	# shellcheck disable=SC2086
	compile one.policy $macros -E "$@" tree/fs/x/unit.c -o plain.i
	text "$@" -o unit.i
	head -n -2 unit.i | cmp - plain.i
	tail -n +"$(($(wc -l <plain.i) + 1))" unit.i | grep -c '^# 1 "' | grep -qx 2
}

to_stdout()
{
	text -o unit.i
	for where in '' '-o -'; do
		# shellcheck disable=SC2086
		"$CC" -O2 -fplugin="$PLUGIN" -fplugin-arg-kiln-policy=one.policy -fplugin-arg-kiln-mark \
			$macros -E tree/fs/x/unit.c $where >stdout.i
		cmp stdout.i unit.i
	done
}

stdin_to_stdout()
{
	"$CC" -O2 -fplugin="$PLUGIN" -fplugin-arg-kiln-policy=one.policy -fplugin-arg-kiln-mark \
		-E -x c - <tree/fs/x/plain.c >stdout.i
	tail -1 stdout.i | grep -qx '# 1 "<kiln [0-9a-f]*>"'
}

# An output that cannot be written to is not one without the mark.
full_output()
{
	[ -w /dev/full ] || return 0
	# shellcheck disable=SC2086
	fails "$CC" -fplugin="$PLUGIN" -fplugin-arg-kiln-policy=one.policy -fplugin-arg-kiln-mark \
		$macros -E tree/fs/x/unit.c -o /dev/full
}

compiled_again()
{
	echo 'func do_it keep' >one.policy
	# shellcheck disable=SC2086
	compile one.policy $macros "$@" -E tree/fs/x/unit.c -o unit.i
	compile one.policy "$@" -c unit.i -o whole.o
	text "$@" -o unit.i
	compile one.policy "$@" -Werror -Wall -c unit.i -o again.o
	cmp whole.o again.o
}

save_temps()
{
	mkdir -p plain made
	# shellcheck disable=SC2086
	compile one.policy $macros -save-temps=obj -c tree/fs/x/unit.c -o plain/unit.o
	# shellcheck disable=SC2086
	compile one.policy -fplugin-arg-kiln-mark $macros -save-temps=obj -c tree/fs/x/unit.c -o made/unit.o
	cmp plain/unit.o made/unit.o
	cmp plain/unit.s made/unit.s
	tail -1 made/unit.i | grep '<kiln '
	grep -c kiln plain/unit.i | grep -qx 0
}

no_mark()
{
	# shellcheck disable=SC2086
	compile one.policy $macros "$@" tree/fs/x/unit.c -o plain.out
	# shellcheck disable=SC2086
	compile one.policy -fplugin-arg-kiln-mark $macros "$@" tree/fs/x/unit.c -o made.out
	cmp plain.out made.out
}

# What icecc's daemon runs: neither tree nor object are there.
on_a_farm()
{
	printf '%s\n' 'file fs/x/unit.c --param=max-inline-insns-auto=1' 'file fs/x/unit.o func pasted keep' \
		'file include/linux/used.h func of_header -fno-ivopts' >one.policy
	# shellcheck disable=SC2086
	compile one.policy $macros -c tree/fs/x/unit.c -fplugin-arg-kiln-record -o fs/x/unit.o
	grep '^verdict	2	' fs/x/.unit.o.kiln
	has_function fs/x/unit.o pasted
	text -o unit.i
	policy=$PWD/one.policy
	(cd other && compile "$policy" -x c -fpreprocessed -c - -fplugin-arg-kiln-record \
		-o icecc-1.o <../unit.i)
	cmp fs/x/unit.o other/icecc-1.o
	cmp fs/x/.unit.o.kiln other/.icecc-1.o.kiln
	rm other/.icecc-1.o.kiln
	(cd other && cat ../unit.i | compile "$policy" -x c -fpreprocessed -c - -fplugin-arg-kiln-record \
		-o icecc-1.o)
	cmp fs/x/unit.o other/icecc-1.o
	cmp fs/x/.unit.o.kiln other/.icecc-1.o.kiln
}

# Words that icecc takes for the wish to compile on the machine that knows.
on_a_farm_without_mark()
{
	# shellcheck disable=SC2086
	compile one.policy $macros -E tree/fs/x/unit.c -o unit.i
	refuses 'error: .*file not found' "$CC" -O2 -fplugin="$PLUGIN" -fplugin-arg-kiln-policy="$PWD/one.policy" \
		-x c -fpreprocessed -c - -o icecc-1.o <unit.i
	refuses 'file not found' "$CC" -O2 -fplugin="$PLUGIN" -fplugin-arg-kiln-policy="$PWD/not-here.policy" \
		-x c -fpreprocessed -c - -o icecc-1.o <unit.i
}

marks()
{
	case $($CC -dumpmachine) in
	x86_64*) other_arch=aarch64 ;;
	*) other_arch=x86_64 ;;
	esac
	mkdir -p tree/include/linux tree/fs/x fs/x other
	: >tree/include/linux/kconfig.h
	echo 'static inline int of_header(int *p) { return p[0] * 3; }' >tree/include/linux/used.h
	cat >tree/fs/x/unit.c <<-'END'
		#include "../../include/linux/used.h"
		#define PASTE(a, b) a##b
		int PASTE(do_, it)(int *p) { return of_header(p); }
		static int PASTE(pas, ted)(int *p, int x) { for (int i = 0; i < x; i++) p[i] += x; return p[0]; }
		int user(int *p, int x) { return pasted(p, x) + do_it(p) + __LINE__; }
	END
	echo 'int plain(int x) { return x; }' >tree/fs/x/plain.c
	echo 'func do_it keep' >one.policy
	check "what does not concern the unit changes nothing" no_concern
	check "what concerns it does" concern
	check "-fdirectives-only: any name may" unknown_words
	check "an object that is not told: any file may" unknown_object
	check "an object from another directory's source" object_elsewhere
	check "the policy's files are named" names_the_files
	check "the rest of the text is as without" only_at_the_end
	check "the rest of the text is as without, -P" only_at_the_end -P
	check "the rest of the text is as without, -dD" only_at_the_end -dD
	check "to standard output" to_stdout
	check "from standard input" stdin_to_stdout
	check "a full device" full_output
	check "compiled again" compiled_again
	check "compiled again, -g" compiled_again -g
	check "compiled again, -g3" compiled_again -g3
	check "-save-temps" save_temps
	check "-E -dM" no_mark -E -dM
	check "-E -M" no_mark -E -M
	check "-MM" no_mark -MM
	check "-c" no_mark -c
	check "-S -g" no_mark -S -g
	check "the compile of icecc's other machine" on_a_farm
	check "which needs the mark, and the policy" on_a_farm_without_mark
}

each_compiler marks
plan_done
