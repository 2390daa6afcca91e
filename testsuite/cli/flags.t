#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

cat >p.policy <<'END'
all --param=early-inlining-insns=14 -fno-gcse
on arm64 -fno-ivopts
on x86_64 -ftracer
all -fgcse ?-fno-new
all keep
all inline
all noinline
file net/** -fno-dce
func a call b inline
on arm64 file fs/** leave
section .x leave
func a keep
END
lost_all="plain flags reach every function of every unit alike"
lost_some="no flag says it of some functions and of nothing else"

run "$KILN" flags --arch=x86_64 p.policy
status_is 0 "flags"
is "$out" "--param=early-inlining-insns=14 -ftracer -fgcse" "what holds for every unit, merged"
is "$err" "p.policy:4:12: note: '-fno-new' is lost: a plain compiler that does not know the \
flag would stop at it
p.policy:7:5: note: 'noinline' is lost: $lost_some
p.policy:8:1: note: 'file net/**' is lost: $lost_all
p.policy:9:1: note: 'func a' is lost: $lost_all
p.policy:11:1: note: 'section .x' is lost: $lost_all
p.policy:12:1: note: 'func a' is lost: $lost_all" "what is lost, line by line"

run "$KILN" flags --arch=aarch64 p.policy
is "$out" "--param=early-inlining-insns=14 -fno-ivopts -fgcse" "another architecture's flags"
has "$err" "p.policy:10:10: note: 'file fs/**' is lost: $lost_all" "and what it loses"

run "$KILN" flags --arch=aarch64 --quiet p.policy
is "$out" "--param=early-inlining-insns=14 -fno-ivopts -fgcse" "--quiet prints the flags"
is "$err" "" "--quiet tells no loss"

printf 'all keep inline keep\n' >p.policy
run "$KILN" flags p.policy
is "$out" "" "no flags: an empty line"
is "$err" "p.policy:1:17: note: 'keep' is lost: no flag keeps functions whole" \
	"what a later setting undid is not lost"

printf 'all -fno-gcse\nall default\nall -ftracer\n' >p.policy
run "$KILN" flags p.policy
is "$out" "-ftracer" "default is obeyed"
is "$err" "" "and nothing is lost by it"
printf 'all -fno-gcse\nall leave\nall force -ftracer\n' >p.policy
run "$KILN" flags p.policy
is "$out" "-ftracer" "leave and force are obeyed"

# shellcheck disable=SC2016
printf '%s\n' 'all -fa='\''$x "-fb=c d"' >p.policy
run "$KILN" flags p.policy
eval "set -- $out"
# shellcheck disable=SC2016
is "$*" '-fa='\''$x -fb=c d' "flags are quoted for the shell"
is $# 2 "each is one word"

run "$KILN" flags default
status_is 0 "the default policy"
like "$out" "^(--param=[a-z-]+=[0-9]+ ?){5}$" "is five parameters"
is "$(echo "$err" | tail -n 2 | sed 's/:[0-9:]*//')" \
	"<built-in keep> note: 'func do_sys_openat2' is lost: $lost_all
<built-in keep> note: 'func vfs_symlink' is lost: $lost_all" "and loses the keep list"
list=$(cat "$top"/kbuild/policies/keep-6.1.policy)
has "$err" "<built-in keep-6.1>:$(echo "$list" | wc -l): note: and so are $(($(echo "$list" |
	grep -c '^func ') - 1)) more rules, down to this line" "of a long list one line and their number"
is "$(echo "$err" | grep -c '<built-in keep-6.1>')" 2 "and no more of it"
if command -v "${PLUGIN_CC:-gcc}" >/dev/null; then
	# shellcheck disable=SC2086
	run "${PLUGIN_CC:-gcc}" $out -x c -S -o /dev/null /dev/null
	status_is 0 "a plain compiler takes the flags"
else
	skip "a plain compiler takes the flags" "no compiler"
fi

printf '%s\n' 'on arm64 -mcpu=neoverse-n1' 'on arm64 ?-mcpu=new -mtune=a72 +lse' \
	'on arm64 +nosve ?+nosme' 'on x86 +lse +nosve' >p.policy
run "$KILN" flags --arch=aarch64 p.policy
is "$out" "-mcpu=neoverse-n1+lse+nosve -mtune=a72" "extensions are part of the CPU's value"
has "$err" "p.policy:3:17: note: '+nosme' is lost" "an optional one is not"
run "$KILN" flags --arch=x86_64 p.policy
is "$out" "" "extensions of no CPU are no flags"
is "$err" "p.policy:4:8: note: '+lse' is lost: there is no -mcpu= or -march= here that it could be \
added to" "one that should be added is lost"
printf '%s\n' 'on arm64 -mcpu=neoverse-n1 -march=armv8.2-a +lse' >p.policy
run "$KILN" flags --arch=aarch64 p.policy
is "$out" "-mcpu=neoverse-n1 -march=armv8.2-a+lse" "GCC takes the architecture from -march="

# What a denial loses, a plain compiler uses: deny must not depend on the plugin.
for policy in graviton3:neoverse-v1 graviton4:neoverse-n2; do
	run "$KILN" flags --arch=aarch64 --quiet "${policy%%:*}"
	like "$out" " -mcpu=${policy#*:}[a-z+]*\\+nosve$" "${policy%%:*}: SVE is denied to a plain compiler too"
done

run env -u SOURCE_DATE_EPOCH "$KILN" flags --arch=x86_64 native
status_is 0 "a CPU that is not resolved"
like "$out" " -march=native -mtune=native -mno-avx " "is the driver's to resolve"
has "$err" "<built-in native>:5:8: note: '-march=native' is another CPU on each machine that builds; \
'kiln native -o FILE' resolves it once" "which is said"
run env SOURCE_DATE_EPOCH=1 "$KILN" flags --arch=x86_64 --quiet native
status_is 1 "never silently where a build is to be reproducible"
has "$err" "<built-in native>:5:22: error: '-mtune=native' is another CPU on each machine that builds, \
and SOURCE_DATE_EPOCH asks for the same build everywhere" "the reason"
is "$out" "" "and no flags"

done_testing
