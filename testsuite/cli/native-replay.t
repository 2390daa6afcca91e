#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=native.sh
. "$top/testsuite/cli/native.sh"

# N1: CPUs with what a kernel cannot use, by compilers that need not be there. The
# files of native/ hold what GCC 12 and 16 answered, question by question; a new
# question is a failure: native/record makes them.

cat >cc <<'SCRIPT'
#!/bin/sh
printf '%s\n' "$*" >>asked
awk -v want="== $*" '$0 == want { found = 1; here = 1; next }
	/^== / { here = 0 }
	here && /^!! / { status = substr($0, 4); next }
	here
	END	{ if (!found) print want > "/dev/stderr"
		exit found ? status : 98 }' "$ANSWERS"
SCRIPT
chmod +x cc

lock() {	# NAME TITLE EXPECTED-DENIALS
	is "$(rules | grep -c '^-march=')" 1 "$2: one -march"
	is "$(rules | sed -n 's/^-mno-//p' | tr '\n' ' ')" "$3 " "$2: what is turned off"
	is "$(rules | grep '^-m' | grep -v '^-mno-\|=')" "" "$2: nothing is turned on"
	for feature in $3; do
		has "$out" "-mno-$feature	# denied" "$2: $feature is denied"
		like "$out" "^# Denied,.* -mno-${feature}[: ]" "$2: and why"
	done
	printf '%s\n' "$out" >lock.policy
	run "$KILN" check lock.policy
	status_is 0 "$2: a policy"
}

replay() {	# FILE CPU DENIALS
	ANSWERS=$top/testsuite/cli/native/$1.gcc
	export ANSWERS
	run "$KILN" native --cc=./cc --cpu="$2"
	status_is 0 "$2 by name"
	is "$err" "" "$2 by name: no complaint"
	lock "$2" "$2 by name" "$3"
	if [ "$(uname -m)" = x86_64 ] && can_mount; then
		run with_cpuinfo "$cpuinfo/$2" "$KILN" native --cc=./cc
		status_is 0 "a machine with $2"
		is "$err" "" "a machine with $2: no complaint"
		lock "$2" "a machine with $2" "$3"
	else
		skip "a machine with $2" "needs root, mount and an x86_64"
	fi
}
replay diamondrapids-16 diamondrapids "avx amx-tile apxf"
replay znver4-16 znver4 "avx sse4a"
replay bdver3-12 bdver3 "avx sse4a tbm lwp"

# What -mno-avx and -mno-amx-tile take with them GCC itself said.
answer() {	# ARGUMENTS: the features of the answer, one a line
	awk -v want="== $* -mtune=generic -Q --help=target" '$0 == want { here = 1; next }
		/^== / { here = 0 } here' "$ANSWERS" | sed -n 's/^  -m\(.*\) \[enabled\]$/\1/p'
}
ANSWERS=$top/testsuite/cli/native/diamondrapids-16.gcc
bad='^(avx|amx|apxf|fma|f16c|xop|sse4a|tbm|lwp)'
like "$(answer -march=diamondrapids)" "$bad" "the answers are found"
unlike "$(answer -march=diamondrapids -mno-avx -mno-amx-tile -mno-apxf)" "$bad" \
	"diamondrapids: nothing of the kind is left"
ANSWERS=$top/testsuite/cli/native/bdver3-12.gcc
unlike "$(answer -march=bdver3 -mno-avx -mno-sse4a -mno-tbm -mno-lwp)" "$bad" \
	"bdver3: nothing of the kind is left"
ANSWERS=$top/testsuite/cli/native/znver4-16.gcc
unlike "$(answer -march=znver4 -mno-avx -mno-sse4a)" "$bad" "znver4: nothing of the kind is left"

done_testing
