#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=report.sh
. "$top/testsuite/cli/report.sh"

# kiln replay: decisions of GCC's own params, under those of another policy.

echo '# nothing' >plain.policy
echo 'all --param=max-inline-insns-auto=400 --param=max-inline-insns-single=400 --param=inline-min-speedup=1' \
	>eager.policy
echo 'all --param=max-inline-insns-auto=1 --param=max-inline-insns-single=1 -fno-inline-functions-called-once' \
	>sparing.policy
build plain.policy plain

run "$KILN" replay plain -o replay.policy
status_is 0 "a policy"
is "$err" "" "nothing to say"
for rule in "file fs/calls.c func first call big noinline" "file fs/calls.c func first call once inline"; do
	ok grep -qx "$rule" replay.policy "$rule"
done
is "$(grep -c ' call forced ' replay.policy)" 0 "always_inline functions need no rule"
run "$KILN" replay plain
is "$out" "$(cat replay.policy)" "the same to stdout"
run "$KILN" check replay.policy
status_is 0 "it is a policy"
run "$KILN" replay plain --check=plain
is "$status $out" "0 " "a build decides as itself"

for name in eager sparing; do
	build $name.policy $name
	run "$KILN" replay plain --check=$name
	status_is 1 "$name params decide otherwise"
	like "$out" "^(fs|net)/[a-z]*.c${tab}[a-z_0-9]*${tab}[a-z_0-9]*${tab}(inlined|refused)${tab}" \
		"$name: which calls"
	others=$(printf '%s\n' "$out" | wc -l)
	cat $name.policy replay.policy >both.policy
	build both.policy $name.replayed
	run "$KILN" replay plain --check=$name.replayed
	ok test "$(printf '%s' "$out" | grep -c .)" -lt "$others" "$name: fewer with the rules"
	is "$(printf '%s\n' "$out" | grep -v "${tab}both$\|^$")" "" \
		"$name: with the rules they decide as GCC's own, wherever two names tell a call"
done
run "$KILN" replay plain --check=eager --quiet
is "$status $out" "1 " "quiet: no list"
like "$err" "of [0-9]+ decisions [0-9]+ hold" "but how many"

# ---- what cannot be done

run "$KILN" replay plain --check=eager -o x.policy
status_is 2 "--check and --output"
has "$err" "--check writes no rules" "message"
run "$KILN" replay plain -o no/such/x.policy
status_is 2 "a file that cannot be made"
mkdir empty
run "$KILN" replay empty
status_is 2 "no records"
cp -r plain damaged
sed -i '5d' damaged/fs/.calls.o.kiln
echo 'kiln-record	9' >damaged/fs/.calls.o.kiln
run "$KILN" replay damaged -o half.policy
status_is 2 "a damaged record"
has "$err" "damaged/fs/.calls.o.kiln:1: error: " "where"
ok test ! -e half.policy "and no half of a policy"

done_testing
