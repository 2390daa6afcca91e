#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=native.sh
. "$top/testsuite/cli/native.sh"

# kiln native on other CPUs than this one: the compiler's driver runs under
# qemu-x86_64, and /proc/cpuinfo shows what that has.

case $(gcc -dumpmachine 2>/dev/null) in
x86_64-*) ;;
*) skip_all "gcc is not for x86_64" ;;
esac
[ "$(uname -m)" = x86_64 ] || skip_all "this is no x86_64"
command -v qemu-x86_64 >/dev/null || skip_all "no qemu-x86_64 (package qemu-user)"
can_mount || skip_all "needs root and mount"

kernel="-mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx"
base=$(enabled gcc -march=x86-64)

driver() {	# MODEL: the words of cc1's command line
	qemu-x86_64 -cpu "$1" "$gcc" -march=native -mtune=native '-###' -S -xc /dev/null 2>&1 |
		grep '/cc1' | tr ' ' '\n' | tr -d '"'
}

found() {	# the features of the driver's answer in `words`
	# shellcheck disable=SC2046
	enabled gcc $(grep '^-m' words | grep -v '^-mtune') >found.list
	sed -n 's/^-mno-//p' words | grep -vxF -f - found.list	# -mno-hle has no effect on a name
}

make_cc() {	# MODEL: a compiler that finds itself on that CPU, as far as it looks
	cat >cc <<-END
		#!/bin/sh
		case "\$*" in
		*native*) exec qemu-x86_64 -cpu $1 $gcc "\$@" ;;
		esac
		exec gcc "\$@"
	END
	chmod +x cc
}

model() {	# MODEL
	driver "$1" >words
	native=$(found)
	make_cpuinfo "$(minus "$native" "$base")" >cpuinfo
	make_cc "$1"
	run with_cpuinfo cpuinfo "$KILN" native --cc=./cc
	status_is 0 "$1"
	printf '%s\n' "$out" >lock.policy
	is "$(rules | grep -E '^-m(arch|tune)=' | sort)" "$(grep -E '^-m(arch|tune)=' words | sort)" \
		"$1: the driver's names"
	lacks "$out" "the kernel does not show" "$1: nothing is hidden"
	lock=$(flags ./lock.policy)
	# shellcheck disable=SC2086
	is "$(minus "$(enabled gcc $lock)" "$native
hle")" "" "$1: only what it has"
	# shellcheck disable=SC2046,SC2086
	is "$(minus "$(enabled gcc $(grep '^-m' words | grep -v '^-mtune') -mno-avx -mno-sse4a $kernel)" \
		"$(enabled gcc $lock $kernel)" | grep -vxE 'hle|aes|pclmul|sha|gfni|vaes|vpclmulqdq')" \
		"" "$1: all that a kernel can use of it"
	# shellcheck disable=SC2086
	is "$(enabled gcc $kernel $lock | grep -xE 'sse|sse2|mmx|3dnow|avx')" "" "$1: no vectors"
	run with_cpuinfo cpuinfo "$KILN" native --check=./lock.policy
	status_is 0 "$1: has what it was resolved to"
}
for name in Nehalem Haswell-noTSX Skylake-Client EPYC-Rome Opteron_G3; do
	model $name
done

# GCC cannot take HLE out of -march=haswell, but what the driver says is said.
driver Haswell-noTSX >words
make_cpuinfo "$(minus "$(found)" "$base")" >cpuinfo
run with_cpuinfo cpuinfo "$KILN" native --cc="qemu-x86_64 -cpu Haswell-noTSX $gcc"
has "$(rules)" "-mno-hle" "what the name promises and the driver denies"

# What the kernel turned off is not used, though the CPU has it.
driver Haswell-noTSX >words
make_cpuinfo "$(minus "$(minus "$(found)" "$base")" "bmi2
movbe")" >cpuinfo
make_cc Haswell-noTSX
run with_cpuinfo cpuinfo "$KILN" native --cc=./cc
has "$out" "# The CPU has, and the kernel does not show: bmi2 movbe" "what the kernel hides"
has "$(rules)" "-mno-movbe" "is turned off"

# A build on another machine: the file's, and this one is told what it lacks.
driver Nehalem >words
make_cpuinfo "$(minus "$(found)" "$base")" >cpuinfo
run with_cpuinfo cpuinfo "$KILN" native --check=./lock.policy
status_is 1 "another machine"
has "$out" "lacking	abm" "is told what it lacks"

# N4: two core types, each with a driver of its own mind.
if [ "$(nproc)" -lt 2 ] || ! taskset -c 0 true || ! taskset -c 1 true; then
	skip "two core types" "needs CPUs 0 and 1"
	done_testing
fi
cat >cc <<END
#!/bin/sh
case \$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status) in
0) model=Haswell-noTSX ;;
1) model=Skylake-Client ;;
*) model=Nehalem ;;	# not pinned: wrong
esac
case "\$*" in
*-###*) exec qemu-x86_64 -cpu \$model $gcc "\$@" ;;
esac
sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status >>others
exec gcc "\$@"
END
chmod +x cc
driver Haswell-noTSX >words
little=$(minus "$(found)" "$base")
driver Skylake-Client >words
big=$(minus "$(found)" "$base")
make_cpuinfo "$little" "$big" >cpuinfo
run with_cpuinfo cpuinfo "$KILN" native --cc=./cc
status_is 0 "two core types"
printf '%s\n' "$out" >lock.policy
has "$out" "# 2 core types" "are told"
is "$(tail -n 1 others)" "$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)" \
	"afterwards the compiler may run anywhere"
has "$(rules)" "-mtune=generic" "no tuning for one of them"
lacks "$out" "march=nehalem" "the driver ran on one of each"
# shellcheck disable=SC2046
is "$(minus "$(enabled gcc $(flags ./lock.policy))" "$base
hle
$little")" "" "nothing that the one lacks"
# shellcheck disable=SC2046
is "$(minus "$(enabled gcc $(flags ./lock.policy))" "$base
hle
$big")" "" "nothing that the other lacks"
lacks "$(rules)" "adx" "not what one of them has"
# shellcheck disable=SC2046
has "$(enabled gcc $(flags ./lock.policy))" "movbe" "what both have"
for cpu in 0 1; do
	run with_cpuinfo cpuinfo taskset -c $cpu "$KILN" native --cc=./cc
	if [ "$status" = 0 ]; then
		is "$out" "$(cat lock.policy)" "the same from CPU $cpu"
	else
		like "$err" "cannot be run on CPU" "or refused from CPU $cpu"
	fi
done

done_testing
