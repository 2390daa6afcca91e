#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

commands="check diff experiment explain flags help integrate keep make native pack policies replay report why"

# ---- help and version

run "$KILN" --version
status_is 0 "--version"
like "$out" '^kiln [0-9]+\.[0-9]+\.[0-9]+$' "--version names a version"

run "$KILN" --help
status_is 0 "--help"
overview=$out
run "$KILN" help
status_is 0 "help"
is "$out" "$overview" "help and --help say the same"
for command in $commands; do
	like "$overview" "^  $command +[a-z]" "the overview has '$command'"
	run "$KILN" help "$command"
	status_is 0 "help $command"
	help=$out
	like "$help" "^usage: kiln $command " "help $command shows the usage"
	run "$KILN" "$command" --help
	status_is 0 "$command --help"
	is "$out" "$help" "$command --help says the same as help $command"
	is "$err" "" "$command --help has no complaint"
done
is "$(echo "$overview" | sed -n '/^commands:/,/^$/p' | grep -c '^  ')" \
	"$(echo "$commands" | wc -w)" "this test knows every command"

run "$KILN" check --help --quiet
status_is 0 "--help needs no operands"

# ---- wrong usage: status 2, one line on stderr, nothing on stdout

wrong() {	# EXPECTED-MESSAGE ARG...
	expected=$1
	shift
	run "$KILN" "$@"
	status_is 2 "kiln $*"
	is "$err" "kiln: error: $expected" "kiln $*: message"
	is "$out" "" "kiln $*: nothing on stdout"
}

wrong "which command? 'kiln help' lists what there is"
wrong "unknown command 'chekc'; did you mean 'check'?" chekc
wrong "unknown command 'zzzzzzzz'; 'kiln help' lists what there is" zzzzzzzz
wrong "unknown command ''; 'kiln help' lists what there is" ''
wrong "unknown command 'polices'; did you mean 'policies'?" help polices
wrong "unknown option '--verison'; did you mean '--version'?" --verison
wrong "unknown option '--xyzzy-plugh'; 'kiln help' lists what there is" --xyzzy-plugh
wrong "unknown option '--quite'; did you mean '--quiet'?" check --quite default
wrong "unknown option '--qiuet'; did you mean '--quiet'?" check default --qiuet=3
wrong "unknown option '-q'; 'kiln help check' lists what there is" check -q default
wrong "unknown option '-q'; 'kiln help check' lists what there is" check -quiet default
wrong "option '--quiet' takes no value" check --quiet=yes default
wrong "option '--arch' needs a value: --arch=NAME" flags default --arch
wrong "option '--arch' was given twice" flags --arch=x86_64 --arch=arm64 default
wrong "too few arguments; usage: kiln check POLICY..." check
wrong "too few arguments; usage: kiln flags POLICY" flags
wrong "unexpected argument 'keep'; usage: kiln flags POLICY" flags default keep
wrong "too few arguments; usage: kiln explain POLICY FILE [FUNCTION]" explain default
wrong "unexpected argument 'd'; usage: kiln explain POLICY FILE [FUNCTION]" \
	explain default b c d
wrong "unexpected argument 'keep'; usage: kiln policies [NAME]" policies rfc keep
wrong "unexpected argument 'b'; usage: kiln help [COMMAND...]" help check b
wrong "unknown experiment 'comprae'; did you mean 'compare'?" experiment comprae
wrong "unknown experiment 'comprae'; did you mean 'compare'?" help experiment comprae
wrong "unknown experiment 'zzzzzzzz'; 'kiln help experiment' lists what there is" experiment zzzzzzzz
wrong "too few arguments; usage: kiln experiment COMMAND [ARGUMENT...]" experiment
wrong "too few arguments; usage: kiln experiment compare A B" experiment compare a
wrong "too few arguments; usage: kiln experiment bisect POLICY -- COMMAND [ARGUMENT...]" \
	experiment bisect default
wrong "too few arguments; usage: kiln experiment count KERNEL..." experiment count
wrong "'nowhere' cannot be read: No such file or directory" experiment count nowhere
wrong "--json and --csv are two outputs: choose one" experiment count --json --csv a
wrong "unknown option '--jsno'; did you mean '--json'?" experiment compare --jsno a b
wrong "--json and --csv are two outputs: choose one" experiment compare --json --csv a b
wrong "--alpha needs a number between 0 and 1, and not '1'" experiment compare --alpha=1 a b
wrong "--alpha needs a number between 0 and 1, and not '5%'" experiment compare --alpha=5% a b
wrong "only one of the two can be standard input" experiment compare - -
wrong "'nowhere' cannot be read: No such file or directory" experiment compare nowhere nowhere
wrong "names of functions come from a kernel tree or from files; usage: kiln keep [--from=TREE] \
[FILE...]" keep
wrong "unknown option '-j'; 'kiln help make' lists what there is" make -j2
wrong "LLVM=1 builds with clang, which has no such plugins; 'kiln flags POLICY' prints the nearest \
plain KCFLAGS" make -- LLVM=1
wrong "option '--from' needs a value: --from=TREE" keep --from
wrong "--plain=ELF is what --check=ELF is compared with" keep rfc --plain=vmlinux
wrong "too few arguments; usage: kiln diff A B" diff vmlinux
wrong "--json and --csv are two outputs: choose one" diff --json --csv a b
wrong "--top needs a number, 0 for all, and not 'x'" diff --top=x a b
wrong "--top needs a number, 0 for all, and not '-1'" diff --top=-1 a b
wrong "--top needs a number, 0 for all, and not '99999999999999999999'" \
	diff --top=99999999999999999999 a b
wrong "too few arguments; usage: kiln replay BUILD" replay
wrong "'nowhere' cannot be read: No such file or directory" replay nowhere
wrong "too few arguments; usage: kiln report BUILD [OTHER]" report
wrong "unexpected argument 'c'; usage: kiln report BUILD [OTHER]" report a b c
wrong "two builds are for --html=FILE; 'kiln diff' compares them as text" report a b
wrong "--json, --csv and --html are different outputs: choose one" report --json --csv a
wrong "--top needs a number, 0 for all, and not ''" report --top= a
wrong "--top needs a number, 0 for all, and not '3x'" report --top=3x a
wrong "there is no --by=fucntion; did you mean 'function'?" report --by=fucntion a
wrong "there is no --by=xyzzyplugh; it is directory, file, function or reason" report --by=xyzzyplugh a
wrong "'nowhere' cannot be read: No such file or directory" report nowhere
wrong "too few arguments; usage: kiln why BUILD CALLER [CALLEE]" why a
wrong "unexpected argument 'd'; usage: kiln why BUILD CALLER [CALLEE]" why a b c d
wrong "'nowhere' cannot be read: No such file or directory" why nowhere f
wrong "'x:' names no function: it is NAME or FILE:NAME" why nowhere x:
wrong "unknown architecture 'arm46'; did you mean 'arm64'?" flags --arch=arm46 default
wrong "unknown architecture 'arm46'; did you mean 'arm64'?" \
	explain --arch=arm46 default fs/open.c
wrong "--plugin is of use only with --cc=CC" check --plugin=x.so default
wrong "--cc needs the name of a compiler" check --cc= default
wrong "--section says something of a function, but none is named" \
	explain --section=.text default fs/open.c
wrong "--defined-in says something of a function, but none is named" \
	explain --defined-in=fs/namei.c default fs/open.c

# ---- an output that cannot be written

full() {	# ARG...
	# shellcheck disable=SC2016
	run sh -c '"$@" >/dev/full' sh "$KILN" "$@"
	status_is 2 "kiln $* >/dev/full"
	is "$err" "kiln: error: the output cannot be written: No space left on device" \
		"kiln $* >/dev/full: message"
	# shellcheck disable=SC2016
	run sh -c '"$@" >&-' sh "$KILN" "$@"
	status_is 2 "kiln $* >&-"
	has "$err" "kiln: error: the output cannot be written" "kiln $* >&-: message"
}

if [ -c /dev/full ]; then
	full policies
	full policies rfc
	full check default
	full flags --quiet default
	full explain default fs/open.c do_sys_openat2
	full help
	full keep rfc keep
	full --version
else
	skip "full output" "no /dev/full"
fi

done_testing
