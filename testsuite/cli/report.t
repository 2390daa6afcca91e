#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=report.sh
. "$top/testsuite/cli/report.sh"

printf 'func kept keep\nfunc walled leave\n' >p.policy
ok build p.policy o "a build"

# ---- against another reader of the same records

is "$("$oracle" all o "$KILN" report 2>&1)" "" "tables say what another reader of the records reads"
run "$KILN" report --csv --by=function o
for change in '/^row,fs.calls.c:big,/d' 's/^\(total,.*\),[0-9]*$/\1,99/'; do
	changed=$(echo "$out" | sed "$change" | "$oracle" csv o function)
	ok test -n "$changed" "that reader sees a change: $change"
done

# ---- against GCC and the object files

field() {	# NAME ROW: of CSV in $out; no name in it has a comma
	echo "$out" | awk -F, -v name="$1" -v row="$2" 'NR == 1 {
		for (i = 1; i <= NF; i++) if ($i == name) column = i }
		NR > 1 && ($1 == row || $2 == row) { print $column }'
}
for unit in calls limits; do
	# shellcheck disable=SC2046
	(cd "$sources" && "$PLUGIN_CC" -O2 -Iinclude -fstack-usage -fopt-info-inline-optimized="$tap_dir/$unit.in" \
		-fplugin="$plugin" -fplugin-arg-kiln-policy="$tap_dir/p.policy" -fplugin-arg-kiln-srctree=. \
		-fplugin-arg-kiln-nodeps $([ $unit = calls ] || echo "$limits") \
		-c fs/$unit.c -o "$tap_dir/$unit.o")
	run "$KILN" report --csv --by=file o
	row=fs/$unit.c
	is "$(($(field early "$row") + $(field always_inline "$row")))" \
		"$(grep -c 'optimized: *Inlining ' $unit.in)" "$unit: what GCC says it inlined early"
	is "$(field functions "$row")" "$(readelf -sW $unit.o | awk '$4 == "FUNC" { print $7, $2 }' | sort -u | wc -l)" \
		"$unit: functions, by the addresses of symbols"
	is "$(field frame "$row")" "$(cut -f2 $unit.su | sort -n | tail -1)" \
		"$unit: the largest frame, as -fstack-usage"
done
if "$PLUGIN_CC" -pg -mfentry -mrecord-mcount -fno-pie -x c -c -o fentry.o /dev/null 2>/dev/null; then
	build p.policy traced -pg -mfentry -mrecord-mcount -fno-pie
	run "$KILN" report --csv traced
	is "$(field traceable total)" "$(readelf -rW traced/*/*.o |
		sed -n "/__mcount_loc'/,/^\$/p" | grep -c R_X86_64_64)" "mcount sites, as in the objects"
else
	skip "mcount sites" "$PLUGIN_CC has no -mfentry"
fi

# ---- text

run "$KILN" report o
status_is 0 "text"
is "$(echo "$out" | sed '/^by directory/,$d;/flags that/,$d' | sed 's/size, .*//')" "o
  units              3
  functions put out  23: clones 1, with an mcount site 0
  by rules           1 kept; left alone, by rules or not, 1
  calls inlined      10: always_inline 4, early 3, by IPA 3
  calls refused      37
  
  largest frame      320 bytes: fs/limits.c:framed" "sums come first"
like "$out" "^  fs/ +2 +20 .* MAX_INLINE_INSNS_AUTO_LIMIT max-inline-insns-auto=15 18$" "a row"
like "$out" "^  total +3 +23 " "and the total"
has "$out" "flags that steer inlining differ
  2 units  -O2
  1 unit  -O2 --param=early-inlining-insns=0" "flags, where units differ"
run "$KILN" report o/fs/calls.o
status_is 0 "a single object"
lacks "$out" "flags that steer" "flags that do not differ are not told"
run "$KILN" report --by=function --top=1 o
like "$out" "^  \(24 others\) +- " "others are one row, and units in them are no sum"
run "$KILN" report --by=reason o
has "$out" "  MAX_INLINE_INSNS_AUTO_LIMIT: it is not declared inline, and too large for that" \
	"GCC's name of a reason and a plain sentence"
"$KILN" report --csv --by=function o >csv
is "$(python3 -c 'import csv
rows = [row for row in csv.DictReader(open("csv")) if row["kind"] == "row"]
keys = [(-abs(int(row["size_after"]) - int(row["size_before"])), row["function"]) for row in rows]
print(keys == sorted(keys) and len(keys) > 9)')" True "the largest change of size comes first"
"$KILN" report o/ >slash
is "$(sed 1d slash)" "$("$KILN" report o | sed 1d)" "a slash at the end"
ln -s o link
is "$("$KILN" report link | sed 1d)" "$(sed 1d slash)" "a link to a build is followed"
cp -r o copy
is "$("$KILN" report copy | sed 1d)" "$(sed 1d slash)" "the same build elsewhere: the same report"

# ---- records that are missing

mkdir -p m/fs
cp o/fs/calls.o o/fs/.calls.o.kiln m/fs
run "$KILN" report m
is "$err" "" "all is there"
for name in lost hit foreign host gone; do cp o/fs/calls.o m/fs/$name.o; done
rm m/fs/gone.o
cp o/fs/.calls.o.kiln m/fs/.gone.o.kiln
echo 'cmd := gcc -fplugin=/x/mine.so -fplugin-arg-mine-record -c lost.c' >m/fs/.lost.o.cmd
echo 'cmd := ccache gcc -fplugin=/x/kiln.so -c hit.c' >m/fs/.hit.o.cmd
echo 'cmd := gcc -fplugin=/x/randomize_plugin.so -c foreign.c' >m/fs/.foreign.o.cmd
echo 'cmd := gcc -c host.c' >m/fs/.host.o.cmd
cp m/fs/.lost.o.cmd m/fs/.gone.o.cmd
cp m/fs/.lost.o.cmd m/fs/.calls.o.cmd
run "$KILN" report m
status_is 0 "records that are missing"
has "$out" "  units              1, and 2 without a record: not in what follows" "they are counted"
like "$err" "^kiln: note: 2 objects were made with the plugin, and there is no record: " "and told of"
run "$KILN" report --json m
has "$out" '  "units": 1,
  "missing_records": 2,
  "damaged_records": 0,' "in JSON too"
rm m/fs/.calls.o.kiln
run "$KILN" report m
status_is 2 "no record at all"
like "$err" "^kiln: error: 'm' has no records: the plugin was there for 3 objects, " "it is said why"
is "$out" "" "nothing on stdout"
mkdir nothing
run "$KILN" report nothing
is "$status $err" "2 kiln: error: 'nothing' has no records: build with 'kiln make', or with the plugin's \
argument 'record'" "an empty directory"
run "$KILN" report nowhere
is "$status $err" "2 kiln: error: 'nowhere' cannot be read: No such file or directory" "no build"
run "$KILN" report m/fs/host.o
like "$status $err" "^2 kiln: error: 'm/fs/host.o' has no record beside it" "an object without a record"

# ---- records that are damaged: the others are reported all the same

cp -r o d
victim=d/fs/.limits.o.kiln
cp $victim whole

damaged() {	# LINE WHY NAME
	run "$KILN" report --csv --by=file d
	status_is 2 "$3"
	has "$err" "$victim:$1: error: $2" "$3: where and what"
	has "$err" "kiln: note: 1 unit is left out, for the record cannot be read" "$3: it is left out"
	is "$(field units total) $(echo "$out" | grep -c '^row')" "2 2" "$3: the rest is reported"
}
: >$victim
damaged 1 "this is no record of Kiln" "an empty record"
head -c 3000 /dev/urandom | tr -d '\n' >$victim
damaged 1 "this is no record of Kiln" "garbage"
sed 1s/2/3/ whole >$victim
damaged 1 "this is a record of another version" "another version"
sed '$d' whole >$victim
damaged 1 "the record was cut, its last line is not 'end'" "without its end"
line=$(grep -n '^refused' whole | head -1 | cut -d: -f1)
sed "${line}s/[0-9]*:/99999999999999999999:/" whole >$victim
damaged "$line" "this line does not say what a line of its kind says" "a huge number"
sed "${line}s/\$/:5/" whole >$victim
damaged "$line" "this line does not say what a line of its kind says" "a field too many"
sed "s/^end/clone\t0\t1\tpart\nclone\t0\t9999\tpart\nend/" whole >$victim
damaged "$(($(wc -l <whole) + 1))" "this line does not say what a line of its kind says" \
	"a function that there is not"
rm $victim
ln -s "$tap_dir/whole" $victim
run "$KILN" report d
like "$status $err" "^2 kiln: error: the record '$victim' cannot be read: " "a link in a record's place"
rm $victim

cp whole $victim
for how in cut bytes; do
	is "$("$sources/damage" $victim $how 2 "$KILN" report --json --by=function d 2>&1)" "" \
		"damage: $how"
done
rm $victim
mkdir $victim
run "$KILN" report d
status_is 0 "a directory in a record's place is no record"

# ---- names that are odd

record() {	# FILE LINE...
	file=$1
	shift
	{
		printf 'kiln-record\t2\nunit\tfs/x.c\tfs/x.o\tx86_64\nverdict\t0\t\n'
		printf '%b\n' "$@" end
	} >"$file"
}
mkdir -p odd/fs
: >odd/fs/x.o
record odd/fs/.x.o.kiln 'function\ta"b,c' 'function\t\0303\0244\0377\0001' 'function\ttab\\ttab\\n' decisions \
	'flags\t-O2 "x",y' 'reason\tNEW_"REASON",X\tp,=1' 'refused\t0\t0\t1:5:3' 'size\t0\t4\t4\t9\t9' \
	'size\t1\t-4\t4\t9\t9' 'size\t2\t2147483647\t4\t2147483647\t9' 'code\t0\t-' 'code\t1\t2147483647'
run "$KILN" report --json --by=function odd
status_is 0 "odd names"
is "$(printf '%s\n' "$out" | python3 -c 'import json, sys
report = json.load(sys.stdin)
print(ascii(sorted(row["name"] for row in report["rows"])), report["rows"][0]["refused_by"] or report["rows"][1]["refused_by"])')" \
	"['fs/x.c:a\"b,c', 'fs/x.c:tab\\ttab\\n', 'fs/x.c:\\xe4\\xff\\x01'] \
[{'reason': 'NEW_\"REASON\",X', 'limit': 'p,=1', 'calls': 1}]" "JSON has them"
run "$KILN" report --csv --by=function odd
is "$(printf '%s\n' "$out" | python3 -c 'import csv, sys
rows = list(csv.DictReader(open(0, encoding="latin-1", newline=""), strict=True))
print(ascii(sorted(row["function"] for row in rows if row["kind"] == "row")), "NEW_\"REASON\",X p,=1" in rows[0])')" \
	"['fs/x.c:a\"b,c', 'fs/x.c:tab\\ttab\\n', 'fs/x.c:\\xc3\\xa4\\xff\\x01'] True" "and CSV"
is "$(field size_after total)" "2147483665" "numbers do not overflow"

# ---- memory

case $KILN in
*-san/*) skip "out of memory" "not with a sanitizer" ;;
*)
	mkdir -p vast
	: >vast/x.o
	{
		printf 'kiln-record\t2\nunit\tx.c\tx.o\tx86_64\nverdict\t0\t\n'
		awk 'BEGIN { for (i = 0; i < 400000; i++) print "function\tfunction_number_" i }'
		printf 'decisions\nend\n'
	} >vast/.x.o.kiln
	# shellcheck disable=SC2016
	run sh -c 'ulimit -v 60000; "$@"' sh "$KILN" report --by=function vast
	is "$status $err" "2 kiln: error: out of memory" "out of memory"
	run "$KILN" report vast
	status_is 0 "and with enough of it"
	;;
esac

done_testing
