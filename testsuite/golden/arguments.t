#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The plugin's arguments and the files that they name.

. "$(dirname "$0")/tap.sh"

plugin_cc()
{
	"$CC" -O2 -fplugin="$PLUGIN" "$@" -c unit.c -o unit.o
}

wrong()
{
	wrong_pattern=$1
	shift
	refuses "$wrong_pattern" plugin_cc "$@"
}

kept()
{
	plugin_cc "$@"
	has_function unit.o small
}

help_text()
{
	plugin_cc -fplugin-arg-kiln-help >help.txt
	cat help.txt
	for word in check disable help noguard policy=VALUE srctree=VALUE strict verbose; do
		grep -q "^  $word " help.txt
	done
}

# A relative name is looked for where the compiler runs, which the user may not expect.
relative_elsewhere()
{
	mkdir -p elsewhere
	cp unit.c elsewhere/
	cd elsewhere
	refuses "looked for in $PWD\\b" plugin_cc -fplugin-arg-kiln-policy=keep.policy
}

ten_thousand_rules()
{
	awk 'BEGIN {
		for (i = 0; i < 4000; i++)
			print "func f" i " --param=max-inline-insns-auto=" i
		for (i = 0; i < 3000; i++)
			print "file drivers/d" i "/** --param=early-inlining-insns=" i
		for (i = 0; i < 2999; i++)
			print "file fs/*" i ".c func *_" i "_* noinline"
		print "func small keep"
	}' >many.policy
	[ "$(wc -l <many.policy)" = 10000 ]
	kept -fplugin-arg-kiln-policy=many.policy
}

# The longest chain of names to one file.
many_policies()
{
	set --
	for number in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
		set -- "$@" -fplugin-arg-kiln-policy=keep.policy
	done
	refuses 'kiln: error: more than 16 policies are named' plugin_cc "$@"
}

crlf()
{
	printf '# comment\r\nfunc small keep\r\nfunc user -fwrapv' >crlf.policy
	kept -fplugin-arg-kiln-policy=crlf.policy
}

nul_byte()
{
	printf 'func sm\0all keep\n' >nul.policy
	wrong 'nul.policy:1:8: error: .*NUL' -fplugin-arg-kiln-policy=nul.policy
}

# An error in a policy is counted, reported once and leaves no object.
no_object()
{
	printf 'al keep\nal keep\n' >bad.policy
	rm -f unit.o
	wrong 'kiln: 2 error\(s\)' -fplugin-arg-kiln-policy=bad.policy
	[ ! -e unit.o ]
}

verbose()
{
	plugin_cc -fplugin-arg-kiln-verbose -fplugin-arg-kiln-policy=keep.policy 2>said
	cat said
	grep -q '^keep.policy:1:12: note: kept: small$' said
	grep -Eq '^kiln: note: unit .*unit.c, object .*unit.o, (x86_64|aarch64)$' said
}

# Same input, same words: no address, no order that depends on one.
same_words()
{
	for number in 1 2 3; do
		plugin_cc -fplugin-arg-kiln-verbose -fplugin-arg-kiln-policy=keep.policy 2>said$number
	done
	cmp said1 said2
	cmp said1 said3
}

# A name of more than one part, as make quotes it.
spaces()
{
	mkdir -p "a dir"
	cp keep.policy "a dir/my keep.policy"
	kept "-fplugin-arg-kiln-policy=a dir/my keep.policy"
}

equals()
{
	cp keep.policy a=b=c.policy
	kept -fplugin-arg-kiln-policy=a=b=c.policy
	mkdir -p x=1,y=2
	cp keep.policy x=1,y=2/k=e=e=p.policy
	kept -fplugin-arg-kiln-policy=x=1,y=2/k=e=e=p.policy
}

arguments()
{
	cat >unit.c <<-END
		static int small(int x) { return x + 1; }
		int user(int x) { return small(x); }
	END
	echo 'func small keep' >keep.policy
	check "policy=FILE" kept -fplugin-arg-kiln-policy=keep.policy
	check "an absolute path" kept "-fplugin-arg-kiln-policy=$PWD/keep.policy"
	check "several '=' in the name" equals
	check "blanks in the name" spaces
	check "two policies" kept -fplugin-arg-kiln-policy=rfc -fplugin-arg-kiln-policy=keep.policy
	check "more policies than there can be" many_policies
	check "help" help_text
	check "verbose" verbose
	check "verbose says the same each time" same_words
	check "unknown, with a suggestion" \
		wrong "kiln: error: unknown argument 'polic'; did you mean 'policy'" -fplugin-arg-kiln-polic=x
	check "unknown, far from all" \
		wrong "unknown argument 'xyzzyxyzzy'; -fplugin-arg-kiln-help lists" -fplugin-arg-kiln-xyzzyxyzzy
	check "policy without a value" \
		wrong "kiln: error: argument 'policy' needs a value" -fplugin-arg-kiln-policy
	check "policy with an empty value" \
		wrong "kiln: error: argument 'policy' needs a value" -fplugin-arg-kiln-policy=
	check "strict with a value" \
		wrong "kiln: error: argument 'strict' takes no value" -fplugin-arg-kiln-strict=yes
	check "a file that is not there" \
		wrong "'./none.policy' cannot be read: No such file" -fplugin-arg-kiln-policy=./none.policy
	check "relative to another directory" relative_elsewhere
	check "a directory" wrong "cannot be read: .*directory" -fplugin-arg-kiln-policy=./
	check "a built-in policy that is not there" \
		wrong "no built-in policy is called 'gravitom'; did you mean 'graviton'" -fplugin-arg-kiln-policy=gravitom
	check "no object after an error" no_object
	check "10,000 rules" ten_thousand_rules
	check "CRLF, no last newline" crlf
	check "a NUL byte" nul_byte
}

each_compiler arguments
plan_done
