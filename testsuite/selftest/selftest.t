#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs selftest.c in cc1 and passes on what it says.

. "$(dirname "$0")/../golden/tap.sh"

selftest()
{
	selftest_so=$(dirname "$PLUGIN")/selftest.so
	if [ ! -f "$selftest_so" ]; then
		echo "Bail out! $selftest_so is not built: make selftest PLUGIN_CC=$CC"
		exit 1
	fi
	mkdir src obj
	cp "$top/testsuite/selftest/toy.c" src/
	set -- "$CC" -O2 "-fplugin=$selftest_so" -S src/toy.c -o obj/other.s
	"$@" >said 2>errors
	echo "status $?" >>said
	while IFS= read -r line; do
		case $line in
		"ok - "*) tap_result ok "${line#ok - }" ;;
		"not ok - "*)
			tap_failures=$((tap_failures + 1))
			tap_keep=y
			tap_result "not ok" "${line#not ok - }"
			tap_say "${line#not ok - }"
			;;
		"#"*) tap_say "${line#"# "}" ;;
		esac
	done <said
	check "cc1 came to the end" grep -qx 'done' said
	check "and did not crash" fails grep -E 'internal compiler error|confused by|Segmentation' errors
	[ -z "$tap_keep" ] || tap_say "  repeat: cd $PWD && $*"
}

each_compiler selftest
plan_done
