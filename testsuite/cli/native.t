#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=native.sh
. "$top/testsuite/cli/native.sh"

# kiln native with the gcc of this machine, an x86_64.

case $(gcc -dumpmachine 2>/dev/null) in
x86_64-*) ;;
*) skip_all "gcc is not for x86_64" ;;
esac
kernel="-mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx"
base=$(enabled gcc -march=x86-64)

# What no lock may do: bring a vector unit back after the kernel's own flags, or use
# what is not in LIST.
sane() {	# LOCK LIST NAME
	run "$KILN" check "$1"
	status_is 0 "$3: it is a policy"
	run "$KILN" explain --arch=x86_64 "$1" fs/open.c
	status_is 0 "$3: and can be explained"
	# shellcheck disable=SC2046,SC2086
	is "$(enabled gcc $kernel $(flags "$1") | grep -xE 'sse|sse2|mmx|3dnow|avx')" "" \
		"$3: no vectors after the kernel's flags"
	# shellcheck disable=SC2046
	is "$(minus "$(enabled gcc $(flags "$1"))" "$base
$2")" "" "$3: only what there is"
}

# ---- this machine: the driver's answer, taken apart by the shell

if [ "$(uname -m)" != x86_64 ]; then
	skip "this machine" "it is no x86_64"
else
	gcc -march=native -mtune=native '-###' -S -xc /dev/null 2>&1 | grep '/cc1' |
		tr ' ' '\n' | tr -d '"' >words
	# shellcheck disable=SC2046
	native=$(enabled gcc -march=native $(grep '^-m' words | grep -v =))
	# shellcheck disable=SC2046
	shown=$(minus "$native" "$base" | kernel_words)
	hidden=$(for word in $shown; do
		sed -n '/^flags/{p;q}' /proc/cpuinfo | tr -d '_.' | grep -qw "$(echo "$word" | tr -d _)" ||
			echo "$word"
	done | grep -vxE 'mwait|crc32|sse4')
	run "$KILN" native
	status_is 0 "this machine"
	printf '%s\n' "$out" >here.policy
	is "$err" "" "this machine: no complaint"
	sane ./here.policy "$native" "this machine"
	out=$(cat here.policy)
	is "$(rules | grep -E '^-m(arch|tune)=' | sort)" "$(grep -E '^-m(arch|tune)=' words | sort)" \
		"this machine: the driver's names"
	is "$(rules | sed -n 's/^--param=//p')" "$(sed -n '/^--param$/{n;p;}' words)" \
		"this machine: the driver's caches"
	if [ -n "$hidden" ]; then
		skip "this machine: all that the driver found" "the kernel hides $hidden"
	else
		# The lock may leave out vectors and what is denied, and nothing else.
		# shellcheck disable=SC2046,SC2086
		is "$(minus "$(enabled gcc -march=native $(grep '^-m' words | grep -v =) $kernel -mno-amx-tile)" \
			"$(enabled gcc $(flags ./here.policy) $kernel)" |
			grep -vxE 'aes|pclmul|sha|gfni|vaes|vpclmulqdq')" "" "this machine: all that the driver found"
	fi
	run "$KILN" native
	is "$out" "$(cat here.policy)" "the same again"
	run env SOURCE_DATE_EPOCH=1 TZ=Asia/Tokyo LANG=de_DE.UTF-8 "$KILN" native
	is "$out" "$(cat here.policy)" "and at another time and place"
	lacks "$(cat here.policy)" "$(uname -n)" "no host's name"
	for cpu in 0 1; do
		if taskset -c $cpu true 2>/dev/null; then
			run taskset -c $cpu "$KILN" native
			is "$out" "$(cat here.policy)" "the same on CPU $cpu"
		else
			skip "the same on CPU $cpu" "no taskset, or no such CPU"
		fi
	done
	run "$KILN" native --check=./here.policy
	status_is 0 "the machine has what it was resolved to"
	is "$out" "./here.policy: this machine has what it uses" "and is told so"
fi

# ---- recorded machines

recorded() {	# NAME MARCH MTUNE
	run "$KILN" native --cpuinfo="$cpuinfo/$1"
	status_is 0 "$1"
	printf '%s\n' "$out" >"$1.policy"
	is "$(rules | grep -E '^-m(arch|tune)=' | tr '\n' ' ')" "-march=$2 -mtune=$3 " "$1: the names"
	sane "./$1.policy" "$(sed -n '/^flags/{s/.*: //;p;q;}' "$cpuinfo/$1" | tr ' ' '\n' |
		sed 's/^pni$/sse3/; s/^bmi1$/bmi/; s/^abm$/abm lzcnt/; s/^pclmulqdq$/pclmul/
			s/^3dnowprefetch$/prfchw/; s/^rdrand$/rdrnd/; s/^lahf_lm$/sahf/; s/^sha_ni$/sha/
			s/^sse4_1$/sse4.1/; s/^sse4_2$/sse4.2 sse4 crc32/; s/_//g' | tr ' ' '\n'
		echo mwait; echo hle)" "$1"
	run "$KILN" native --check="./$1.policy" --cpuinfo="$cpuinfo/$1"
	status_is 0 "$1: has what it was resolved to"
}
recorded skylake-client broadwell broadwell
is "$(flags ./skylake-client.policy)" "-march=broadwell -mabm -mclflushopt -mxsavec \
-mxsaves -mno-avx -mtune=broadwell" "all of its flags"
recorded haswell-pentium westmere westmere
unlike "$(flags ./haswell-pentium.policy)" "bmi|avx|aes|sse|mmx" "a Haswell without BMI and AVX"
recorded zen3 znver3 znver3
is "$(flags ./zen3.policy)" "-march=znver3 -mno-avx -mno-sse4a -mtune=znver3" "a Zen 3 as it should be"
has "$(cat zen3.policy)" "# CPU: AuthenticAMD, family 25, model 33, stepping 0: AMD Ryzen 9 5950X" \
	"the CPU is told"
like "$(cat zen3.policy)" "^# Denied, -mno-sse4a: SSE4A: not in the instruction tables" \
	"what is denied, and why"
recorded kaveri bdver3 bdver3
for feature in avx sse4a tbm lwp; do
	has "$(cat kaveri.policy)" "-mno-$feature	# denied" "$feature is denied"
done
like "$(cat kaveri.policy)" "^# Denied, -mno-tbm: TBM: works on ordinary registers" "TBM: why"
recorded sapphirerapids-vm broadwell broadwell
unlike "$(flags ./sapphirerapids-vm.policy)" "-m(gfni|vaes|vpclmulqdq|aes|pclmul|sha|avx)" \
	"vector features are not turned on, whatever GCC says of them"

# GCC warns of -mtune=x86-64, in each unit, and a kernel may make that an error.
make_cpuinfo "sse2" >oldest
for option in --cpu=x86-64 --cpuinfo=oldest; do
	run "$KILN" native "$option"
	is "$(rules | tr '\n' ' ')" "-march=x86-64 -mtune=generic " "$option: the oldest of all"
done

run "$KILN" native --cpu=pentium3
status_is 2 "a CPU of another word size"
is "$err" "kiln: error: 'gcc' lists 'pentium3', but not as a CPU that it can compile for: of another \
word size, or a name for tuning alone" "is not told to be itself"

# A lock of one that does not tell what it enables would deny nothing.
printf '%s\n' '#!/bin/sh' 'case $1 in --version | -dumpmachine) exec gcc "$1" ;; esac' >silent
chmod +x silent
run "$KILN" native --cc=./silent --cpu=haswell
status_is 2 "a compiler that says nothing"
is "$err" "kiln: error: './silent -Q --help=target' does not tell what is enabled" "message"

# -mabm is -mpopcnt too
make_cpuinfo "abm" >abm
run "$KILN" native --cpuinfo=abm
has "$(rules)" "-mno-popcnt" "what comes with a feature, and the CPU lacks"
printf '%s\n' "$out" >abm.policy
run "$KILN" native --check=./abm.policy --cpuinfo=abm
status_is 0 "the machine has what is left"

# N4: two core types
recorded hybrid goldmont generic
has "$(cat hybrid.policy)" "# 2 core types" "hybrid: the types are counted"
unlike "$(flags ./hybrid.policy)" "bmi2|serialize|waitpkg" "hybrid: what one type lacks is not used"
run "$KILN" native --cpuinfo="$cpuinfo/hybrid-reversed"
is "$out" "$(cat hybrid.policy)" "hybrid: the order of the CPUs is of no account"

# ---- which name is the best one, by a compiler with few of them

cat >few <<'END'
#!/bin/sh
[ "$LC_ALL" = C ] || exit 1	# its output is to be read
case "$*" in
--version) echo "cc 1" ;;
-dumpmachine) echo x86_64-linux-gnu ;;
--completion*) while read -r name _; do echo "-march=$name"; done <names ;;
*--help=target*)
	features="sse sse2 mmx"
	for word; do
		case $word in
		-march=*) features="$features $(sed -n "s/^${word#-march=} //p" names)" ;;
		-mno-*) features=$(echo " $features " | sed "s/ ${word#-mno-} / /g") ;;
		-mtune=*) ;;
		-mavx*) features="$features sse ${word#-m}" ;;
		-m*) features="$features ${word#-m}" ;;
		esac
	done
	echo "$features" | tr -s ' ' '\n' | sort -u | sed '/./s/.*/  -m&\t\t[enabled]/'
	;;
*-mtune=level*) exit 1 ;;
esac
END
chmod +x few
best() {	# WANTED WHY, and on stdin the names with their features
	{ echo "x86-64"; cat; } >names
	run env LC_ALL=de_DE.UTF-8 "$KILN" native --cc=./few --cpuinfo=flags
	is "$(rules | head -n 1)" "-march=$1" "$2"
}
printf 'processor : 0\nflags : fxa fxb fxc fxd tbm avx avx2\n' >flags
best more "more features" <<'END'
less fxa
more fxa fxb
END
best safe "nothing that it lacks" <<'END'
more fxa fxb fxz
safe fxa
END
best ordinary "what a kernel can use before vectors" <<'END'
vector fxa avx avx2
ordinary fxa fxb
END
best usable "what is denied does not count" <<'END'
denied fxa tbm avx
usable fxa fxb
END
is "$(rules | tr '\n' ' ')" "-march=usable -mno-tbm -mtune=usable " "nor is it turned on"
best vector "but vectors before nothing" <<'END'
none fxa
vector fxa avx
END
best older "what the kernel never shows is no reason" <<'END'
older fxa
newer fxa cmpccxadd
END
best level2 "of equals the level" <<'END'
level1 fxa
cpu1 fxa fxb
level2 fxa fxb
cpu2 fxa fxb
END
best cpu1 "of equal CPUs the first" <<'END'
cpu1 fxa fxb
cpu2 fxa fxb
END
best x86-64 "nothing fits" <<'END'
cpu1 fxz
END

# ---- by name

named() {	# NAME FLAGS
	run "$KILN" native --cpu="$1"
	status_is 0 "--cpu=$1"
	is "$(rules | tr '\n' ' ')" "$2 " "--cpu=$1: flags"
	printf '%s\n' "$out" >named.policy
	sane ./named.policy "$(enabled gcc -march="$1")" "--cpu=$1"
}
named x86-64-v3 "-march=x86-64-v3 -mno-avx -mtune=generic"
named nehalem "-march=nehalem -mtune=nehalem"
named bdver3 "-march=bdver3 -mno-avx -mno-sse4a -mno-tbm -mno-lwp -mtune=bdver3"
named bdver1 "-march=bdver1 -mno-avx -mno-sse4a -mno-lwp -mtune=bdver1"

run "$KILN" native --cpu=skylkae
status_is 2 "a misspelt name"
is "$err" "kiln: error: 'gcc' knows no CPU 'skylkae'; did you mean 'skylake'?" "message"
run "$KILN" native --cpu=native
status_is 2 "--cpu=native"
run "$KILN" native --cpu=graviton3
status_is 2 "a policy of another architecture"
is "$err" "kiln: error: 'gcc' knows no CPU 'graviton3', and no built-in policy names it for x86_64; \
'gcc --help=target' lists what there is" "message"

run "$KILN" native --cpu=skylake --cpuinfo="$cpuinfo/skylake-client"
status_is 2 "a name that promises too much"
is "$err" "kiln: error: 'skylake' promises what the machine of '$cpuinfo/skylake-client' lacks: \
sgx; it has all of 'broadwell', and --drop=sgx takes them out" "message"
run "$KILN" native --cpu=skylake --cpuinfo="$cpuinfo/skylake-client" --drop=sgx
status_is 0 "without what it lacks"
is "$(rules | tr '\n' ' ')" "-march=skylake -mno-avx -mno-sgx -mtune=skylake " \
	"without what it lacks: flags"
run "$KILN" native --cpu=znver3 --cpuinfo="$cpuinfo/zen3"
status_is 0 "a name that is right"

# ---- axis and drop

run "$KILN" native --cpu=znver3 --axis=march
is "$(rules | tr '\n' ' ')" "-march=znver3 -mno-avx -mno-sse4a " "--axis=march"
run "$KILN" native --cpu=znver3 --axis=mtune
is "$(rules | tr '\n' ' ')" "-mtune=znver3 " "--axis=mtune"
run "$KILN" native --cpu=znver3 --axis=both
is "$(rules | tail -n 1)" "-mtune=znver3" "--axis=both"
run "$KILN" native --axis=mtun
status_is 2 "an axis that there is not"
is "$err" "kiln: error: unknown axis 'mtun'; did you mean 'mtune'?" "message"

for drop in bmi2 -mbmi2; do
	run "$KILN" native --cpu=znver3 --drop=$drop
	is "$(rules | tr '\n' ' ')" "-march=znver3 -mno-avx -mno-sse4a -mno-bmi2 -mtune=znver3 " \
		"--drop=$drop"
	has "$out" "# Dropped: bmi2" "and says so"
done
run "$KILN" native --cpu=znver3 --drop=-mtune,bmi,adx
is "$(rules | tr '\n' ' ')" "-march=znver3 -mno-avx -mno-sse4a -mno-adx -mno-bmi " "several"
has "$out" "# Dropped: -mtune=znver3" "a whole setting"
run "$KILN" native --cpu=znver3 --drop=bmi3
status_is 2 "dropping what there is not"
is "$err" "kiln: error: 'bmi3' cannot be dropped: it is not among the CPU's features; did you mean \
'bmi'?" "message"
run "$KILN" native --cpu=znver3 --drop=--param
is "$err" "kiln: error: '--param' cannot be dropped: nothing sets it" "a setting that there is not"

# ---- check

run "$KILN" native --check=./zen3.policy --cpuinfo="$cpuinfo/skylake-client"
status_is 1 "a machine that lacks something"
is "$out" "lacking	clwb
lacking	clzero
lacking	mwaitx
lacking	pku
lacking	rdpid
lacking	sha
lacking	vaes
lacking	vpclmulqdq
lacking	wbnoinvd
./zen3.policy: this machine lacks 9 of what it uses" "is told what"
run "$KILN" native --check=rfc
status_is 2 "a policy that names no CPU"
is "$err" "kiln: error: 'rfc' names no CPU of x86_64" "message"
run "$KILN" native --check=native
status_is 2 "a policy that was not resolved"
is "$err" "kiln: error: 'native' has '-march=native', which is whatever machine compiles; \
'kiln native -o FILE' resolves it" "message"
run "$KILN" native --check=rfc -o x.policy
status_is 2 "--check and -o"
printf 'all -mno-red-zone\non x86_64 -march=nehalem -mtune=znver3 -mfentry\n' >mixed.policy
run "$KILN" native --check=./mixed.policy --cpuinfo="$cpuinfo/skylake-client"
status_is 0 "flags that are no features, tuning"

# ---- the file

run "$KILN" native --cpu=znver3 -o lock.policy
status_is 0 "-o FILE"
is "$out$err" "" "is silent"
is "$(flags ./lock.policy)" "$(flags ./zen3.policy)" "and written"
is "$(stat -c %a lock.policy)" "$(umask 022; : >other; stat -c %a other)" "with the usual mode"
cp lock.policy before
run "$KILN" native --cpu=nehalem -o lock.policy
status_is 2 "a file that is there"
is "$err" "kiln: error: 'lock.policy' is there already, and a CPU is resolved once; --force \
replaces it" "message"
ok cmp -s lock.policy before "it is as before"
run "$KILN" native --cpu=nehalem --output=lock.policy --force
status_is 0 "--force"
is "$(flags ./lock.policy)" "-march=nehalem -mtune=nehalem" "replaces it"
# shellcheck disable=SC2016
printf '#!/bin/sh\necho other >race.policy\nexec gcc "$@"\n' >racer
chmod +x racer
run "$KILN" native --cc=./racer --cpu=nehalem -o race.policy
status_is 2 "a file that another one writes at the same time"
is "$err" "kiln: error: 'race.policy' cannot be written: File exists" "message"
is "$(cat race.policy*)" "other" "it is the other's, and no half file is left"
run "$KILN" native --cpu=nehalem -o none/lock.policy
status_is 2 "no such directory"
is "$err" "kiln: error: 'none/lock.policy' cannot be written: No such file or directory" "message"
ln -s lock.policy link.policy
run "$KILN" native --cpu=haswell --force -o link.policy
has "$(cat lock.policy)" "-march=haswell" "--force: the file that a link stands for is replaced"
if [ -L link.policy ]; then link=there; else link=gone; fi
is "$link" there "--force: and not the link"
run "$KILN" native --cpu=nehalem --force -o /dev/null
status_is 2 "a device"
is "$err" "kiln: error: '/dev/null' is no regular file; without -o the lock goes to stdout" "message"
ok test -c /dev/null "it is still one"
run "$KILN" native --cpu=nehalem -o -
is "$(rules | tr '\n' ' ')" "-march=nehalem -mtune=nehalem " "-o -"
run "$KILN" native -o
status_is 2 "-o without a value"
is "$err" "kiln: error: option '--output' needs a value: --output=FILE" "message"
if [ -c /dev/full ]; then
	run sh -c "\"$KILN\" native --cpu=nehalem >/dev/full"
	status_is 2 "a full disk: stdout"
fi
mkdir small
if [ "$(id -u)" = 0 ] && unshare -m sh -c 'mount -t tmpfs -o size=4k none small' 2>/dev/null; then
	# shellcheck disable=SC2016
	run unshare -m sh -c 'mount -t tmpfs -o size=4k none small && head -c 4096 /dev/zero >small/zeros
		"$0" native --cpu=nehalem -o small/lock.policy
		status=$?
		ls small
		exit $status' "$KILN"
	status_is 2 "a full disk"
	is "$err" "kiln: error: 'small/lock.policy' cannot be written: No space left on device" "message"
	is "$out" "zeros" "no half file is left"
else
	skip "a full disk" "needs root and mount"
fi

# ---- Rust, the kernel's options

if command -v rustc >/dev/null; then
	run "$KILN" flags --arch=x86_64 --rust --quiet ./zen3.policy
	want=$out
	run "$KILN" native --cpu=znver3 --rust
	status_is 0 "--rust"
	is "$(printf '%s\n' "$out" | sed -n 's/^# KRUSTFLAGS: //p')" "$want" "the lock's flags for Rust"
else
	skip "--rust" "no rustc"
fi
run "$KILN" native --cpu=znver3 --kconfig=none
status_is 2 "no such kernel"
run "$KILN" native --cpu=znver3 --kconfig=none -o x.policy
is "$err" "kiln: error: --kconfig=TREE prints kernel options and writes no policy" "--kconfig and -o"

# ---- compilers

run "$KILN" native --cpuinfo=/dev/null
status_is 2 "an empty cpuinfo"
run "$KILN" native --cpuinfo="$cpuinfo/graviton2"
is "$err" "kiln: error: '$cpuinfo/graviton2' has no line 'flags' of a CPU of x86" \
	"a cpuinfo of another architecture"
run "$KILN" native --cc=' '
is "$err" "kiln: error: --cc needs the name of a compiler" "an empty --cc"
run "$KILN" native --cc=./none
is "$err" "kiln: error: './none' cannot be run: No such file or directory" "no such compiler"
# shellcheck disable=SC2016
printf '#!/bin/sh\ncase $1 in -dumpmachine) echo riscv64-linux-gnu;; *) echo cc;; esac\n' >riscv
chmod +x riscv
run "$KILN" native --cc=./riscv
is "$err" "kiln: error: './riscv' compiles for riscv64, whose CPUs are not known here" \
	"an architecture that is not known"

# N2: a cross compiler
# shellcheck disable=SC2016
printf '#!/bin/sh\ncase $1 in -dumpmachine) echo aarch64-linux-gnu;; *) echo cc;; esac\n' >cross
chmod +x cross
if [ "$(uname -m)" = x86_64 ]; then
	run "$KILN" native --cc=./cross
	status_is 2 "a cross compiler"
	is "$err" "kiln: error: './cross' compiles for aarch64 and this machine is x86_64, so that what \
it has says nothing; name the CPU with --cpu=NAME, or give the /proc/cpuinfo of one with \
--cpuinfo=FILE" "message"
	run "$KILN" native --cc=./cross --check=graviton3
	status_is 2 "a cross compiler: --check"
else
	skip "a cross compiler" "not on x86_64"
fi

done_testing
