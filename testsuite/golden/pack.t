#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Plugins with a policy inside.

. "$(dirname "$0")/tap.sh"

kiln=$top/build/host/kiln

pack()
{
	"$kiln" pack --cc="$CC" --plugin="$PLUGIN" "$@"
}

# with PLUGIN OPTION... : compiles to with.o, and nothing is said.
with()
{
	with_plugin=$1
	shift
	with_said=$("$CC" -O2 -fplugin="$with_plugin" "$@" -c unit.c -o with.o 2>&1)
	[ -z "$with_said" ] || { echo "unexpected: $with_said"; return 1; }
}

same_as()
{
	"$CC" -O2 "$@" -c unit.c -o flags.o
	cmp with.o flags.o
}

differs()
{
	"$CC" -O2 -c unit.c -o plain.o
	fails cmp -s with.o plain.o
}

packed()
{
	pack -o mine.so ./my.policy
	with "$PWD/mine.so"
	same_as -fno-tree-vrp -fstack-protector-all
	differs
}

# Nothing but the file: the policy and what it includes are gone.
moved()
{
	pack -o mine.so ./my.policy
	mkdir away
	mv mine.so my.policy included.policy away
	mv away/mine.so .
	with "$PWD/mine.so"
	same_as -fno-tree-vrp -fstack-protector-all
	mv away/* .
}

# A policy that is named is asked in its place.
named()
{
	pack -o mine.so ./my.policy
	echo 'all -fno-ivopts' >other.policy
	with "$PWD/mine.so" -fplugin-arg-mine-policy="$PWD/other.policy"
	same_as -fno-ivopts
}

replaced()
{
	pack -o mine.so ./my.policy
	echo 'all -fno-ivopts' >other.policy
	"$kiln" pack --cc="$CC" --plugin=./mine.so -o mine.so ./other.policy
	with "$PWD/mine.so"
	same_as -fno-ivopts
}

nothing_inside()
{
	: >empty.policy
	pack -o mine.so ./empty.policy
	with "$PWD/mine.so"
	same_as
}

stripped()
{
	pack -o mine.so ./my.policy
	strip -s mine.so
	with "$PWD/mine.so"
	same_as -fno-tree-vrp -fstack-protector-all
}

same_bytes()
{
	mkdir -p "a dir"
	pack -o mine.so ./my.policy
	pack -o "a dir/mine.so" ./my.policy
	cmp mine.so "a dir/mine.so"
	[ "$(stat -c %a mine.so)" = "$(stat -c %a "$PLUGIN")" ]
	[ "$(ls -A "a dir")" = mine.so ]
}

refused_by_gcc()
{
	echo 'all -fno-such-flag' >bad.policy
	rm -f bad.so
	refuses 'bad.policy:1:5: error: .*no-such-flag' pack -o bad.so ./bad.policy
	[ "$(echo bad.*)" = bad.policy ]
}

# Places in messages are those of the text that `kiln pack` prints.
messages()
{
	pack -o mine.so ./my.policy
	"$CC" -O2 -fplugin="$PWD/mine.so" -fplugin-arg-mine-verbose -c unit.c -o with.o 2>said
	cat said
	grep -q '^<packed policy>:2:5: note: unit flag -fstack-protector-all$' said
}

depends()
{
	pack -o mine.so ./my.policy
	with "$PWD/mine.so" -MD -MF deps
	cat deps
	grep -q "$PWD/mine.so" deps
	fails grep -q policy deps
}

unwritable()
{
	refuses "kiln: error: 'missing/mine.so' cannot be written: No such file" \
		pack -o missing/mine.so ./my.policy
	printf 'int x;\n' >text.so
	refuses "objcopy could not add|did not run the plugin" \
		"$kiln" pack --cc="$CC" --plugin=./text.so -o mine.so ./my.policy
	[ "$(echo mine.so*)" = mine.so ] || [ "$(echo mine.so*)" = "mine.so*" ]
}

plugins()
{
	cat >unit.c <<-END
		int sum(const int *p, int n)
		{
			int s = 0;
			for (int i = 0; i < n; i++)
				s += p[i * 3] * n;
			return s;
		}
		int many(int x) { return sum(&x, 1) + sum(&x, x); }
	END
	echo 'all -fstack-protector-all' >included.policy
	printf 'all -fno-tree-vrp # one\n\ninclude included.policy\n' >my.policy
	check "packed" packed
	check "packed, and the policy is gone" moved
	check "another policy is named" named
	check "packed again" replaced
	check "an empty policy" nothing_inside
	check "stripped" stripped
	check "the same bytes anywhere, the plugin's mode, nothing left behind" same_bytes
	check "GCC judges the flags" refused_by_gcc
	check "messages" messages
	check "the object depends on the plugin alone" depends
	check "what cannot be written" unwritable
}

each_compiler plugins
plan_done
