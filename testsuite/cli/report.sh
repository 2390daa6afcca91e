# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154,SC2034
#
# A build of three small units with records, for the tests of `kiln report` and `kiln why`;
# sourced after kiln.sh.

PLUGIN_CC=${PLUGIN_CC:-gcc}
plugin=$top/build/$("$PLUGIN_CC" -dumpmachine)-$("$PLUGIN_CC" -dumpversion)/kiln.so
[ -e "$plugin" ] || skip_all "no plugin for $PLUGIN_CC: make plugin"
command -v python3 >/dev/null || skip_all "no python3"

sources=$top/testsuite/cli/report
oracle=$sources/oracle
limits="--param=large-function-insns=20 --param=large-function-growth=30 --param=large-stack-frame=64 \
--param=large-stack-frame-growth=10 --param=early-inlining-insns=0"

# compile POLICY UNIT DIRECTORY [FLAG...]: the object UNIT.o in the directory, with its record
compile() {
	policy=$1 unit=$2 into=$3
	shift 3
	mkdir -p "$into/${unit%/*}"
	# shellcheck disable=SC2086
	case $unit in
	*/limits) set -- $limits "$@" ;;
	esac
	into=$(cd "$into" && pwd)
	policy=$(cd "$(dirname "$policy")" && pwd)/${policy##*/}
	(cd "$sources" && "$PLUGIN_CC" -O2 -Iinclude "$@" -fplugin="$plugin" \
		-fplugin-arg-kiln-policy="$policy" -fplugin-arg-kiln-record \
		-fplugin-arg-kiln-nodeps -fplugin-arg-kiln-srctree=. -c "$unit.c" \
		-o "$into/$unit.o")
}

build() {	# POLICY DIRECTORY [FLAG...]
	build_policy=$1 build_into=$2
	shift 2
	for build_unit in fs/calls fs/limits net/near; do
		compile "$build_policy" $build_unit "$build_into" "$@" || return
	done
}
