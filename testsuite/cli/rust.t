#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

# `kiln flags --rust`: with a rustc that replays what rustc 1.95 printed of some
# CPUs and features, then with a real one.

unset RUSTC RUSTC_BOOTSTRAP

mkdir fake
cat >fake/rustc <<'END'
#!/bin/sh
echo "$*" >>log
for word; do
	case $word in
	--target=x86_64-*) arch=x86 ;;
	--target=aarch64-*) arch=arm ;;
	-Ctarget-cpu=*) cpu=${word#*=} ;;
	--print=cfg) what=cfg ;;
	--print=target-*) what=lists ;;
	esac
done
dir=$(dirname "$0")
[ "$what" = lists ] && exec cat "$dir/$arch-lists"
echo "bootstrap $RUSTC_BOOTSTRAP" >>log
echo 'debug_assertions'
sed -n "s/^$cpu: //p" "$dir/cpus" | tr ' ' '\n' | sed 's/.*/target_feature="&"/'
echo 'target_arch="x"'
END
chmod +x fake/rustc

lists() {	# CPUS FEATURES OTHERS
	echo 'Available CPUs for this target:'
	echo '    native                  - Select the CPU of the current host (currently emeraldrapids).'
	for cpu in $1; do printf '    %s\n' "$cpu"; done
	echo
	echo 'Features supported by rustc for this target:'
	for feature in $2; do printf '    %-30s - Support it, and not aes.\n' "$feature"; done
	echo
	echo 'Code-generation features supported by LLVM for this target:'
	for feature in $3; do printf '    %-30s - Support it.\n' "$feature"; done
}

lists 'bdver3 diamondrapids generic x86-64 x86-64-v3 znver3' \
	'aes amx-tile amx-int8 apxf avx avx10.1 avx2 avx512f bmi1 bmi2 cmpxchg16b f16c fma lahfsahf lzcnt
	pclmulqdq popcnt rdrand sse sse2 sse4a tbm xop' 'fma4 lwp pku egpr' >fake/x86-lists
lists 'c1-ultra cortex-a55 cortex-a72 neoverse-n1 neoverse-v1' \
	'aes crc fhm flagm fp16 lse mops mte neon paca pacg rand rcpc rcpc2 rdm sha2 ssbs sve' \
	'ls64 predres' >fake/arm-lists
cat >fake/cpus <<'END'
bdver3: aes avx bmi1 cmpxchg16b f16c fma lahfsahf lzcnt pclmulqdq popcnt sse sse2 sse4a tbm xop
c1-ultra: crc lse mops rand
diamondrapids: amx-int8 amx-tile avx avx10.1 avx2 avx512f bmi1 bmi2
znver3: aes avx avx2 bmi1 bmi2 cmpxchg16b fma sse sse2 sse4a
END
PATH=$tap_dir/fake:$PATH

rust() {	# ARCH LINE...: the flags of a policy of these lines
	arch=$1
	shift
	printf '%s\n' "$@" >p.policy
	: >log
	run "$KILN" flags --rust --arch="$arch" ./p.policy
}

# ---- CPUs

rust x86_64 'all -march=znver3 -mtune=znver3'
status_is 0 "a CPU"
is "$out" "-Ctarget-cpu=znver3 -Ztune-cpu=znver3" "a CPU: its name, and for tuning"
is "$err" "" "and nothing to tell"
is "$(cat log)" "--target=x86_64-unknown-none --print=target-cpus --print=target-features
--target=x86_64-unknown-linux-gnu -Ctarget-cpu=znver3 --print=cfg
bootstrap 1" "what rustc was asked"
rust x86_64 'all -mtune=generic'
is "$out" "-Ztune-cpu=generic" "tuning alone"
is "$(wc -l <log)" 1 "then no CPU is asked about"
rust x86_64 'all -march=nano-x4 -mtune=intel -mbmi2'
status_is 0 "a CPU that rustc does not know"
is "$out" "-Ctarget-feature=+bmi2" "it is left out, features are not"
is "$err" "./p.policy:1:5: warning: '-march=nano-x4' is left out of Rust's flags: rustc does not know this CPU
./p.policy:1:20: warning: '-mtune=intel' is left out of Rust's flags: rustc does not know this CPU" \
	"and that is told"
rust x86_64 'all -march=znver'
is "$out" "" "the beginning of a CPU's name is not its name"
rust x86_64 'all -march=native -mtune=native'
is "$out" "" "native is not passed on"
has "$err" "'-march=native' is left out of Rust's flags: it would be another CPU on each machine that \
builds; 'kiln native' names this one" "and why"
rust x86_64 'all -march=x86-64-v3' 'all ?-march=znver3'
is "$out" "-Ctarget-cpu=znver3" "an optional CPU that rustc knows wins"
rust x86_64 'all -march=x86-64-v3' 'all ?-march=znver9'
is "$out$err" "-Ctarget-cpu=x86-64-v3" "one that it does not know does not, and is not told"
rust aarch64 'all -mcpu=neoverse-n1+nosve -mtune=neoverse-v1'
is "$out" "-Ctarget-cpu=neoverse-n1 -Ztune-cpu=neoverse-v1" "-mcpu="
rust aarch64 'all -mcpu=zeus'
is "$out" "-Ctarget-cpu=neoverse-v1" "a CPU with another name"
rust aarch64 'all -mcpu=cortex-a72.cortex-a55'
is "$out" "-Ctarget-cpu=cortex-a55" "big and little: what both can do"

# ---- features

rust x86_64 'all -mbmi -mno-avx2 -mabm -mlzcnt -mcx16 -mrdrnd -msahf'
is "$out" "-Ctarget-feature=+bmi1,+lzcnt,+popcnt,+cmpxchg16b,+rdrand,+lahfsahf" "other names"
is "$err" "" "all of them known; without a CPU there is nothing to deny"
rust x86_64 'all -march=znver3 -mbmi -mlzcnt'
is "$out" "-Ctarget-cpu=znver3 -Ctarget-feature=+lzcnt" "what the CPU has by its name is not repeated"
rust x86_64 'all -mbmi2' 'all -mno-bmi2' 'all -mno-bmi' 'all -mbmi'
is "$out" "-Ctarget-feature=+bmi1" "the last one wins"
rust x86_64 'all -mavx2 -maes -mpclmul -msse'
is "$out" "" "no vector feature is turned on"
is "$(echo "$err" | grep -c "a kernel's Rust code has no vector registers")" 4 "each is told"
rust x86_64 'all -mnew -mno-newer ?-mnewest -mprefer-vector-width=256'
is "$out" "" "unknown features"
is "$err" "./p.policy:1:32: warning: '-mprefer-vector-width=256' is left out of Rust's flags: rustc has \
nothing like it
./p.policy:1:5: warning: '-mnew' is left out of Rust's flags: rustc knows no such feature
./p.policy:1:11: warning: '-mno-newer' is left out of Rust's flags: rustc knows no such feature" \
	"are told, but not those that may be unknown"
rust x86_64 'all -mpku -mfsgsbase -mrtm -mno-lwp -mno-fma4'
is "$out$err" "" "what no compiler uses by itself needs no flag, though LLVM knows it"

rust x86_64 'all -march=znver3' 'include deny'
is "$out" "-Ctarget-cpu=znver3 -Ctarget-feature=-avx,-sse4a" "what is denied and the CPU has"
is "$err" "" "the rest is not there"
rust x86_64 'all -march=bdver3' 'include deny'
is "$out" "-Ctarget-cpu=bdver3 -Ctarget-feature=-avx,-sse4a,-tbm" "TBM; XOP goes with AVX"
rust x86_64 'all -march=bdver3' 'all -mno-xop'
is "$out" "-Ctarget-cpu=bdver3 -Ctarget-feature=-xop" "XOP alone"
rust x86_64 'all -march=diamondrapids' 'include deny'
is "$out" "-Ctarget-cpu=diamondrapids -Ctarget-feature=-avx,-amx-tile,-apxf" \
	"AMX; and APX, of which rustc does not tell"
rust aarch64 'on arm64 -mcpu=c1-ultra' 'include deny'
is "$out" "-Ctarget-cpu=c1-ultra -Ctarget-feature=-mops" "MOPS"
rust aarch64 'all -mcpu=neoverse-n1+rng+nocrc+fp16' 'all +memtag ?+nomops'
is "$out" "-Ctarget-cpu=neoverse-n1 -Ctarget-feature=+rand,+mte" "extensions"
is "$err" "" "a vector extension is of no use in C either, and not told"
rust aarch64 'all -march=armv8.2-a+rng'
is "$out" "-Ctarget-feature=+crc,+lse,+rand" "an architecture: its features"
rust aarch64 'all -march=armv9-a+nolse -mcpu=neoverse-n1+memtag'
is "$out" "-Ctarget-feature=+crc,+paca,+pacg,+rcpc,+flagm,+rcpc2,+ssbs -Ztune-cpu=neoverse-n1" \
	"with one, -mcpu= is for tuning"
is "$err" "" "what rustc does not know of it is not told"
rust aarch64 'all -march=armv8-a'
is "$out$err" "" "the least has none"
rust aarch64 'all -march=armv12-a -mcpu=neoverse-n1'
is "$out" "-Ztune-cpu=neoverse-n1" "an unknown architecture"
has "$err" "'-march=armv12-a' is left out of Rust's flags: kiln does not know what it has" "is told"

# ---- what is lost

printf '%s\n' 'all --param=max-inline-insns-auto=3 ?-fgcse -march=znver3' 'file a.c -mtune=generic' \
	'all keep' >p.policy
run "$KILN" flags --rust --arch=x86_64 ./p.policy
is "$out" "-Ctarget-cpu=znver3" "flags of other kinds"
is "$err" "./p.policy:1:5: note: '--param=max-inline-insns-auto=3' is lost: rustc has no counterpart
./p.policy:1:37: note: '-fgcse' is lost: rustc has no counterpart
./p.policy:2:1: note: 'file a.c' is lost: plain flags reach every function of every unit alike
./p.policy:3:5: note: 'keep' is lost: no flag keeps functions whole" "are told, line by line"
run "$KILN" flags --rust --quiet --arch=x86_64 ./p.policy
is "$out$err" "-Ctarget-cpu=znver3" "--quiet"
: >log
run "$KILN" flags --rust --quiet --arch=x86_64 rfc
is "$out$err$(cat log)" "" "without CPU flags: an empty line, and rustc is not asked"
run "$KILN" flags --rust --quiet --arch=i386 graviton2
status_is 2 "an architecture without Rust"
is "$err" "kiln: error: Rust's flags are known for x86_64 and aarch64 alone" "and why"

# ---- which rustc

printf 'all -march=znver3\n' >p.policy
cp fake/rustc fake/other
mkdir empty
ask() {	# VARIABLE=VALUE... OPTION...: with no rustc in PATH
	run env PATH="$tap_dir/empty:/usr/bin:/bin" "$@" --arch=x86_64 ./p.policy
}
ask RUSTC="$tap_dir/fake/rustc" "$KILN" flags --rust
is "$out" "-Ctarget-cpu=znver3" "RUSTC names it"
ask RUSTC=/none "$KILN" flags --rust --rustc="env $tap_dir/fake/other"
is "$out" "-Ctarget-cpu=znver3" "--rustc wins, and may be several words"
ask "$KILN" flags --rust --rustc=./none
status_is 2 "one that is not there"
is "$err" "kiln: error: './none' cannot be run: No such file or directory
kiln: note: rustc tells which CPUs and features it knows; install it, or name it with --rustc=RUSTC or RUSTC" \
	"and what to do"
is "$out" "" "no flags"
ask "$KILN" flags --rust --rustc=false
is "$err" "kiln: error: 'false' failed with exit status 1" "one that fails"
ask "$KILN" flags --rust --rustc=echo
is "$err" "kiln: error: 'echo' does not list CPUs and features as rustc does" "one that is none"
run "$KILN" flags --rustc=rustc default
is "$err" "kiln: error: --rustc is of use only with --rust" "--rustc without --rust"

# ---- its tables

for arch in x86 aarch64; do
	sed -n '/^static const struct rust_feature/,/^};/s/^	{"\([^"]*\)", .*/\1/p' \
		"$top/kbuild/cli/rust-$arch.c" >names
	ok test "$(wc -l <names)" -ge 40 "$arch: the features are found"
	is "$(cat names)" "$(sort -u names)" "$arch: they are sorted"
	grep -o '{"[^"]*", [^ ]*, "[^"]*", ' "$top/kbuild/cli/rust-$arch.c" |
		sed 's/.*, "\(.*\)", /\1/' | sort -u >wholes
	ok test -s wholes "$arch: some are parts of others"
	is "$(grep -vx -F -f names wholes)" "" "$arch: which are there"
done

# ---- the real one: no CPU brings in what the kernel has not

PATH=${PATH#*:}:$HOME/.cargo/bin
if ! rustc --version >/dev/null 2>&1; then
	skip "a real rustc" "none that runs"
	done_testing
fi
RUSTC_BOOTSTRAP=1
export RUSTC_BOOTSTRAP
# arch/x86/Makefile of 6.12; arm64 has it in the target.
kernel_x86=-Ctarget-feature=-sse,-sse2,-sse3,-ssse3,-sse4.1,-sse4.2,-avx,-avx2

# Without those that have no 64 bits, and other names of the same.
cpus() {	# TARGET
	rustc --target="$1" --print=target-cpus | sed -n 's/^    \([^ ]*\).*/\1/p' |
		grep -vE '_|^(native|lakemont|i.86|pentium|athlon|c3|geode|k6|winchip|yonah|prescott)'
}

# shellcheck disable=SC2086
every_cpu() {	# TARGET ARCH FLAG KERNEL DENIED-ERE
	good=0
	: >bad
	for cpu in $(cpus "$1"); do
		printf 'all %s=%s\ninclude deny\n' "$3" "$cpu" >cpu.policy
		flags=$("$KILN" flags --rust --arch="$2" ./cpu.policy 2>notes)
		grep -v "is lost: plain flags reach every function" notes >>bad
		rustc --target="$1" $4 $flags --print=cfg 2>stderr | sed -n 's/^target_feature=//p' >has
		if grep -qvE '^warning: (unstable feature specified|[0-9]+ warning)|^ *= note: this feature|^ *\|?$' \
			stderr || grep -qE "^\"($5)\"" has; then
			echo "$cpu: $flags" >>bad
			cat stderr has >>bad
		else
			good=$((good + 1))
		fi
	done
	diag "$good CPUs of $1"
	is "$(cat bad)" "" "$1: no CPU has what is denied"
	ok test $good -ge 30 "$1: CPUs were tried"
}

every_cpu x86_64-unknown-none x86_64 -march $kernel_x86 \
	'sse.*|ssse3|avx.*|aes|sha.*|vaes|v?pclmulqdq|gfni|fma|f16c|xop|tbm|amx.*|apxf|sm[34]|kl|widekl'
every_cpu aarch64-unknown-none-softfloat aarch64 -mcpu "" 'neon|sve|sve2.*|sme|sme2.*|fp16|fhm|mops'

# rustc's list of what a CPU has is not complete: the code tells.
cat >code.rs <<'END'
#![feature(no_core, lang_items, intrinsics, auto_traits)]
#![no_core]
#![allow(internal_features)]
#[lang = "pointee_sized"] pub trait PointeeSized {}
#[lang = "meta_sized"] pub trait MetaSized: PointeeSized {}
#[lang = "sized"] pub trait Sized: MetaSized {}
#[lang = "copy"] pub trait Copy {}
#[lang = "freeze"] pub unsafe auto trait Freeze {}
#[lang = "unpin"] pub auto trait Unpin {}
#[lang = "unsafe_unpin"] pub auto trait UnsafeUnpin {}
impl Copy for u64 {}
impl<const N: usize> Copy for [u64; N] {}
#[repr(C)] pub struct Big { a: [u64; 64] }
impl Copy for Big {}
#[rustc_intrinsic] pub const fn bswap<T: Copy>(x: T) -> T;
#[no_mangle] pub fn copy(to: &mut Big, from: &Big) { *to = *from; }
#[no_mangle] pub fn clear(to: &mut Big) { to.a = [0u64; 64]; }
#[no_mangle] pub fn swap(x: &u64) -> u64 { bswap(*x) }
extern "C" {
    fn one() -> u64;
    fn all(a: u64, b: u64, c: u64, d: u64, e: u64, f: u64);
}
#[no_mangle]
pub fn saved() {
    unsafe {
        let (a, b, c, d) = (one(), one(), one(), one());
        let (e, f, g, h) = (one(), one(), one(), one());
        all(a, b, c, d, e, f);
        all(h, g, f, e, d, c);
        all(b, a, h, g, f, e);
    }
}
END

assembly() {	# TARGET FLAG...: into code.s
	target=$1
	shift
	rm -f code.s
	run rustc --target="$target" --crate-type=lib --emit=asm -Copt-level=2 -Cpanic=abort "$@" \
		-o code.s code.rs
}

# shellcheck disable=SC2086
code() {	# TARGET ARCH FLAG CPU KERNEL DENIED-ERE
	assembly "$1" $5 -Ctarget-cpu="$4"
	if [ ! -s code.s ]; then
		skip "$4: code" "this rustc does not compile the example"
		return
	fi
	ok grep -qE "$6" code.s "$4: its name alone brings it in"
	printf 'all %s=%s\ninclude deny\n' "$3" "$4" >cpu.policy
	# shellcheck disable=SC2046
	assembly "$1" $5 $("$KILN" flags --rust --quiet --arch="$2" ./cpu.policy)
	ok test -s code.s "$4: it compiles with Kiln's flags"
	is "$(grep -E "$6" code.s)" "" "$4: and what is denied is not in it"
}

code x86_64-unknown-none x86_64 -march diamondrapids $kernel_x86 'push2p?|pop2p?|%r(1[6-9]|2[0-9]|3[01])'
code aarch64-unknown-none-softfloat aarch64 -mcpu c1-ultra "" '	(cpyf?|setg?)[pme]	'
# shellcheck disable=SC2046
assembly x86_64-unknown-none $kernel_x86 \
	$("$KILN" flags --rust --quiet --arch=x86_64 --rustc=rustc ./p.policy)
if [ -s code.s ]; then
	has "$(cat code.s)" movbe "znver3: what it may use it uses"
	is "$(grep -E 'mm[0-9]' code.s)" "" "znver3: without a vector register"
else
	skip "znver3: code" "this rustc does not compile the example"
fi

done_testing
