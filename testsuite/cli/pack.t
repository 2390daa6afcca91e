#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

# What would be packed; testsuite/golden/pack.t has the plugins.

mkdir sub
echo 'func "a b" keep' >sub/more.policy
printf '# why\ninclude rfc\r\n\tall  -fa # and why\ninclude sub/more.policy\n' >p.policy

run "$KILN" pack p.policy
status_is 0 "without -o the rules are printed"
is "$out" "$("$KILN" policies rfc | sed -e '/^#/d' -e '/^$/d' | tr -s '\t ' ' ')
all -fa
func \"a b\" keep" "those that are included too, no comments"
"$KILN" pack p.policy >again.policy
run "$KILN" pack ./again.policy
ok cmp -s again.policy "$tap_io/out" "packed again, the text is the same"

run "$KILN" pack ./sub/more.policy rfc
like "$out" '^all --param' "several policies"

printf 'all -fa\nfile x -mtune=native\n' >native.policy
run "$KILN" pack ./native.policy
status_is 1 "native"
is "$err" "kiln: error: ./native.policy:2:8: '-mtune=native' is not resolved, and means another CPU \
wherever the plugin is used; 'kiln native -o FILE' resolves it, --cpu=FILE says so here" "native: message"
echo 'on x86_64 -march=znver3 -mtune=znver2' >cpu.policy
run "$KILN" pack --cpu=cpu.policy ./native.policy
is "$out" "all -fa
file x -mtune=znver2" "native, resolved"
run "$KILN" pack --cpu=missing.policy ./native.policy
status_is 2 "the CPU's file is missing"

printf 'all\n' >bad.policy
run "$KILN" pack -o k.so ./bad.policy
status_is 1 "a bad policy"
ok test ! -e k.so "a bad policy: nothing is written"

for name in k-1.so k.1.so k.o .so k kiln.so.1 "a b.so"; do
	run "$KILN" pack -o "$name" rfc
	status_is 2 "a plugin called '$name'"
	has "$err" "'$name': a plugin's file is called NAME.so" "a plugin called '$name': message"
done

done_testing
