# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034
#
# TAP for shell tests, to be run by prove from any directory. A test sources it,
#
#	run COMMAND ARG...	fills $status, $out, $err
#	is GOT WANT NAME	and any of ok, like, unlike, has, lacks, status_is
#	done_testing
#
# works in the fresh directory $tap_dir (where it starts) and leaves it behind
# only when something failed. $top is the root of the source tree. A failing
# test shows the command that `run` ran last and the one that repeats the test.

set -u
LC_ALL=C
export LC_ALL

tap_script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
top=$(cd "$(dirname "$0")/../.." && pwd)
tap_dir=$(mktemp -d "${TMPDIR:-/tmp}/kiln-test.XXXXXX") || exit 1
tap_io=$(mktemp -d "${TMPDIR:-/tmp}/kiln-test-io.XXXXXX") || exit 1
tap_count=0
tap_failed=0
tap_command=
tap_finished=
status=0
out=
err=

# A sanitizer's exit status must not look like one of the program's own.
ASAN_OPTIONS=exitcode=99:${ASAN_OPTIONS:-}
UBSAN_OPTIONS=exitcode=99:${UBSAN_OPTIONS:-}
export ASAN_OPTIONS UBSAN_OPTIONS

tap_cleanup() {
	cd / || exit 1
	rm -rf "$tap_io"
	chmod -R u+rwx "$tap_dir"
	if [ -n "$tap_finished" ] && [ "$tap_failed" -eq 0 ]; then
		rm -rf "$tap_dir"
	else
		echo "# its files are kept in $tap_dir; repeat with: prove -v $tap_script"
	fi
}
trap tap_cleanup EXIT

cd "$tap_dir" || exit 1

diag() {
	printf '%s\n' "$*" | sed 's/^/# /'
}

tap_result() {	# PASSED(0/1) NAME
	tap_count=$((tap_count + 1))
	if [ "$1" -eq 1 ]; then
		echo "ok $tap_count - $2"
		return 0
	fi
	tap_failed=$((tap_failed + 1))
	echo "not ok $tap_count - $2"
	if [ -n "$tap_command" ]; then
		diag "after: (cd $tap_dir && $tap_command)"
		diag "exit status: $status"
	fi
	return 1
}

# Runs a command without input. A crash is a failure whatever the test asks.
run() {
	tap_command=$*
	status=0
	"$@" >"$tap_io/out" 2>"$tap_io/err" </dev/null || status=$?
	out=$(cat "$tap_io/out")
	err=$(cat "$tap_io/err")
	[ "$status" -lt 99 ] && return 0
	tap_result 0 "no crash: $*"
	diag "$err"
}

ok() {	# CONDITION-COMMAND... NAME: the last argument is the name
	tap_words=$#
	tap_index=1
	for tap_arg in "$@"; do
		[ $tap_index -eq 1 ] && set --
		[ $tap_index -lt $tap_words ] && set -- "$@" "$tap_arg"
		tap_name=$tap_arg
		tap_index=$((tap_index + 1))
	done
	if "$@"; then tap_result 1 "$tap_name"; else tap_result 0 "$tap_name"; fi
}

is() {	# GOT WANT NAME
	if [ "$1" = "$2" ]; then
		tap_result 1 "$3"
	else
		tap_result 0 "$3"
		printf '%s\n' "$1" >"$tap_io/got"
		printf '%s\n' "$2" >"$tap_io/want"
		diag "$(diff -u --label want --label got "$tap_io/want" "$tap_io/got")"
	fi
}

status_is() {	# WANT NAME
	if [ "$status" = "$1" ]; then
		tap_result 1 "$2: exit status $1"
	else
		tap_result 0 "$2: exit status $1"
		diag "stderr: $err"
	fi
}

tap_match() {	# WANTED(0/1) GREP-OPTION TEXT PATTERN NAME
	tap_found=0
	printf '%s\n' "$3" | grep -q "$2" -e "$4" && tap_found=1
	if [ $tap_found -eq "$1" ]; then
		tap_result 1 "$5"
	else
		tap_result 0 "$5"
		diag "pattern: $4"
		diag "text: $3"
	fi
}

like() { tap_match 1 -E "$@"; }		# TEXT ERE NAME
unlike() { tap_match 0 -E "$@"; }
has() { tap_match 1 -F "$@"; }		# TEXT STRING NAME
lacks() { tap_match 0 -F "$@"; }

skip() {	# NAME WHY
	tap_count=$((tap_count + 1))
	echo "ok $tap_count - $1 # SKIP $2"
}

skip_all() {	# WHY
	tap_finished=1
	echo "1..0 # SKIP $*"
	exit 0
}

done_testing() {
	tap_finished=1
	echo "1..$tap_count"
	[ "$tap_failed" -eq 0 ] && [ "$tap_count" -gt 0 ]
	exit
}
