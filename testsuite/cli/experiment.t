#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

outputs=$top/testsuite/cli/experiment

compare() {
	run "$KILN" experiment compare "$@"
}

# ---- numbers: against one who tries everything

is "$("$outputs/oracle" 1 100 "$KILN" experiment compare)" "" "100 pairs of samples, as by trying everything"
# shellcheck disable=SC2016
ok test -n "$("$outputs/oracle" 1 20 sh -c '"$@" | sed "s/0\.3/0.4/g"' sh "$KILN" experiment compare)" \
	"a wrong digit would be seen"

# ---- verdicts

noisy() {	# SEED RUNS MEAN SPREAD: a column of numbers
	python3 -c 'import random, sys
seed, runs, mean, spread = map(float, sys.argv[1:])
rng = random.Random(int(seed))
print("time")
for _ in range(int(runs)):
    print(f"{rng.gauss(mean, spread):.6f}")' "$@"
}
noisy 1 10 100 0.3 >quiet
noisy 2 10 99 0.3 >better
noisy 3 10 100 10 >loud
noisy 4 10 99 10 >loud-better
compare quiet better
status_is 0 "an effect of 1 %"
like "$out" "^time .* faster: -(0\.[6-9]|1\.[0-4])[0-9] %$" "an effect of 1 % is found"
compare better quiet
like "$out" "^time .* slower: \+(0\.[6-9]|1\.[0-4])[0-9] %$" "and the other way round"
compare --more='t*,x' quiet better
like "$out" "^time .* slower: -" "where more is better"
compare loud loud-better
like "$out" "no effect seen; more than [0-9.]* % is excluded$" "in much noise it is not, which is said"
compare --exit-code loud loud-better
status_is 0 "--exit-code without a difference"
compare --exit-code quiet better
status_is 1 "--exit-code with one"
compare --alpha=0.000001 quiet better
like "$out" "too few runs to see any effect$" "a level that 10 runs cannot reach"
has "$out" "can be told among 1 metric from 12 runs of each arm on" "how many could"
compare quiet quiet
like "$out" "^time .* 1\.0000 .* no effect seen; more than" "A and A"
printf 'n\n5\n5\n5\n5\n' >constant
compare constant constant
like "$out" "no effect seen; all runs have the same ratio$" "exact numbers"
printf 'n\n-5\n0\n5\n6\n7\n' >signed
printf 'n\n10\n11\n12\n13\n14\n' >higher
compare signed higher
like "$out" "^n .* slower$" "numbers that have no ratio can be ranked"

# One metric of ten is different by chance: alone it would count.
python3 -c '
print(",".join(f"m{i}" for i in range(10)))
for row in range(5):
    print(",".join(str(10 + (row * (i + 3)) % 7) for i in range(9)) + f",{row + 1}")' >many-a
python3 -c '
print(",".join(f"m{i}" for i in range(10)))
for row in range(5):
    print(",".join(str(10 + (row * (i + 3)) % 7) for i in range(9)) + f",{row + 6}")' >many-b
compare many-a many-b
like "$out" "^m9 .* unclear: a difference if this were the only metric$" "one metric of ten"
for name in many-a many-b; do cut -d, -f10 $name >$name-alone; done
compare many-a-alone many-b-alone
like "$out" "^m9 .* slower: " "the same one alone"

# ---- what the runs tell of themselves

runs() {	# FIRST STEP GOVERNOR LAYOUTS
	python3 -c 'import sys
first, step, governor, layouts = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
print("started,time,governor,layout")
for i in range(6):
    print(f"{first + i * step},{10 + i % 3},{governor},{i % layouts}")' "$@"
}
runs 0 2 performance 2 >a
runs 1 2 performance 3 >b
compare a b
lacks "$out" warning "interleaved, with one governor and several layouts: no warning"
runs 100 1 performance 3 >b
compare a b
has "$out" "warning: the runs are not interleaved: they change between A and B 1 times only" "one arm after the other"
runs 1 2 powersave 3 >b
compare a b
has "$out" "warning: not all runs had the same frequency governor" "two governors"
runs 0 2 powersave 3 >a
compare a b
has "$out" "warning: the frequency governor was 'powersave'" "a governor that is none to measure with"
runs 0 2 performance 1 >a
runs 1 2 performance 1 >b
compare a b
has "$out" "warning: an arm has a single layout" "a single layout"
compare quiet better
has "$out" "warning: not told, and so not looked at: the order of the runs (column started), the frequency governor \
(governor), how often the functions were placed otherwise (layout)" "nothing told"
printf 'n,m\n1,\n2,2\n3,3\n4,4\n5,5\n' >gap
compare gap gap
has "$out" "warning: 2 values are missing" "a run that failed"

# ---- outputs

compare --json a b
is "$(echo "$out" | python3 -c 'import json, sys
report = json.load(sys.stdin)
print(report["a"]["format"], report["alpha"], len(report["metrics"]), len(report["warnings"]),
      report["metrics"][0]["verdict"])')" "CSV 0.05 1 1 no effect seen" "JSON"
compare - b <a
status_is 2 "a comparison with nothing"
# shellcheck disable=SC2016
run sh -c '"$1" experiment compare - b <a' sh "$KILN"
status_is 0 "standard input"

# ---- what programs print

values() {	# FILE: its metrics, how many values, their median, and what is better
	compare --csv "$outputs/$1" "$outputs/$1"
	echo "$out" | python3 -c 'import csv, sys
for row in csv.DictReader(sys.stdin):
    print(row["metric"], row["runs_a"], row["median_a"], row["better"], sep="|")'
}
is "$(values hackbench.txt)" "hackbench time, s|3|$(sed -n 's/^Time: //p' "$outputs/hackbench.txt" |
	sort -n | sed -n 2p)|less" "hackbench"
is "$(values perf.txt)" "perf bench sched/pipe usecs/op|2|23.9115|less
perf bench syscall/basic usecs/op|2|1.6141795|less
perf bench sched/messaging time, s|1|2.719|less" "perf bench"
is "$(values stress-ng.txt)" "stress-ng get bogo ops/s|2|735.59|more
stress-ng pipe bogo ops/s|2|65264.74|more" "stress-ng"
is "$(values sysbench.txt | grep -v 'per event')" "sysbench cpu latency 95 %, ms|2|0.405|less
sysbench memory latency 95 %, ms|2|0|less" "sysbench: latencies"
is "$(values sysbench.txt | sed -n 's/\(per event, s|2|.......\)[^|]*/\1/p')" \
	"sysbench cpu time per event, s|2|0.00031|less
sysbench memory time per event, s|2|2.67982|less" "sysbench: times"
is "$(values schbench.txt)" "schbench Wakeup 50.0 %, usec|2|9|less
schbench Wakeup 90.0 %, usec|2|15|less
schbench Wakeup 99.0 %, usec|2|42|less
schbench Wakeup 99.9 %, usec|2|505|less
schbench Request 50.0 %, usec|1|11010|less
schbench Request 90.0 %, usec|1|11510|less
schbench Request 99.0 %, usec|1|12510|less
schbench Request 99.9 %, usec|1|19010|less
schbench average rps|2|1035.1|more" "schbench: the reports before a run's end do not count"
is "$(values schbench-old.txt | head -1)" "schbench Latency 50.0000 %, usec|2|23|less" "schbench as it was"

# ---- faults, with their places

fault() {	# TEXT MESSAGE
	printf "$1" >bad
	compare bad quiet
	status_is 2 "$2"
	is "$err" "kiln: error: $2" "$2: message"
	is "$out" "" "$2: nothing on stdout"
}
fault '' "bad: nothing was measured: the file is empty"
fault '# only\n\n' "bad: nothing was measured: the file is empty"
fault '1.5\n2\n' "bad:1:1: the first line must name the columns, and this is a number"
fault 'time\nnan\n' "bad:2:1: this is no number; leave the cell of a run that failed empty"
fault 'x,time\n1,2\n1, inf\n' "bad:3:4: this is no number; leave the cell of a run that failed empty"
fault 'time\n1e99999\n' "bad:2:1: this is no number; leave the cell of a run that failed empty"
fault 'x,time\n1\n' "bad:2:1: fewer cells than the first line has names"
fault 'x\n1,2\n' "bad:2:3: more cells than the first line has names"
fault 'x,,y\n1,2,3\n' "bad:1:3: a column has no name"
fault 'x,x\n1,2\n' "bad:1:3: there is another column of that name"
fault 'governor,layout\n1,2\n' "bad:1:1: there is no column of a metric"
fault '"x\n1\n' "bad:1:1: the quotes do not end, or not with the cell"
printf 'other\n1\n' >bad
compare bad quiet
status_is 2 "no metric in common"
is "$err" "kiln: note: 'other' is in 'bad' alone: not compared
kiln: note: 'time' is in 'quiet' alone: not compared
kiln: error: 'bad' and 'quiet' have no metric in common that was measured in both" "no metric in common: message"
printf 'time\n\0001\n' >bad
compare bad quiet
is "$err" "kiln: error: 'bad' is no text" "bytes that are no text"
printf 'sysbench 1.0.20 (using system LuaJIT)\n' >bad
compare bad quiet
is "$err" "kiln: error: bad: this is what sysbench prints, and it has no result" "a run without a result"
printf '# c\r\n"ti""me" , x\r\n 1 ,2\r\n\r\n3,4' >crlf
compare crlf crlf
like "$out" '^ti"me +2 \(2\)' "quotes, blanks, and lines that end otherwise"
compare --more='[' quiet better
status_is 2 "a glob that is none"

# ---- bisect

for i in $(seq 1 40); do echo "func f$i keep"; done >included.policy
{
	for i in $(seq 41 50); do echo "file fs/d$i/** --param=max-inline-insns-auto=$i"; done
	echo 'include included.policy'
	for i in $(seq 51 64); do echo "func f$i noinline"; done
} >my.policy

bisect() {	# SCRIPT: which is run after each set of rules was written to try.policy
	rm -f try.policy
	run "$KILN" experiment bisect -o try.policy my.policy -- sh -c "$1"
}
failing=0
for i in 1 7 41 50 51 64; do
	rule=$(grep -hE "^(func f|file fs/d)$i[ /]" my.policy included.policy)
	bisect "! grep -qxF '$rule' try.policy"
	[ "$status" = 0 ] && [ "$out" = "$(grep -nxF "$rule" my.policy included.policy | sed 's/\(:[0-9]*:\)/\1 /')" ] &&
		[ "$(echo "$err" | sed -n 's/^kiln: note: \([0-9]*\) runs; .*/\1/p')" -le 9 ] &&
		[ "$(cat try.policy)" = "$rule" ] || failing="$i: $out $err"
done
is "$failing" 0 "a planted rule is found among 64, in at most 9 runs, and left in the file"
bisect '! { grep -q f3 try.policy && grep -q d45 try.policy && grep -q f60 try.policy; }'
is "$out" "my.policy:5: file fs/d45/** --param=max-inline-insns-auto=45
included.policy:3: func f3 keep
my.policy:21: func f60 noinline" "three rules that it takes together"
# It cannot tell with 20 to 44 rules.
bisect 'rules=$(wc -l <try.policy); [ $rules -lt 20 ] || [ $rules -gt 44 ] || exit 125; ! grep -q f5 try.policy'
is "$out" "included.policy:5: func f5 keep" "a command that cannot tell in the middle"
bisect 'rules=$(wc -l <try.policy); [ $rules -lt 5 ] || [ $rules -gt 60 ] || exit 125; ! grep -q d47 try.policy'
status_is 2 "a command that cannot tell where it matters"
has "$err" "kiln: error: the command cannot tell between my.policy:1 and my.policy:25, wherever that was tried: it is \
one of these 64 rules" "what is left is told"
ok test "$(echo "$err" | wc -l)" -lt 16 "which takes no run for each rule"
bisect false
has "$err" "kiln: error: the command fails without any rule: it is not the policy" "another reason"
bisect true
has "$err" "kiln: error: the command passes with all rules: there is nothing to find" "no failure"
bisect 'exit 126'
has "$err" "ended with status 126: it must pass (0), fail (1 to 124) or not be able to tell (125)" "a status that is none"
bisect 'kill -9 $$'
status_is 2 "a command that is killed"
run "$KILN" experiment bisect -o try.policy my.policy -- ./nowhere
has "$err" "kiln: error: './nowhere' cannot be run" "a command that is not there"
run "$KILN" experiment bisect my.policy -- true
has "$err" "kiln: error: -o FILE is missing" "no file to write to"
echo '# none' >empty.policy
run "$KILN" experiment bisect -o try.policy empty.policy -- true
has "$err" "kiln: error: the policy has no rules" "no rules"
run "$KILN" experiment bisect -o nowhere/try.policy my.policy -- true
has "$err" "kiln: error: 'nowhere/try.policy' cannot be written: No such file or directory" "a place that is none"

# ---- count: with a QEMU that is none

mkdir bin "a build" && mkdir -p "a build/arch/x86/boot"
{ head -c 514 /dev/zero; printf 'HdrS'; head -c 100 /dev/zero; } >"a build/arch/x86/boot/bzImage"
{ head -c 56 /dev/zero; printf 'ARMd'; head -c 1000 /dev/zero; } >Image
# It says what $tap_dir/console.N has, N being how often it was run, and checks what it is given.
cat >bin/qemu-system-x86_64 <<EOF
#!/bin/sh
cd "$tap_dir" || exit 9
echo run >>runs
printf '%s\n' "\$@" >words
while [ "\$1" != -initrd ]; do shift; done
cp "\$2" initramfs
cat "console.\$(wc -l <runs)"
EOF
chmod +x bin/qemu-system-x86_64
PATH=$tap_dir/bin:$PATH

count() {	# CONSOLE...: of each boot
	rm -f runs console.*
	for text; do
		printf '%b' "$text" >"console.$((number = number + 1))"
	done
	number=0
}
number=0
one='hello\r\nkiln-count\tgetppid\t10\t4000\r\n[ 1.0] kiln-count\tstat\t5\t10000\nkiln-count\tnew\t-\tNo such\nkiln-count\tend\n'
other='kiln-count\tgetppid\t10\t2000\nkiln-count\tstat\t5\t10001\nkiln-count\tnew\t1\t7\nkiln-count\tend\n'
count "$one" "$one"
run "$KILN" experiment count "a build"
status_is 0 "count"
is "$out" "A  a build/arch/x86/boot/bzImage, x86_64

instructions                     A 
getppid                      400.0 
stat                        2000.0 
new                              - " "counts of one kernel"
like "$(cat words)" "^shift=0,sleep=off$" "the clock counts"
unlike "$(cat words)" "^host$" "no CPU of the host"
if command -v cpio >/dev/null; then
	is "$(cpio -t --quiet <initramfs | tr '\n' ' ')" "dev dev/console init " "the initramfs"
	cpio -i --quiet --to-stdout init <initramfs >init
	chmod +x init
	found=
	for workload in "$top"/build/*/workload; do
		! cmp -s init "$workload" || found=$workload
	done
	ok test -n "$found" "the workload is in it"
	ok ./init exit "which ends at once when it is asked to"
else
	skip "the initramfs" "there is no cpio"
fi
count "$one" "$other" "$one" "$(echo "$other" | sed s/10001/10006/)"
run "$KILN" experiment count "a build" "a build/arch/x86/boot/bzImage"
like "$out" "^getppid +400\.0 +200\.0 +0\.5000$" "a ratio"
like "$out" "^stat +2000\.0 +2000\.7\? +1\.0004$" "what differs from run to run is marked"
like "$out" "^new +- +7\.0 +-$" "what one cannot do has no ratio"
like "$out" "^geometric mean +0\.7072$" "the mean"
has "$out" "?  not the same in both runs: not exact" "the mark is explained"
count "$one" "$other" "$one" "$other"
run "$KILN" experiment count --csv "a build" "a build"
is "$(echo "$out" | cut -d, -f1,3- | head -4)" "operation,times,instructions,again,per_operation,ratio
getppid,10,4000,4000,400,1
getppid,10,2000,2000,200,0.5
stat,5,10000,10000,2000,1" "CSV"
count "$one" "$other" "$one" "$other"
run "$KILN" experiment count --json --cpu=qemu64 "a build" "a build"
is "$(echo "$out" | python3 -c 'import json, sys
report = json.load(sys.stdin)
print([kernel["arch"] for kernel in report["kernels"]], report["operations"][2]["name"],
      [count.get("why", count.get("instructions")) for count in report["operations"][2]["counts"]])')" \
	"['x86_64', 'x86_64'] new ['No such', [7, 7]]" "JSON"
like "$(cat words)" "^qemu64$" "another CPU"
count 'Kernel panic - not syncing\n' ''
run "$KILN" experiment count "a build"
status_is 2 "a kernel that does not come to its end"
has "$err" "Kernel panic - not syncing" "its last words"
has "$err" "kiln: error: 'a build/arch/x86/boot/bzImage' ended before the workload did" "and what it needs"
count 'kiln-count\tgetppid\tx\t3\nkiln-count\tend\n' ''
run "$KILN" experiment count "a build"
has "$err" "said what is not understood: kiln-count${tab}getppid${tab}x${tab}3" "a line that is not understood"
run "$KILN" experiment count "a build" Image
has "$err" "kiln: error: 'a build' and 'Image' are kernels of two architectures" "two architectures"
run "$KILN" experiment count bin
has "$err" "kiln: error: 'bin' has no kernel that can be booted: neither arch/x86/boot/bzImage nor" "no kernel"
run "$KILN" experiment count words
has "$err" "kiln: error: 'words' is neither a bzImage of x86_64 nor an Image of arm64" "no image"
run env PATH=/nonexistent "$KILN" experiment count "a build"
has "$err" "kiln: error: 'qemu-system-x86_64' is not installed" "no QEMU"

done_testing
