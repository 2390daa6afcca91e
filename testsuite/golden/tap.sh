# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
#
# Test Anything Protocol for the shell tests here, and the compilers under test
# (GOLDEN_CC, GOLDEN_BUILD: see testsuite/lib/compilers.py). To be sourced.
#
#	each_compiler FUNCTION	calls it in an empty directory of its own, with CC,
#				PLUGIN and NM set
#	check NAME COMMAND...	one test: passes if the command does
#	check_with PROGRAM NAME COMMAND...	the same, or a counted skip without the PROGRAM
#	plan_done		at the end of the file

# shellcheck disable=SC2034  # for the tests
export LC_ALL=C
top=$(cd "$(dirname "$0")/../.." && pwd)
tap_number=0
tap_failures=0
tap_suffix=
tap_log=$(mktemp)

tap_result()
{
	tap_number=$((tap_number + 1))
	echo "$1 $tap_number - $2$tap_suffix${3:+ # skip $3}"
}

check()
{
	tap_name=$1
	shift
	# Not as the condition of `if`: there the shell ignores set -e.
	(set -e; "$@") >"$tap_log" 2>&1
	tap_status=$?
	if [ $tap_status = 0 ]; then
		tap_result ok "$tap_name"
		return
	fi
	tap_failures=$((tap_failures + 1))
	tap_keep=y
	tap_result "not ok" "$tap_name"
	tap_say "$tap_name"
	sed 's/^/#   /' "$tap_log" >&2
	tap_say "  repeat: cd $PWD && $*"
}

check_with()
{
	if command -v "$1" >/dev/null; then
		shift
		check "$@"
	else
		tap_result ok "$2" "there is no $1"
	fi
}

# prove shows what stands on stderr, and stdout's comments only with -v.
tap_say()
{
	echo "# $*" >&2
}

in_scratch_directory()
{
	tap_keep=
	tap_dir=$(mktemp -d "${TMPDIR:-/tmp}/kiln-golden-XXXXXX")
	tap_home=$PWD
	cd "$tap_dir" || exit 1
	"$@"
	cd "$tap_home" || exit 1
	if [ -n "$tap_keep" ]; then
		tap_say "  files: $tap_dir"
	else
		rm -rf "$tap_dir"
	fi
}

each_compiler()
{
	tap_rest=${GOLDEN_CC:-gcc,aarch64-linux-gnu-gcc},
	while [ -n "$tap_rest" ]; do
		CC=${tap_rest%%,*}
		tap_rest=${tap_rest#*,}
		tap_suffix=" ($CC)"
		if ! command -v "$CC" >/dev/null; then
			tap_result ok "$1" "there is no $CC"
			continue
		fi
		PLUGIN=${GOLDEN_BUILD:-$top/build}/$($CC -dumpmachine)-$($CC -dumpversion)/kiln.so
		if [ ! -f "$PLUGIN" ]; then
			echo "Bail out! $PLUGIN is not built: make plugin PLUGIN_CC=$CC"
			exit 1
		fi
		NM=$($CC -print-prog-name=nm)
		in_scratch_directory "$1"
		tap_suffix=
	done
}

plan_done()
{
	rm -f "$tap_log"
	echo "1..$tap_number"
	[ "$tap_failures" = 0 ]
}

# ---- what several tests need -----------------------------------------------------

# compile POLICY OPTION... : with the plugin and the policy file; nothing may be said.
compile()
{
	compile_policy=$1
	shift
	set -- "$CC" -O2 -fplugin="$PLUGIN" -fplugin-arg-kiln-policy="$compile_policy" "$@"
	echo "+ $*"
	compile_said=$("$@" 2>&1) || { echo "$compile_said"; return 1; }
	[ -z "$compile_said" ] || { echo "unexpected: $compile_said"; return 1; }
}

# fails COMMAND... : for use under set -e, which does not look at "! COMMAND".
fails()
{
	if "$@"; then
		return 1
	fi
}

# has_function FILE NAME : a static function of this name stands in the object.
has_function()
{
	"$NM" "$1" | grep -q " t $2\$"
}

# refuses PATTERN COMMAND... : it fails, without a crash, and says something that matches.
refuses()
{
	refuses_pattern=$1
	shift
	echo "+ $*"
	if refuses_said=$("$@" 2>&1); then
		echo "it did not fail: $refuses_said"
		return 1
	fi
	echo "$refuses_said"
	case $refuses_said in
	*"internal compiler error"* | *"confused by earlier"* | *"egmentation fault"*) return 1 ;;
	esac
	echo "$refuses_said" | grep -Eq -- "$refuses_pattern" ||
		{ echo "it did not say: $refuses_pattern"; return 1; }
}
