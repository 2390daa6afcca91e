#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

run "$KILN" policies
status_is 0 "policies"
names=$(for file in "$top"/kbuild/policies/*.policy; do basename "$file" .policy; done | sort)
is "$(echo "$out" | cut -f1)" "$names" "every file of kbuild/policies is built in"
unlike "$out" "${tab}$" "each says what it is for"
is "$(echo "$out" | awk -F'\t' 'NF != 2')" "" "a line each: name, tab, sentence"
has "$out" "default${tab}What holds when no policy is named." "the sentence is the file's first"
like "$out" "^rfc${tab}The inline parameters .*and 3\.$" "a sentence of several lines is joined"

for file in "$top"/kbuild/policies/*.policy; do
	name=$(basename "$file" .policy)
	run "$KILN" policies "$name"
	status_is 0 "policies $name"
	"$KILN" policies "$name" >text
	ok cmp -s text "$file" "its text is the file's"
	run "$KILN" check ./text
	status_is 0 "it can be stored and checked"
done

run "$KILN" policies gravitno
status_is 2 "a misspelt name"
is "$err" "kiln: error: no built-in policy is called 'gravitno'; did you mean 'graviton'?" \
	"a misspelt name: message"
run "$KILN" policies zzzzzzzzzzzz
status_is 2 "a name like no other"
is "$err" "kiln: error: no built-in policy is called 'zzzzzzzzzzzz'; 'kiln policies' lists them" \
	"a name like no other: message"

done_testing
