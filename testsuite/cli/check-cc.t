#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

printf 'all --param=early-inlining-insns=14\n' >good.policy
printf 'plugin\n' >kiln.so

# ---- a compiler that does what the test wants: how it is run, what its status means

cat >cc <<'END'
#!/bin/sh
printf '%s\n' "$@" >>argv
case $1 in
-dumpmachine) echo machine ;;
-dumpversion) echo 7 ;;
*)
	[ -e dead ] || echo "the plugin's help"
	[ -e complaint ] && cat complaint >&2
	exit "$(cat code)"
	;;
esac
END
chmod +x cc
echo 0 >code

run "$KILN" check --cc=./cc --plugin=kiln.so good.policy rfc
status_is 0 "GCC accepts the policy"
is "$out" "6 rules in 1 file: fine, and './cc' accepts every flag" "the summary says so"
is "$(cat argv)" "-x
c
-S
-o
/dev/null
/dev/null
-fplugin=./kiln.so
-fplugin-arg-kiln-check
-fplugin-arg-kiln-help
-fplugin-arg-kiln-policy=good.policy
-fplugin-arg-kiln-policy=rfc" "the compiler's arguments"

cp kiln.so other.name.so
rm argv
run "$KILN" check --quiet --cc=./cc --plugin=./other.name.so good.policy
status_is 0 "a plugin of another name"
has "$(cat argv)" "-fplugin-arg-other.name-check" "its arguments carry its name"
is "$out" "" "--quiet"

rm argv
# shellcheck disable=SC2016
run "$KILN" check --cc=' ./cc  $(touch pwned) ; x ' --plugin=kiln.so good.policy
status_is 0 "a compiler of several words"
# shellcheck disable=SC2016
is "$(head -n 4 argv)" '$(touch
pwned)
;
x' "each is an argument"
ok test ! -e pwned "no shell sees them"

run env KILN_PLUGIN=kiln.so "$KILN" check --cc=./cc good.policy
status_is 0 "the plugin by KILN_PLUGIN"
rm argv
run env KILN_PLUGIN=none.so "$KILN" check --cc=./cc --plugin=kiln.so good.policy
status_is 0 "--plugin wins over KILN_PLUGIN"
run env KILN_PLUGIN=none.so "$KILN" check --cc=./cc good.policy
status_is 2 "a plugin that is missing"
is "$err" "kiln: error: the plugin 'none.so' cannot be read: No such file or directory" \
	"a plugin that is missing: message"

echo "good.policy:1:5: error: no" >complaint
echo 1 >code
run "$KILN" check --cc=./cc --plugin=kiln.so good.policy
status_is 1 "GCC refuses the policy"
is "$err" "good.policy:1:5: error: no" "its messages are passed on"
is "$out" "" "no summary"
rm complaint

: >dead
for code in 0 1; do
	echo $code >code
	run "$KILN" check --cc=./cc --plugin=kiln.so good.policy
	status_is 2 "GCC ends with $code and has not run the plugin"
	is "$err" "kiln: error: './cc' did not run the plugin ./kiln.so" "message"
done
rm dead
echo 4 >code
run "$KILN" check --cc=./cc --plugin=kiln.so good.policy
status_is 2 "GCC fails in another way"
is "$err" "kiln: error: './cc' failed with exit status 4" "message"

# shellcheck disable=SC2016
printf '#!/bin/sh\necho help\nkill -9 $$\n' >killed
chmod +x killed
run "$KILN" check --cc=./killed --plugin=kiln.so good.policy
status_is 2 "GCC is killed"
is "$err" "kiln: error: './killed' did not come to an end by itself" "message"

run "$KILN" check --cc=./none --plugin=kiln.so good.policy
status_is 2 "no such compiler"
is "$err" "kiln: error: './none' cannot be run: No such file or directory" "message"
run "$KILN" check --cc=false good.policy
status_is 2 "a compiler that does not tell its machine"
is "$err" "kiln: error: 'false -dumpmachine' failed with exit status 1" "message"

printf 'all kepe\n' >bad.policy
rm -f argv
run "$KILN" check --cc=./cc --plugin=kiln.so bad.policy
status_is 1 "a policy with a mistake"
ok test ! -e argv "GCC is not asked about it"

# ---- where the plugin is looked for

echo 0 >code
mkdir -p build/host build/machine-7 usr/bin usr/lib/kiln/machine-7
cp "$KILN" build/host/kiln
cp "$KILN" usr/bin/kiln
here=$(pwd -P)
run build/host/kiln check --cc=./cc good.policy
status_is 2 "no plugin anywhere"
is "$err" "kiln: error: there is no plugin for './cc': neither \
$here/build/machine-7/kiln.so nor $here/build/lib/kiln/machine-7/kiln.so can be read; \
build it with PLUGIN_CC='./cc', or name it with --plugin=FILE or KILN_PLUGIN" \
	"the message says where it was looked for"
found() {	# COMMAND PLUGIN
	cp kiln.so "$2"
	rm -f argv
	run "$1" check --cc=./cc good.policy
	status_is 0 "$1 finds $2"
	has "$(cat argv)" "-fplugin=$here/$2" "$1 loads $2"
}
found build/host/kiln build/machine-7/kiln.so
found usr/bin/kiln usr/lib/kiln/machine-7/kiln.so

# ---- the real ones

gcc=${PLUGIN_CC:-gcc}
id=$($gcc -dumpmachine 2>/dev/null)-$($gcc -dumpversion 2>/dev/null)
plugin=$top/build/$id/kiln.so
if [ ! -r "$plugin" ]; then
	skip "GCC judges" "the plugin for $gcc is not built"
	done_testing
fi

run "$KILN" check --cc="$gcc" --plugin="$plugin" default good.policy
status_is 0 "GCC judges good policies"
like "$out" "^[0-9]+ rules in 1 file: fine, and '$gcc' accepts every flag$" "GCC judges: summary"
is "$err" "" "GCC judges: no complaint"
if [ "$KILN" = "$top/build/host/kiln" ]; then
	run "$KILN" check --cc="$gcc" default
	status_is 0 "the plugin of the build is found"
fi

bad() {	# EXPECTED-ERE RULE
	printf '%s\n' "$2" >bad.policy
	run "$KILN" check bad.policy
	status_is 0 "without GCC: $2"
	run "$KILN" check --cc="$gcc" --plugin="$plugin" bad.policy
	status_is 1 "GCC refuses: $2"
	like "$err" "^bad.policy:1:$1" "GCC refuses: $2: message"
}
bad "5: error: .*no flag '--param=early-inlining-insn=1'; did you mean" \
	"all --param=early-inlining-insn=1"
bad "5: error: .*not between 0 and 100" "all --param=inline-min-speedup=101"
bad "8: error: .*cannot set '-fno-common' for a function" "func x -fno-common"
printf 'all ?--param=no-such-thing=1\n' >optional.policy
run "$KILN" check --cc="$gcc" --plugin="$plugin" optional.policy
status_is 0 "an unknown flag with a question mark"

run "$KILN" check --cc="$gcc" --plugin=kiln.so good.policy
status_is 2 "a plugin that is none"
has "$err" "cannot load plugin ./kiln.so" "GCC's message is passed on"

done_testing
