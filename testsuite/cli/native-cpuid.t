#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=native.sh
. "$top/testsuite/cli/native.sh"

# kiln native --cpuid=FILE: x86 machines recorded by cpuid -r.

case $(gcc -dumpmachine 2>/dev/null) in
x86_64-*) ;;
*) skip_all "gcc is not for x86_64" ;;
esac
cpuid=$top/testsuite/cli/cpuid

# A lock without the line that tells how it was made.
lock() {
	printf '%s\n' "$out" | grep -v '^# Made by:'
}

it_has() {	# the features that a lock says the CPU has, HLE aside: a name brings it
	printf '%s\n' "$out" | awk '/^# It has: / { here = 1; sub("# It has:", "#  ") }
		!/^#   / { here = 0 }
		here { for (i = 2; i <= NF; i++) print $i }' | grep -vx hle | sort
}

# ---- one machine, recorded twice

run "$KILN" native --cpuinfo="$cpuinfo/sapphirerapids-vm"
want=$(lock)
run "$KILN" native --cpuid="$cpuid/sapphirerapids-vm"
status_is 0 "a virtual machine"
is "$err" "" "no complaint"
is "$(lock)" "$want" "as by its /proc/cpuinfo: the CPU, its features, every rule"
has "$out" "# Made by:	kiln native --cpuid=FILE" "how it was made is told"
lacks "$out" "$cpuid" "but no path"
printf '%s\n' "$out" >here.policy
sed -n '1,/^CPU 1/p' "$cpuid/sapphirerapids-vm" | sed '1s/.*/CPU:/; $d' >one
run "$KILN" native --cpuid=one
is "$out" "$(cat here.policy)" "the same by one of its CPUs: cpuid -1 -r"
sed 's/$/\r/' "$cpuid/sapphirerapids-vm" >dos
run "$KILN" native --cpuid=dos
is "$out" "$(cat here.policy)" "the same with the ends of lines of DOS"
printf %s "$(cat "$cpuid/sapphirerapids-vm")" >unended
run "$KILN" native --cpuid=unended
is "$out" "$(cat here.policy)" "the same without the last newline"
run "$KILN" native --check=./here.policy --cpuid="$cpuid/sapphirerapids-vm"
status_is 0 "it has what it was resolved to"

# ---- other machines

recorded() {	# NAME FLAG...: the flags of its lock
	name=$1
	shift
	run "$KILN" native --cpuid="$cpuid/$name"
	status_is 0 "$name"
	printf '%s\n' "$out" >"$name.policy"
	is "$(rules | tr '\n' ' ')" "$* " "$name: flags"
	run "$KILN" native --check="./$name.policy" --cpuid="$cpuid/$name"
	status_is 0 "$name: has what it was resolved to"
}
recorded haswell-notsx -march=haswell -mabm -mno-avx -mtune=haswell
recorded skylake-client -march=haswell -mabm -madx -mno-avx -mtune=haswell
recorded epyc-rome -march=haswell -mabm -madx -mclflushopt -mclwb -mno-avx -mtune=haswell
recorded opteron-g3 -march=nocona -mabm -mlzcnt -mpopcnt -msahf -mtune=nocona
has "$(cat epyc-rome.policy)" "# CPU: AuthenticAMD, family 23, model 49, stepping 0: AMD EPYC-Rome Processor" \
	"the CPU is told"
has "$(cat opteron-g3.policy)" "# CPU: AuthenticAMD, family 16, model 2, stepping 3: AMD Opteron 23xx" \
	"and an older one"
run "$KILN" native --check=./skylake-client.policy --cpuid="$cpuid/haswell-notsx"
status_is 1 "a machine that lacks something"
is "$out" "lacking	adx
./skylake-client.policy: this machine lacks 1 of what it uses" "is told what"
run "$KILN" native --cpu=znver2 --cpuid="$cpuid/haswell-notsx"
status_is 2 "a name that promises too much"
like "$err" "^kiln: error: 'znver2' promises what the machine of '$cpuid/haswell-notsx' lacks: .*adx" \
	"message"
run "$KILN" native --cpu=haswell --cpuid="$cpuid/haswell-notsx" --axis=mtune
status_is 0 "a name that is right"
is "$(rules)" "-mtune=haswell" "and its tuning"

# Two core types: what both have, in whatever order.
sed '1s/.*/CPU 0:/' "$cpuid/haswell-notsx" >little
sed '1s/.*/CPU 1:/' "$cpuid/skylake-client" >big
cat little big >hybrid
run "$KILN" native --cpuid=hybrid
status_is 0 "two core types"
has "$out" "# 2 core types" "are told"
is "$(rules | tr '\n' ' ')" "-march=haswell -mabm -mno-avx -mtune=generic " "what both have"
printf '%s\n' "$out" >hybrid.policy
cat big little >hybrid
run "$KILN" native --cpuid=hybrid
is "$out" "$(cat hybrid.policy)" "the order is of no account"

# ---- what /proc/cpuinfo does not tell

sed '/^ *0x00000014 0x00/s/ebx=0x00000000/ebx=0x00000010/' "$cpuid/sapphirerapids-vm" >ptwrite
run "$KILN" native --cpuid=ptwrite
has "$(rules)" "-mptwrite" "PTWRITE is seen"
printf '%s\n' "$out" >ptwrite.policy
run "$KILN" native --check=./ptwrite.policy --cpuinfo="$cpuinfo/sapphirerapids-vm"
status_is 0 "/proc/cpuinfo cannot tell of it"
run "$KILN" native --check=./ptwrite.policy --cpuid="$cpuid/sapphirerapids-vm"
status_is 1 "and CPUID can"
is "$out" "lacking	ptwrite
./ptwrite.policy: this machine lacks 1 of what it uses" "message"

# Words are no features of GCC alone: the kernel's options.
mkdir -p tree/arch/x86
printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 3\n' >tree/Makefile
# shellcheck disable=SC2016
printf 'source "arch/$(SRCARCH)/Kconfig"\n' >tree/Kconfig
printf 'config %s\n\tbool "%s"\n\n' X86_5LEVEL x X86_X2APIC x CPU_SUP_AMD x >tree/arch/x86/Kconfig
run "$KILN" native --cpuid="$cpuid/sapphirerapids-vm" --kconfig=tree
status_is 0 "--kconfig"
has "$out" "CONFIG_X86_X2APIC=y" "a bit of the CPU"
has "$out" "# CONFIG_CPU_SUP_AMD is not set" "its vendor"
has "$out" "CONFIG_X86_5LEVEL=y" "a bit that this machine's kernel was built without"
sed '/^ *0x00000007 0x00/s/ecx=0x1a41/ecx=0x1a40/; /^ *0x00000001 0x00/s/ecx=0xfffa/ecx=0xffda/' one >less
run "$KILN" native --cpuid=less --kconfig=tree
has "$out" "# CONFIG_X86_5LEVEL is not set" "a bit that the CPU has not"
lacks "$out" "CONFIG_X86_X2APIC=y" "nor this one"

# ---- faults

refused() {	# NAME MESSAGE, of the file "bad"
	run "$KILN" native --cpuid=bad
	status_is 2 "$1"
	is "$err" "kiln: error: $2" "$1: message"
	is "$out" "" "$1: no lock"
}
no_line="this is no line of 'cpuid -r': neither 'CPU 0:' nor '0xLEAF 0xSUBLEAF: eax=0x... \
ebx=0x... ecx=0x... edx=0x...'"
lines=$(wc -l <one)
: >bad
refused "an empty file" "'bad' has no line 'CPU 0:' of what 'cpuid -r' prints"
cp "$cpuinfo/sapphirerapids-vm" bad
refused "a /proc/cpuinfo" "bad:1: $no_line"
{ cat one; echo '   0x00000001 0x00: eax=0x000c06f2 ebx=0x00020800 ecx=0xfffa3203'; } >bad
refused "three registers" "bad:$((lines + 1)): $no_line"
{ cat one; echo '   0x00000001 0x00: eax=0x000c06f2 ebx=0x100020800 ecx=0x0 edx=0x0'; } >bad
refused "33 bits" "bad:$((lines + 1)): a number has more than 32 bits"
sed '2s/7/\x00/' one >bad
refused "a NUL" "bad:2: $no_line"
sed 1d one >bad
refused "no CPU" "bad:1: a leaf before the first line 'CPU 0:'"
sed '/^ *0x00000007 0x00/d' one >bad
refused "leaf 7 is not there" "bad:$((lines - 1)): CPU 0 ends here without its leaf 0x7; all that \
'cpuid -r' prints is needed"
head -c 100000 /dev/zero >bad
refused "zeros" "bad:1: $no_line"
run "$KILN" native --cpuid=none
status_is 2 "no such file"
is "$err" "kiln: error: 'none' cannot be read: No such file or directory" "message"
run "$KILN" native --cpuid=.
is "$err" "kiln: error: '.' cannot be read: Is a directory" "a directory"

# What is in a dump is never a rule of the lock: "\nall -O0\n" as the CPU's name.
sed 's/^   0x80000002 0x00:.*/   0x80000002 0x00: eax=0x6c6c610a ebx=0x304f2d20 ecx=0x2020200a edx=0x20202020/' \
	one >evil
run "$KILN" native --cpuid=evil
status_is 0 "a name with newlines"
has "$out" "stepping 2: ?all -O0?" "is shown without them"
lacks "$(rules)" "-O0" "and sets nothing"

for cpu in 0 1 2 3 4 5 6 7 8 9; do
	for digit in 0 1 2 3 4 5 6 7 8 9; do
		echo "CPU $cpu$digit:"
		sed 1d one
	done
done >many
run "$KILN" native --cpuid=many
is "$(lock)" "$want" "a hundred CPUs"

run "$KILN" native --cpuid=one --cpuinfo="$cpuinfo/zen3"
status_is 2 "--cpuid and --cpuinfo"
is "$err" "kiln: error: --cpuid=FILE and --cpuinfo=FILE are both the record of a machine; give one of \
them" "message"
# shellcheck disable=SC2016
printf '#!/bin/sh\ncase $1 in -dumpmachine) echo aarch64-linux-gnu;; *) echo cc;; esac\n' >cross
chmod +x cross
run "$KILN" native --cc=./cross --cpuid=one
status_is 2 "a compiler for aarch64"
is "$err" "kiln: error: './cross' compiles for aarch64, and --cpuid=FILE is the record of an x86" \
	"message"

# ---- Linux's names of the bits, by its own table

features=${KILN_CACHE:-$HOME/.cache/kiln}/linux-6.12/arch/x86/include/asm/cpufeatures.h
if [ -e "$features" ]; then
	# Its words 4, 9... are these registers: enum cpuid_leafs.
	sed -n 's/^#define X86_FEATURE_[A-Z0-9_]*[ 	]*( *\([0-9]*\)\*32 *+ *\([0-9]*\))[ 	]*\/\* "\([^"]\{1,\}\)".*/\1 \2 \3/p' \
		"$features" | awk 'BEGIN {
			at[1] = "80000001 0 EDX"; at[4] = "00000001 0 ECX"; at[6] = "80000001 0 ECX"
			at[9] = "00000007 0 EBX"; at[10] = "0000000d 1 EAX"; at[12] = "00000007 1 EAX"
			at[13] = "80000008 0 EBX"; at[16] = "00000007 0 ECX"; at[18] = "00000007 0 EDX"
			at[19] = "8000001f 0 EAX"; at[20] = "80000021 0 EAX" }
		$1 in at { print at[$1], $2, $3 }' | sort >linux
	tr -d '{}",' <"$top/kbuild/cli/native/cpuid-bits.c" |
		sed -n 's/^	0x\([0-9a-f]* [0-9] E[A-D]X\) *\([0-9]*\) *[A-Z0-9]* *\([a-z0-9_]*\)$/\1 \2 \3/p' |
		sort >table
	ok test "$(comm -12 linux table | wc -l)" -ge 80 "the table has what Linux has"
	cut -d ' ' -f 1-4 linux | sort >linux.bits
	comm -13 linux table | cut -d ' ' -f 1-4 | sort | comm -12 - linux.bits >wrong
	is "$(cat wrong)" "" "and by no other name"
	cut -d ' ' -f 5 linux | sort >linux.words
	comm -13 linux table | cut -d ' ' -f 5 | sort | comm -12 - linux.words >wrong
	is "$(cat wrong)" "" "nor one of its names for another bit"
else
	skip "Linux's names" "no $features"
fi

# ---- this machine, and QEMU's, by a program that prints the same

if [ "$(uname -m)" != x86_64 ] || ! gcc -O2 -o dump "$cpuid/dump.c" 2>/dev/null; then
	skip "this machine" "it is no x86_64, or no program can be built"
	done_testing
fi
# The kernel may have cleared something, but not made anything up.
./dump >here
run "$KILN" native --cpuid=here
status_is 0 "this machine"
it_has >here.has
run "$KILN" native --cpuinfo=/proc/cpuinfo
it_has >here.shown
ok test "$(wc -l <here.shown)" -ge 5 "features are found"
is "$(comm -13 here.has here.shown)" "" "this machine: all that /proc/cpuinfo shows"

base=$(enabled gcc -march=x86-64)
driver() {	# MODEL: the features of the driver's answer beyond the first 64-bit CPU's
	qemu-x86_64 -cpu "$1" "$gcc" -march=native -mtune=native '-###' -S -xc /dev/null 2>&1 |
		grep '/cc1' | tr ' ' '\n' | tr -d '"' >words
	# shellcheck disable=SC2046
	enabled gcc $(grep '^-m' words | grep -v '^-mtune') >found
	sed -n 's/^-mno-//p' words | grep -vxF -f - found >found.list	# -mno-hle has no effect on a name
	minus "$(cat found.list)" "$base" | grep -vx hle
}
for model in Haswell-noTSX EPYC-Rome Opteron_G3 max; do
	if ! qemu-x86_64 -cpu $model ./dump >dumped 2>/dev/null; then
		skip "$model" "no qemu-x86_64 (package qemu-user)"
		continue
	fi
	run "$KILN" native --cpuid=dumped
	status_is 0 "$model"
	# The driver takes PKU if the system turned it on, and has no word for 3dnowa.
	it_has | grep -vxE 'pku|3dnowa' >dumped.has
	is "$(cat dumped.has)" "$(driver $model)" "$model: what the driver finds"
done

done_testing
