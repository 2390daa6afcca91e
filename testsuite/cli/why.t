#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=report.sh
. "$top/testsuite/cli/report.sh"

printf '# kept\nfunc kept keep\nfile net/** func near --param=max-inline-insns-auto=16\n' >p.policy
ok build p.policy o "a build"

why() {	# ARG...
	run "$KILN" why "$@"
	status_is 0 "why $*"
	is "$err" "" "why $*: no complaint"
}

# ---- one caller

why --policy=./p.policy o first
is "$(echo "$out" | sed 's/size, .*//')" "fs/calls.c: first
  settings: none
  
  put out: in .text, a frame of 48 bytes, without an mcount site
  calls inlined: 2
    fs/calls.c:28  tiny  by the early inliner
    fs/calls.c:28  once  by the IPA inliner
  calls refused: 5
    fs/calls.c:27  big  MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15, estimated growth 33
    fs/calls.c:27  big  MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15, estimated growth 33
    fs/calls.c:27  declared  MAX_INLINE_INSNS_SINGLE_LIMIT max-inline-insns-single=70, estimated growth 88
    fs/calls.c:21  big in once  MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15, estimated growth 33
    fs/calls.c:21  inner in once  MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15, estimated growth 16" \
	"a caller"
why o once
has "$out" "  put out: no, nothing but what was inlined is left of it" "one that is gone"
has "$out" "  itself inlined into: first" "and where it went"
why o twin_b
has "$out" "  merged with twin_a, which is the same code" "one that has a twin"
has "$out" "  put out: no, " "which stands for it"
why o helper
has "$out" "net/near.c: helper.constprop.0" "a function that is there as a clone alone"
has "$out" "  a clone (constprop) of helper" "a clone"

# ---- the lines of the policy

why --policy=./p.policy o kept
has "$out" "  settings:
    keep${tab}./p.policy:2:11" "which line"
why --policy=./p.policy o near
has "$out" "  settings:
    --param=max-inline-insns-auto=16${tab}./p.policy:3:23" "which line, of a flag"
why o near
has "$out" "  settings: --param=max-inline-insns-auto=16" "without the policy: the settings alone"
printf 'include "%s/p.policy"\n' "$tap_dir" >o/.kiln.policy
why o kept
has "$out" "    keep${tab}$tap_dir/p.policy:2:11" "the policy that kiln make has left is found"
why o second kept
has "$out" "a rule decides: 'keep' at $tap_dir/p.policy:2:11" "the line that keeps a callee"
printf 'include "/nowhere/p.policy"\n' >o/.kiln.policy
run "$KILN" why o kept
status_is 0 "a policy that is gone"
like "$err" "^kiln: note: the policy 'o/.kiln.policy' cannot be read any more" "it is said"
has "$out" "  settings: keep" "and the settings are told"
rm o/.kiln.policy
printf 'func kept -fno-gcse\n' >other.policy
why --policy=./other.policy o kept
has "$out" "  settings: keep
  (the policy says otherwise now, so that its lines are not told)" "a policy that has changed"
printf 'func kept keap\n' >bad.policy
run "$KILN" why --policy=./bad.policy o kept
status_is 1 "a policy with a mistake"
like "$err" "^./bad.policy:1:11: error: " "it is told"

# ---- names

nl='
'

run "$KILN" why o inber
is "$status $err" "2 kiln: error: no unit of 'o' has a function 'inber'; did you mean 'inner'?" \
	"a name that is misspelt"
run "$KILN" why o first bjg
is "$status $(echo "$err" | head -1)" \
	"2 kiln: error: no unit of 'o' has a function 'bjg'; did you mean 'big'?" "the callee's"
run "$KILN" why o xyzzy_plugh_xyzzy
is "$err" "kiln: error: no unit of 'o' has a function 'xyzzy_plugh_xyzzy'" "one that is near none"
mkdir -p two/c
cp o/fs/calls.o two/c/x.o
printf 'kiln-record\t2\nunit\tc/x.c\tc/x.o\tx86_64\nverdict\t0\t\nfunction\tinner\nfunction\talone\n%s' \
	"decisions${nl}end$nl" >two/c/.x.o.kiln
why two alone
is "$out" "1 unit has the source of alone, and nothing came of that: nothing calls it" \
	"a function that nothing calls"
for unit in a b; do
	mkdir -p two/$unit
	cp o/fs/calls.o two/$unit/x.o
	sed "s,^unit.*,unit\t$unit/x.c\t$unit/x.o\tx86_64," o/fs/.calls.o.kiln >two/$unit/.x.o.kiln
done
why two inner
is "$(echo "$out" | grep '^[^ ]')" "a/x.c: inner
b/x.c: inner
1 other unit has the source of it, and nothing came of that" "static functions of one name: all of them"
for name in b/x.c:inner b/x.o:inner; do
	why two $name
	is "$(echo "$out" | grep '^[^ ]')" "b/x.c: inner" "$name: one of them"
done
run "$KILN" why two d/x.c:inner
is "$status $err" "2 kiln: error: no unit of 'two' has a function 'inner' of 'd/x.c'; 'kiln why two inner' \
looks in all" "none of them"
run "$KILN" why o first fs/calls.c:big
is "$status $err" "2 kiln: error: 'fs/calls.c:big' is no function's name: FILE:NAME picks the caller alone" \
	"a file for the callee"
for name in '' : x: :x; do
	run "$KILN" why o "$name"
	status_is 2 "no name: '$name'"
done

# ---- ways

why o first big
is "$out" "fs/calls.c: big in first
  not in it: first <- big (2 times)
    big at fs/calls.c:27: not inlined
      MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15, estimated growth 33
      it is not declared inline, and too large for that
      this rule has it inlined:
          file fs/calls.c func first call big inline
      by the estimate this one does, too, which holds for all calls in first:
          file fs/calls.c func first --param=max-inline-insns-auto=34
  not in it: first <- once <- big
    once at fs/calls.c:28: inlined, by the IPA inliner
    big at fs/calls.c:21: not inlined
      MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15, estimated growth 33
      it is not declared inline, and too large for that
      this rule has it inlined:
          file fs/calls.c func once call big inline
      by the estimate this one does, too, which holds for all calls in once:
          file fs/calls.c func once --param=max-inline-insns-auto=34" "directly and through another"
why o first forced
has "$out" "  in it: first <- once <- forced
    once at fs/calls.c:28: inlined, by the IPA inliner
    forced at fs/calls.c:21: inlined, always_inline
      no rule takes it out: its source says always_inline" "what the early inliner put into a copy"
has "$out" "  not in it: first <- big <- forced (2 times)" "and what would be, if one were decided otherwise"
why o chilly big
has "$out" "the caller is cold: beyond the limit the reason would be UNLIKELY_CALL" "a cold caller"
why o second weak
has "$out" "      OVERWRITABLE
      another function may take its place" "a weak function"
lacks "$out" "rule" "no rule helps"
why o second walled
has "$out" "no rule says so: its source decides" "noinline in the source"
why o first twin_a
has "$out" "no call of it is there, in first" "no call"
why o first near
has "$out" "near is defined in net/near.c, and GCC inlines what it has the source of in the same unit" \
	"one of another unit"
why o again again
lacks "$out" "func" "recursion: no rule"

# ---- every rule that is told does what it is told to do, by GCC's own words

said() {	# POLICY UNIT FILE: what GCC says that it inlined, as "CALLEE into CALLER"
	compile "$1" "$2" said "-fopt-info-inline-optimized=$tap_dir/said.txt" 2>/dev/null || return
	sed -n -E 's,.*optimized: +Inlin(ed|ing) ([^/ ]+)/[0-9]+ (into|to) ([^/ ]+)/[0-9]+.*,\2 into \4,p' \
		said.txt | sed 's/\.constprop//g' | sort >"$3"
	rm said.txt
}
# The same of calls that were inlined by a rule, by the inliner's own tree of calls.
dumped() {	# POLICY UNIT FILE
	compile "$1" "$2" dumped "-fdump-ipa-inline=$tap_dir/dump.txt" 2>/dev/null || return
	awk '/^IPA function summary for / { root = $5; sub("/.*", "", root); depth = 0; calls = 0 }
		/^  calls:$/ { calls = 1; next }
		/^$/ { calls = 0 }
		calls && match($0, /^ +/) && $2 == "inlined" {
			while (depth && at[depth] >= RLENGTH) depth--
			name = $1
			sub("/.*", "", name)
			print name " into " (depth ? names[depth] : root)
			at[++depth] = RLENGTH
			names[depth] = name
		}' dump.txt | sed 's/\.constprop[.0-9]*//g' | sort >"$3"
	rm dump.txt
}
"$oracle" pairs o | while read -r source caller callee; do
	"$KILN" why o "$source:$caller" "${callee%%.*}" >answer
	# A way with one decision to be changed, the last: its function, the callee, the rule.
	awk -v unit="${source%.c}" -v root="$caller" '
		/^  [a-z]/ { n = split(substr($0, index($0, ": ") + 2), step, " <- "); refused = 0; way = /^  not in it/ }
		/: not inlined$/ { refused++ }
		way && /^          / && refused == 1 {
			sub(/ .*/, "", step[n])
			sub(/^ */, "")
			print unit "\t" step[n - 1] "\t" step[n] "\t" $0
		}' answer
done | sort -u >all-rules
grep -v ' inline$' all-rules >rules
grep ' inline$' all-rules | sort -u -t "$tab" -k 4,4 >>rules
ok test "$(wc -l <rules)" -ge 12 "there are rules: $(wc -l <rules)"
for kind in auto= single= growth= inline; do
	ok grep -q "${kind}[0-9]*\$" rules "rules of the kind $kind"
done
while IFS=$tab read -r unit caller callee rule; do
	[ -e "${unit#*/}.before" ] || said p.policy "$unit" "${unit#*/}.before"
	{ cat p.policy; echo "$rule"; } >flip.policy
	case $rule in
	*" call "*) dumped flip.policy "$unit" after ;;
	*) said flip.policy "$unit" after ;;
	esac
	into="${callee%.constprop.0} into ${caller%.constprop.0}"
	is "$(grep -cx "$into" "${unit#*/}.before")" 0 "before '$rule': no $into"
	ok grep -qx "$into" after "with it: $into"
done <rules
# One less is not enough.
sed -n 's/\(insns.*\)=\([0-9]*\)$/\1 \2/p' rules | tail -3 | while IFS=$tab read -r unit caller callee rule; do
	{ cat p.policy; echo "${rule% *}=$((${rule##* } - 1))"; } >flip.policy
	said flip.policy "$unit" after
	grep -qx "$callee into $caller" after && echo "$rule"
done >larger
is "$(cat larger)" "" "a limit that is less by one is not enough"

# ---- what is in it, and how it is taken out

for unit in fs/calls net/near; do
	while read -r callee _ caller; do
		run "$KILN" why o "$unit.c:$caller" "$callee"
		like "$out" "^  in it: $caller(\.[^ ]*)? <- $callee" "$unit: $callee is in $caller, as GCC says"
		rule=$(echo "$out" | sed -n '/^  in it/,/^  not/s/^          //p' | head -1)
		[ -n "$rule" ] || continue
		{ cat p.policy; echo "$rule"; } >flip.policy
		said flip.policy "$unit" after
		is "$(grep -cx "$callee into $caller" after)" 0 "'$rule' takes it out"
	done <"${unit#*/}.before"
done

# ---- rules for single calls

{ cat p.policy; printf 'func first call once noinline\nfunc second call walled inline\n'; } >single.policy
compile single.policy fs/calls ruled
why ruled first once
has "$out" "    once at fs/calls.c:28: not inlined
      FUNCTION_NOT_INLINABLE
      a rule for single calls decides: noinline" "such a rule is told of"
why ruled second walled
has "$out" "      the rule 'inline' for this call cannot hold: a rule or its source says keep or noinline" \
	"and one that cannot hold"

# ---- records that are damaged

cp -r o d
victim=d/fs/.calls.o.kiln
sed -i '30s/$/\tx/' $victim
run "$KILN" why d near
status_is 2 "a damaged record"
has "$err" "$victim:30: error: " "where"
has "$out" "net/near.c: near" "what the others say is told"
cp o/fs/.calls.o.kiln $victim
is "$("$sources/damage" $victim bytes 0 "$KILN" why d first big 2>&1)" "" "damage"

# Calls in a circle, clones in a circle, all calls early and of all: an end, and soon.
{
	printf 'kiln-record\t2\nunit\tfs/x.c\tfs/x.o\tx86_64\nverdict\t0\t\n'
	for i in 0 1 2 3 4 5 6 7 8 9; do printf 'function\tf%s\n' $i; done
	echo decisions
	for i in 0 1 2 3 4 5 6 7 8; do
		printf 'clone\t%s\t%s\tpart\n' $i $(((i + 1) % 9))
		printf 'early\t%s\t0:1 1:1 2:1 3:1 4:1 5:1 6:1 7:1 8:1 9:1\n' $i
	done
	echo end
} >circle
mkdir -p c/fs
: >c/fs/x.o
cp circle c/fs/.x.o.kiln
run timeout 20 "$KILN" why c f0 f9
status_is 0 "a record with circles"
has "$out" "more ways" "not all ways are told"
has "$out" "the search was given up after a million steps" "and that is said"

done_testing
