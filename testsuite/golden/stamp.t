#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The note of what was applied.

. "$(dirname "$0")/tap.sh"

kiln=$top/build/host/kiln
arg=-fplugin-arg-kiln

# The note's text, by an ELF reader of another hand.
note()
{
	python3 - "$1" "$("$CC" -print-prog-name=objcopy)" <<-'END'
		import struct, subprocess, sys
		raw = sys.argv[1] + ".note"
		subprocess.run([sys.argv[2], "-O", "binary", "--only-section=.note.kiln", sys.argv[1], raw], check=True)
		data = open(raw, "rb").read()
		name, size, kind = struct.unpack("<III", data[:12])
		assert (name, kind, data[12:20]) == (5, 1, b"Kiln\0\0\0\0"), data
		assert len(data) == 20 + (size + 3) // 4 * 4, (len(data), size)
		sys.stdout.write(data[20:20 + size].decode())
	END
}

expected()
{
	cat <<-END
		$("$kiln" --version)
		gcc $("$CC" -dumpfullversion)
		policy sha256:$("$kiln" pack "$1" | sha256sum | cut -d' ' -f1)
	END
}

tells()
{
	compile my.policy "$arg-stamp=**/unit.c" "$@" -c unit.c -o unit.o
	note unit.o >got
	expected ./my.policy >want
	diff want got
}

with_cpu()
{
	case $("$CC" -dumpmachine) in
	x86_64*) cpu="-march=x86-64-v2 -mtune=znver2" ;;
	*) cpu="-mcpu=neoverse-n1 +nolse" ;;
	esac
	echo "all $cpu -fno-gcse" >my.policy
	compile my.policy "$arg-stamp=*/*" "$arg-stamp=**/unit.c" -c unit.c -o unit.o
	note unit.o >got
	{ expected ./my.policy; echo "cpu $cpu"; } >want
	diff want got
}

# The note and nothing else.
only_note()
{
	compile my.policy -S "$@" unit.c -o without.s
	compile my.policy "$arg-stamp=**" -S "$@" unit.c -o with.s
	fails cmp -s without.s with.s
	sed -n '/pushsection \.note\.kiln/,/popsection/!p' with.s | diff without.s -
}

other_units()
{
	compile my.policy "$arg-stamp=init/version.c" "$arg-stamp=**.mod.c" -c unit.c -o with.o
	compile my.policy -c unit.c -o without.o
	cmp with.o without.o
}

by_name()
{
	cp unit.c thing.mod.c
	compile my.policy "$arg-stamp=init/version.c" "$arg-stamp=**.mod.c" -c thing.mod.c -o thing.o
	note thing.o | grep '^policy sha256:'
}

same_digest()
{
	compile my.policy "$arg-stamp=**" -c unit.c -o one.o
	{ echo "# a comment"; cat my.policy; } >other.policy
	compile other.policy "$arg-stamp=**" -c unit.c -o two.o
	note one.o >one
	note two.o >two
	cmp one two
	echo 'func f keep' >>other.policy
	compile other.policy "$arg-stamp=**" -c unit.c -o two.o
	note two.o >two
	fails cmp -s one two
}

in_record()
{
	compile my.policy "$arg-stamp=**" "$arg-record" -c unit.c -o unit.o
	digest=$(note unit.o | sed -n 's/policy sha256://p')
	grep -q "^stamp	$digest\$" .unit.o.kiln
	compile my.policy "$arg-record" -c unit.c -o unit.o
	fails grep -q stamp .unit.o.kiln
}

no_object()
{
	compile my.policy "$arg-stamp=**" -fsyntax-only unit.c
	compile my.policy "$arg-stamp=**" -E unit.c -o unit.i
	fails grep -q note.kiln unit.i
}

bad_arguments()
{
	refuses "error: argument 'stamp': bad pattern '\[': " \
		"$CC" -fplugin="$PLUGIN" "$arg-stamp=[" -c unit.c -o unit.o
	refuses "error: more than 4 times 'stamp'" "$CC" -fplugin="$PLUGIN" "$arg-stamp=a" \
		"$arg-stamp=b" "$arg-stamp=c" "$arg-stamp=d" "$arg-stamp=e" -c unit.c -o unit.o
}

stamps()
{
	echo 'int f(int x) { return x * 3; }' >unit.c
	printf 'include rfc\nall -fno-ivopts\n' >my.policy
	check "versions and digest" tells
	check "with -g" tells -g
	check "with -flto" tells -flto
	check "the CPU" with_cpu
	check "the note is all that is added" only_note
	check "the note is all that is added, with -g" only_note -g
	check "no other unit" other_units
	check "units by their source" by_name
	check "a comment is not in the digest, a rule is" same_digest
	check "the record" in_record
	check "no object, no note" no_object
	check "what is no pattern" bad_arguments
}

each_compiler stamps
plan_done
