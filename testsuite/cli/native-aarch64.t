#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=native.sh
. "$top/testsuite/cli/native.sh"

# kiln native for aarch64. The plugin's list of cores is made up where a test needs
# to know it; what values come to, the real compiler says.

real=${CROSS_CC:-aarch64-linux-gnu-gcc}
command -v "$real" >/dev/null || skip_all "no $real"
# shellcheck disable=SC2034
arch=aarch64

cat >cores <<'END'
cpu	cortex-a53	armv8-a	0x41	0xd03	-1
cpu	cortex-a72	armv8-a	0x41	0xd08	-1
cpu	neoverse-n1	armv8.2-a	0x41	0xd0c	-1
cpu	ares	armv8.2-a	0x41	0xd0c	-1
cpu	neoverse-v1	armv8.4-a	0x41	0xd40	-1
cpu	thunderx3t110	armv8.3-a	0x43	0xb8	0xa
cpu	emag	armv8-a	0x50	0x0	0x3
cpu	xgene1	armv8-a	0x50	0x0	-1
cpu	cortex-a72.cortex-a53	armv8-a	0x41	0xd08.0xd03	-1
extension	fp
END
cat >cc <<END
#!/bin/sh
case "\$*" in
*-fplugin-arg-*-cpus*) exec cat cores ;;
*-fplugin*) exit 1 ;;
*) exec $real "\$@" ;;
esac
END
chmod +x cc
: >kiln.so

native() {	# ARGUMENT...
	run "$KILN" native --cc=./cc --plugin=kiln.so "$@"
}

arch_of() {	# FLAG...: what they come to
	"$real" -S -o - -xc /dev/null "$@" 2>/dev/null | sed -n 's/^	\.arch //p'
}

lock() {	# NAME FLAGS
	status_is 0 "$1"
	is "$(rules | tr '\n' ' ')" "$2 " "$1: flags"
	printf '%s\n' "$out" >lock.policy
	run "$KILN" check lock.policy
	status_is 0 "$1: a policy"
	# shellcheck disable=SC2046
	run "$real" $(flags ./lock.policy) -S -o /dev/null -xc /dev/null
	is "$status$err" 0 "$1: the compiler takes the flags"
	out=$(cat lock.policy)
}

recorded() {	# NAME FLAGS
	native --cpuinfo="$cpuinfo/$1"
	lock "$1" "$2"
	is "$err" "" "$1: no complaint"
	run "$KILN" native --cc=./cc --check=./lock.policy --cpuinfo="$cpuinfo/$1"
	status_is 0 "$1: has what it was resolved to"
	is "$out" "./lock.policy: this machine has what it uses" "$1: and is told so"
	out=$(cat lock.policy)
}

# N5: features decide, the part number names
recorded graviton2 "-mcpu=neoverse-n1+crypto+ssbs"
has "$out" "# CPU: implementer 0x41, part 0xd0c, variant 0x3, revision 1 (MIDR 0x413fd0c1)" "MIDR"
has "$out" "# Beyond the name: crypto ssbs" "what the name does not say"
lacks "$out" "# Denied" "nothing to deny"
recorded graviton3 "-mcpu=neoverse-v1+crypto+sha3+sm4+nosve"
like "$out" "^# Denied, \+nosve: SVE and SME: kernel_neon_begin" "SVE is denied, and why"
recorded graviton3-nossbs "-mcpu=neoverse-v1+crypto+sha3+sm4+nossbs+nosve"
has "$out" "# The name promises, and the CPU lacks: ssbs" "what the kernel took away"

all="crypto+crc+lse+fp16+rcpc+rdma+dotprod+sha3"
v9="sb+i8mm+bf16+flagm+pauth+nosve"
case $("$real" -dumpversion) in
12)
	recorded graviton4 "-march=armv8-a+$all+fp16fml+rng+$v9 -mtune=generic"
	has "$out" "# The compiler does not know this part: its features decide." \
		"a part that is not known is said to be"
	recorded unknown-part "-march=armv8-a+$all+fp16fml+rng+$v9 -mtune=generic"
	;;
*)
	skip "parts that are not known" "their extensions are those of GCC 12"
	;;
esac
unlike "$(echo "$out" | grep '^on')" "mcpu|neoverse" "never a guess by name"

# N4
recorded a72-a53 "-mcpu=cortex-a72.cortex-a53+crypto"
has "$out" "# 2 core types" "the core types are counted"
native --cpuinfo="$cpuinfo/x925-a725"
status_is 0 "a pair that is not known"
like "$(rules)" "^-march=armv8-a\+.*\+nosve$" "is resolved by its features"
has "$out" "# The compiler does not know these cores together" "and said to be unknown"
awk '/^processor/ { n++ } n == 6 { sub(/ crc32/, "") } 1' "$cpuinfo/a72-a53" >weak
native --cpuinfo=weak
is "$(rules)" "-mcpu=cortex-a72.cortex-a53+crypto+nocrc" "what one core lacks"

# Variants, implementers, and several of them
core() {	# IMPLEMENTER VARIANT PART
	printf 'processor\t: %d\nFeatures\t: fp asimd crc32\nCPU implementer\t: %s\n' "$((n += 1))" "$1"
	printf 'CPU variant\t: %s\nCPU part\t: %s\nCPU revision\t: 0\n\n' "$2" "$3"
}
core 0x50 0x3 0x000 >one
native --cpuinfo=one
like "$(rules)" "^-mcpu=emag" "a variant of its own"
core 0x50 0x1 0x000 >one
native --cpuinfo=one
like "$(rules)" "^-mcpu=xgene1" "any other variant"
core 0x43 0x1 0x0b8 >one
native --cpuinfo=one
is "$(rules | head -n 1)" "-march=armv8-a+crc" "a variant that is not in the list"
{ core 0x41 0x1 0xd08; core 0x51 0x1 0xd03; } >two
native --cpuinfo=two
is "$(rules | head -n 1)" "-march=armv8-a+crc" "cores of two makers"
{ core 0x41 0x1 0xd03; core 0x41 0x1 0xd08; core 0x41 0x1 0xd0c; } >three
native --cpuinfo=three
has "$out" "# 3 core types" "three types"
is "$(rules | head -n 1)" "-march=armv8-a+crc" "three types have no name"
cp cores all
grep -v '	cortex-a53	' all >cores
core 0x41 0x1 0xd03 >one
native --cpuinfo=one
is "$(rules | head -n 1)" "-march=armv8-a+crc" "one core of a pair is not the pair"
cp all cores
core 0x41 0x1 0xd08 >a72
for number in 1 2 3; do core 0x41 0x2 0xd08; done >>a72
native --cpuinfo=a72
like "$(rules)" "^-mcpu=cortex-a72$" "two variants of a core that any is good for"

# ---- by name

native --cpu=neoverse-v1
lock neoverse-v1 "-mcpu=neoverse-v1+nosve"
for policy in graviton2:neoverse-n1 graviton3:neoverse-v1+nosve; do
	native --cpu="${policy%%:*}"
	lock "${policy%%:*}" "-mcpu=${policy#*:}"
done
native --cpu=graviton4
status_is 0 "graviton4"
want=neoverse-n2
for name in demeter neoverse-v2; do
	if arch_of -mcpu=$name | grep -q .; then want=$name; fi
done
has "$(rules)" "-mcpu=$want+nosve" "graviton4: the last that the compiler knows"
native --cpu=neoverse-n9
status_is 2 "a core that is not known"
is "$err" "kiln: error: './cc' knows no CPU 'neoverse-n9'; did you mean 'neoverse-n1'?" "message"

native --cpu=neoverse-v1 --cpuinfo="$cpuinfo/graviton3"
status_is 0 "a name that is right"
is "$(rules)" "-mcpu=neoverse-v1+crypto+sha3+sm4+nosve" "and what the machine has beyond it"
native --cpu=neoverse-v1 --cpuinfo="$cpuinfo/graviton2"
status_is 2 "a name that promises too much"
is "$err" "kiln: error: 'neoverse-v1' promises what the machine of '$cpuinfo/graviton2' lacks: \
bf16 flagm fp16fml i8mm pauth rng sve; it is 'neoverse-n1', and \
--drop=bf16,flagm,fp16fml,i8mm,pauth,rng,sve takes them out" "message"

sed 's/ sha1 sha2//' "$cpuinfo/unknown-part" | sed 's/ sha3 / /; s/ sha512//' >aes
native --cpuinfo=aes
unlike "$(echo "$out" | grep '^# It has')" "crypto|sha2" "AES alone is not told to be crypto"
printf '%s\n' "$out" >aes.policy
run "$KILN" native --cc=./cc --check=./aes.policy --cpuinfo=aes
status_is 0 "nor is SHA2 missed"

# ---- axis, drop, check

native --cpu=neoverse-v1 --axis=march
is "$(rules)" "-march=$(arch_of -mcpu=neoverse-v1+nosve)" "--axis=march"
lacks "$(rules)" "sve" "--axis=march: without what is denied"
native --cpu=neoverse-v1 --axis=mtune
is "$(rules)" "-mtune=neoverse-v1" "--axis=mtune"
for drop in lse +lse; do
	native --cpu=neoverse-n1 --drop=$drop
	is "$(rules)" "-mcpu=neoverse-n1+nolse" "--drop=$drop"
	has "$out" "# Dropped: lse" "and says so"
done
for drop in aes sha2; do
	native --cpu=neoverse-n1+crypto --drop=$drop
	feature=$(echo $drop | tr a-z A-Z)
	# shellcheck disable=SC2046
	run "$real" $(rules) -dM -E -xc /dev/null
	unlike "$out" "__ARM_FEATURE_($feature|CRYPTO) " "--drop=$drop: crypto does not bring it back"
	like "$out" "__ARM_FEATURE_(AES|SHA2) " "--drop=$drop: and the other one stays"
done
native --cpu=neoverse-n1 --drop=lsf
is "$err" "kiln: error: 'lsf' cannot be dropped: it is not among the CPU's features; did you mean \
'lse'?" "dropping what there is not"

run "$KILN" native --cc=./cc --check=graviton3 --cpuinfo="$cpuinfo/graviton2"
status_is 1 "a machine that lacks something"
is "$out" "lacking	bf16
lacking	flagm
lacking	fp16fml
lacking	i8mm
lacking	pauth
lacking	rng
graviton3: this machine lacks 6 of what it uses" "is told what"
run "$KILN" native --cc=./cc --check=graviton3 --cpuinfo="$cpuinfo/graviton3"
status_is 0 "the machine that it is for"

# ---- the real plugin's list

plugin=$top/build/$("$real" -dumpmachine)-$("$real" -dumpversion)/kiln.so
if [ ! -r "$plugin" ]; then
	skip "the real plugin" "it is not built"
	done_testing
fi
for pair in graviton2:'neoverse-n1|ares' graviton3:'neoverse-v1|zeus' a72-a53:'cortex-a72\.cortex-a53'; do
	run "$KILN" native --cc="$real" --plugin="$plugin" --cpuinfo="$cpuinfo/${pair%%:*}"
	status_is 0 "the real plugin: ${pair%%:*}"
	like "$(rules)" "^-mcpu=(${pair#*:})\+" "the real plugin: ${pair%%:*}: its name"
done

done_testing
