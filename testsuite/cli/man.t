#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

# The manual page agrees with the command.

page=$top/kbuild/cli/kiln.1

page_options() {	# SUBSECTION: the options it lists
	awk -v want=".Ss $1" '/^\.S[hs] / { here = $0 == want; next }
		here && /^\.It Fl -/ { print "--" substr($3, 2) }' "$page"
}

help_options() {
	sed -n 's/^  \(--[a-z-]*\).*/\1/p'
}

synopsis_options() {	# COMMAND: the options in its part of the synopsis
	awk -v want=".Cm $1" '/^\.Sh / { synopsis = /SYNOPSIS/ }
		/^\.Nm$/ { here = 0 }
		$0 == want { here = 1 }
		synopsis && here' "$page" | grep -o 'Fl -[a-z-]*' | sed 's/Fl -/--/'
}

is "$(page_options kiln)" "$("$KILN" --help | help_options)" "options of kiln itself"
commands_of() {	# [COMMAND]
	# shellcheck disable=SC2086
	"$KILN" help ${1:-} | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'
}
for command in $(commands_of); do
	echo "$command"
	commands_of "$command" | sed "s/^/$command /"
done >commands

while read -r command; do
	# shellcheck disable=SC2086
	options=$("$KILN" help $command | help_options)
	is "$(page_options "kiln $command")" "$options" "$command: options described"
	is "$(synopsis_options "$command" | sort)" "$(echo "$options" | grep -vx -e --help)" \
		"$command: options in the synopsis"
	like "$options" "^--help$" "$command: --help"
done <commands
is "$(grep -c '^\.Ss kiln ' "$page")" "$(wc -l <commands)" "no command is described that there is not"
like "$(cat commands)" "^experiment compare$" "a command of a command is among them"

# The plugin's keys, by the table that its help is made of.
sed -n 's/^	{ "\([a-z]*\)", \(true\|false\), .*/\1/p' "$top/plugin/gcc/args.c" >keys
awk '/^\.Sh / { here = /THE PLUGIN/ } here && /^\.It Cm / { print $3 }' "$page" >described
ok test -s keys "the plugin's keys are found"
is "$(cat described)" "$(cat keys)" "the plugin's keys"

# The example of the policy language is a policy.
awk '/^\.Sh / { here = /THE POLICY LANGUAGE/ } here && /^\.Ed/ { exit }
	here && body { print } here && /^\.Bd/ { body = 1 }' "$page" >example.policy
ok test "$(wc -l <example.policy)" -ge 5 "the example is found"
run "$KILN" check ./example.policy
status_is 0 "the example is a good policy"

# Each word of the language is in it.
for word in all on file func section call default leave keep noinline inline force include; do
	like "$(cat "$page")" "^\.(It )?Cm $word( |$)" "the word '$word' is described"
done

# ---- its markup

if command -v mandoc >/dev/null; then
	run mandoc -T lint -W warning "$page"
	is "$out$err" "" "mandoc -T lint"
else
	skip "mandoc -T lint" "no mandoc"
fi
if man --version 2>/dev/null | grep -q '^man 2'; then
	run man --warnings -l "$page"
	status_is 0 "man --warnings"
	is "$err" "" "man --warnings: none"
	like "$out" "^KILN\(1\)" "it is a page"
else
	skip "man --warnings" "no man-db"
fi

done_testing
