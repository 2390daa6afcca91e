#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

unasked="GCC was not asked about the flags (--cc=CC has that done)"

# ---- nothing wrong

printf 'all --param=early-inlining-insns=14\n' >one.policy
printf 'include one.policy\nfunc a keep\n' >two.policy

run "$KILN" check one.policy
status_is 0 "a good policy"
is "$out" "1 rule in 1 file: well formed; $unasked" "it is counted"
is "$err" "" "no complaint"

run "$KILN" check two.policy
status_is 0 "a policy that includes another"
is "$out" "2 rules in 2 files: well formed; $unasked" "both are counted"

run "$KILN" check one.policy rfc two.policy
status_is 0 "several policies"
is "$out" "8 rules in 3 files: well formed; $unasked" "their rules are added up"

run "$KILN" check --quiet two.policy
status_is 0 "--quiet"
is "$out$err" "" "--quiet prints nothing"

for name in $("$KILN" policies | cut -f1); do
	run "$KILN" check "$name"
	status_is 0 "built-in policy $name"
	like "$out" "^[0-9]+ rules?: well formed" "built-in policies count as no files"
done

: >empty.policy
run "$KILN" check empty.policy
status_is 0 "an empty policy"
is "$out" "0 rules in 1 file: well formed; $unasked" "it has no rule"
run "$KILN" check /dev/null
status_is 0 "/dev/null"

printf '\r\nall keep # x\r\nfunc "a" inline' >crlf.policy
run "$KILN" check crlf.policy
status_is 0 "CRLF and a missing last newline"
has "$out" "2 rules in 1 file" "both lines count"

# ---- mistakes: the expectations stand in bad.policy, on the lines concerned

cp "$top/testsuite/cli/bad.policy" .
awk '/^#/ { next }
     { n = split($0, part, / # /)
       for (i = 2; i <= n; i++) {
		column = part[i]
		sub(/:.*/, "", column)
		text = part[i]
		sub(/^[0-9]*: /, "", text)
		print "bad.policy:" NR ":" column ": error: " text
       } }' bad.policy >want
run "$KILN" check bad.policy
status_is 1 "mistakes"
is "$err" "$(cat want)" "each mistake gets its message, and nothing else does"
is "$out" "" "no summary"
ok test "$(wc -l <want)" -ge 40 "bad.policy has expectations"

mistake() {	# NAME EXPECTED-MESSAGE: of the policy bad.policy
	run "$KILN" check bad.policy
	status_is 1 "$1"
	is "$err" "$2" "$1: message"
}

printf 'all keep\n"all keep\n' >bad.policy
mistake "an open quote" \
	"bad.policy:2:1: error: the quote that begins here is not closed in this line"
printf 'all keep\nall ke\000ep\n' >bad.policy
mistake "a NUL byte" \
	"bad.policy:2:7: error: a NUL byte stands in the line, and a policy is text"
printf 'include bad.policy\n' >bad.policy
mistake "a policy that includes itself" \
	"bad.policy:1:9: error: policy 'bad.policy' includes itself"
printf 'all keep\ninclude other.policy\n' >bad.policy
printf 'include bad.policy\n' >other.policy
mistake "policies that include each other" \
	"other.policy:1:9: error: policy 'bad.policy' includes itself"
mkdir sub
printf 'include sub/x.policy\n' >bad.policy
printf 'all kepe\n' >sub/x.policy
mistake "a mistake in an included file" \
	"sub/x.policy:1:5: error: unknown word 'kepe'; did you mean 'keep'?"
printf 'include sub/none.policy\n' >bad.policy
mistake "an included file that is missing" \
	"bad.policy:1:9: error: policy 'sub/none.policy' cannot be read: No such file or directory"
printf 'include ./sub\n' >bad.policy
mistake "an included directory" \
	"bad.policy:1:9: error: policy './sub' cannot be read: it is a directory"

printf 'all kepe\n' >bad.policy
run "$KILN" check --quiet one.policy bad.policy
status_is 1 "a mistake in the second of two policies"
like "$err" "^bad.policy:1:5: error:" "--quiet does not hide errors"
for command in "flags bad.policy" "explain bad.policy fs/open.c a"; do
	# shellcheck disable=SC2086
	run "$KILN" $command
	status_is 1 "kiln $command"
	is "$err" "bad.policy:1:5: error: unknown word 'kepe'; did you mean 'keep'?" \
		"kiln $command: message"
	is "$out" "" "kiln $command: nothing on stdout"
done

awk 'BEGIN { printf "all keep"; for (i = 0; i < 1048576; i++) printf " "; print "kepe" }' \
	>bad.policy
run "$KILN" check bad.policy
status_is 1 "a line of 1 MiB"
has "$err" "bad.policy:1:1048585: error: unknown word 'kepe'" "its end has a column"
awk 'BEGIN { for (i = 0; i < 10000; i++) print "func f" i " --param=early-inlining-insns=" i }' \
	>many.policy
run "$KILN" check many.policy
status_is 0 "10,000 rules"
has "$out" "10000 rules in 1 file" "all are counted"

# ---- policies that cannot be read: status 2

unreadable() {	# EXPECTED-MESSAGE POLICY
	for command in check flags explain; do
		set -- "$1" "$2"
		[ $command = explain ] && set -- "$1" "$2" fs/open.c
		message=$1
		shift
		run "$KILN" $command "$@"
		status_is 2 "kiln $command $1"
		is "$err" "$message" "kiln $command $1: message"
		is "$out" "" "kiln $command $1: nothing on stdout"
		set -- "$message" "$1"
	done
}

unreadable "none.policy: error: policy 'none.policy' cannot be read: No such file or directory" \
	none.policy
unreadable "./sub: error: policy './sub' cannot be read: it is a directory" ./sub
unreadable "/dev/full: error: policy '/dev/full' cannot be read: it is a character device" \
	/dev/full
unreadable "kiln: error: no built-in policy is called 'defualt'; did you mean 'default'?" defualt
unreadable "kiln: error: no built-in policy is called ''; \
the name of a file has a '/' or a '.' in it" ''

printf 'all kepe\n' >bad.policy
run "$KILN" check none.policy bad.policy
status_is 2 "a missing policy and one with a mistake"
is "$(echo "$err" | wc -l)" 2 "both are reported"

mkfifo pipe.policy
run timeout 10 "$KILN" check ./pipe.policy
status_is 2 "a FIFO"
has "$err" "it is a FIFO" "it is not waited for"

# Root can read everything, so root asks somebody else.
printf 'all keep\n' >secret.policy
chmod 000 secret.policy
if [ "$(id -u)" -ne 0 ]; then
	run "$KILN" check secret.policy
elif command -v setpriv >/dev/null; then
	chmod 755 .
	install -m 755 "$KILN" kiln-copy
	run setpriv --reuid=65534 --regid=65534 --clear-groups ./kiln-copy check secret.policy
else
	status=none
fi
if [ "$status" = none ]; then
	skip "an unreadable file" "root without setpriv"
else
	status_is 2 "an unreadable file"
	is "$err" "secret.policy: error: policy 'secret.policy' cannot be read: Permission denied" \
		"an unreadable file: message"
fi

done_testing
