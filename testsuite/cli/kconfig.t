#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=native.sh
. "$top/testsuite/cli/native.sh"

# `kiln native --kconfig=TREE` with small trees. testsuite/kernel/kconfig-check has
# real ones.

case $(gcc -dumpmachine 2>/dev/null) in
x86_64-*) ;;
*) skip_all "gcc is not for x86_64" ;;
esac

machine() {	# VENDOR-ID WORD...: an x86 machine
	vendor=$1
	shift
	printf 'processor\t: 0\nvendor_id\t: %s\ncpu family\t: 6\nmodel\t\t: 1\n' "$vendor"
	printf 'model name\t: made up\nstepping\t: 1\nflags\t\t: fpu lm %s\n\n' "$*"
}

kconfig() {	# TREE OPTION...
	tree=$1
	shift
	run "$KILN" native --cpuinfo=cpuinfo --kconfig="$tree" "$@"
}

# The fragment's lines, without comments of its own.
lines() {
	printf '%s\n' "$out" | grep -E '^(CONFIG_|# CONFIG_[A-Z0-9_]* is not set$)'
}

new_tree() {	# NAME: an empty tree
	mkdir -p "$1/arch/x86" "$1/arch/arm64"
	printf 'VERSION = 6\nPATCHLEVEL = 12\nSUBLEVEL = 3\n' >"$1/Makefile"
	# shellcheck disable=SC2016
	printf 'source "arch/$(SRCARCH)/Kconfig"\n' >"$1/Kconfig"
	: >"$1/arch/x86/Kconfig"
	: >"$1/arch/arm64/Kconfig"
}

# ---- reading Kconfig files

new_tree t
mkdir -p t/drivers t/lib
cat >>t/Kconfig <<'END'
# SPDX-License-Identifier: GPL-2.0
mainmenu "Linux/$(ARCH) $(KERNELVERSION)"
flags := $(shell,echo config X86_SGX)

source "arch/$(HEADER_ARCH)/um/Kconfig"
source "drivers/Kconfig" # with a comment
END
cat >t/arch/x86/Kconfig <<'END'
choice
	prompt "Processor family"
	default GENERIC_CPU
config MCORE2
	bool "Core 2/newer Xeon"
config GENERIC_CPU
	bool "Generic"
	help
	  No config MCORE2 here.

	  config X86_UMIP
		bool "in the middle of a help text"

	  And after an empty line.
config X86_NATIVE_CPU
	bool "native"
endchoice

menu "Features"
	config X86_5LEVEL
		bool "5-level page tables"
if X86_64
menuconfig X86_X2APIC # config X86_SGX
    prompt "Support x2apic" if \
	EXPERT
    def_bool y
endif
config X86_KERNEL_IBT
	def_bool y
	---help---
	  Its prompt is not this:
	    bool "no prompt"
comment "config CRYPTO_SHA512_SSSE3"
	depends on X86
endmenu
END
cat >t/drivers/Kconfig <<'END'
source "lib/Kconfig"
	# config CRYPTO_SHA256_SSSE3
config	CRYPTO_AES_NI_INTEL
	tristate 'AES by "instructions"'
END
# No newline at the end, and CR before some.
printf 'config CRYPTO_CRC32C_INTEL\r\n\ttristate "CRC32c"\r\nconfig EXPERT\n\tbool "expert"' >t/lib/Kconfig
machine Unknown la57 x2apic umip ibt sgx aes ssse3 sse4_2 >cpuinfo

kconfig t
status_is 0 "a fragment"
is "$(lines)" "CONFIG_GENERIC_CPU=y
# CONFIG_X86_NATIVE_CPU is not set
CONFIG_X86_5LEVEL=y
CONFIG_X86_X2APIC=y
CONFIG_CRYPTO_AES_NI_INTEL=y
CONFIG_CRYPTO_CRC32C_INTEL=y" "what the CPU asks for and the tree has"
has "$out" "# Options of Linux 6.12.3 that suit" "the head"
like "$out" "^# This tree has no( [A-Z0-9_]+)* X86_UMIP X86_KERNEL_IBT( [A-Z0-9_]+)* CRYPTO_SHA256_SSSE3 CRYPTO_SHA512_SSSE3" \
	"what is in a help text or a comment, or has no prompt, it has not"
is "$(printf '%s\n' "$out" | grep -B2 X86_5LEVEL=y)" "
# page tables of five levels (the CPU has la57)
CONFIG_X86_5LEVEL=y" "the reason above a line"
is "$(printf '%s\n' "$out" | grep -vE '^$|^#|^CONFIG_[A-Z0-9_]*=[ymn]$')" "" "nothing but comments and lines"
has "$err" "kiln: note: there is no 't/.config', so that it is not known which options are possible \
together; --config=FILE names one" "without a .config that is told"
is "$(printf '%s\n' "$err" | grep -c 'the CPU suggests')" 0 "and nothing to compare with"

machine Unknown fpu >cpuinfo
kconfig t
is "$(lines)" "CONFIG_GENERIC_CPU=y
# CONFIG_X86_NATIVE_CPU is not set
# CONFIG_X86_5LEVEL is not set" "what the CPU has not: only page tables go"
has "$out" "# page tables of five levels (the CPU has no la57)" "and why"

# ---- with a .config

new_tree v
cat >v/arch/x86/Kconfig <<'END'
config EXPERT
	bool "expert"
config X86_64
	def_bool y
menuconfig PROCESSOR_SELECT
	bool "vendors" if EXPERT
config CPU_SUP_INTEL
	default y
	bool "Intel" if PROCESSOR_SELECT
config CPU_SUP_AMD
	default y
	bool "AMD" if PROCESSOR_SELECT
config CPU_SUP_HYGON
	bool "Hygon" if PROCESSOR_SELECT
	select CPU_SUP_AMD
config INTEL_IDLE
	bool "idle"
	depends on CPU_SUP_INTEL
config KVM
	tristate "KVM"
config KVM_AMD
	tristate "SVM"
	depends on KVM
config KVM_INTEL
	tristate "VMX"
	depends on KVM
config SCHED_MC_PRIO
	bool "priorities"
	select X86_INTEL_PSTATE if CPU_SUP_INTEL
config X86_INTEL_PSTATE
	bool "P states"
config CRYPTO
	tristate "crypto"
if CRYPTO
config CRYPTO_AES_NI_INTEL
	tristate "AES"
config CRYPTO_CRC32C_INTEL
	tristate "CRC32c"
endif
config X86_UMIP
	def_bool y
	prompt "UMIP" if EXPERT
END
config() {	# LINE...: v/.config
	printf '%s\n' "$@" >v/.config
}
config CONFIG_X86_64=y '# CONFIG_EXPERT is not set' CONFIG_CPU_SUP_INTEL=y CONFIG_CPU_SUP_AMD=y \
	CONFIG_CPU_SUP_HYGON=y CONFIG_INTEL_IDLE=y CONFIG_KVM=m CONFIG_KVM_AMD=m CONFIG_KVM_INTEL=m \
	CONFIG_SCHED_MC_PRIO=y CONFIG_X86_INTEL_PSTATE=y CONFIG_CRYPTO=m CONFIG_CRYPTO_CRC32C_INTEL=m \
	CONFIG_X86_UMIP=y 'CONFIG_LOCALVERSION="-x"'
machine AuthenticAMD aes sse4_2 umip >cpuinfo
find v -type f -exec cksum {} + | sort >before
kconfig v
status_is 0 "with a .config"
is "$(lines)" "CONFIG_CPU_SUP_AMD=y
# CONFIG_INTEL_IDLE is not set
# CONFIG_KVM_INTEL is not set
CONFIG_X86_UMIP=y
CONFIG_CRYPTO_AES_NI_INTEL=m
CONFIG_CRYPTO_CRC32C_INTEL=m" "what is possible there; a module where it takes one"
is "$err" "kiln: note: CONFIG_INTEL_IDLE is y, the CPU suggests n: Intel's idle states (vendor: amd)
kiln: note: CONFIG_KVM_INTEL is m, the CPU suggests n: virtual machines by Intel's VMX (vendor: amd)
kiln: note: CONFIG_CRYPTO_AES_NI_INTEL is n, the CPU suggests m: AES by instructions (the CPU has aes)" \
	"what differs, and why"
has "$out" "# CONFIG_PROCESSOR_SELECT cannot be y here: that takes EXPERT" "what is not possible"
has "$out" "# CONFIG_CPU_SUP_INTEL cannot be n here: that takes PROCESSOR_SELECT" "either way"
has "$out" "# CONFIG_X86_INTEL_PSTATE cannot be n here: something else selects it" "or is selected"
is "$(find v -type f -exec cksum {} + | sort)" "$(cat before)" "no file was changed"

cp v/.config elsewhere
sed -i 's/^# CONFIG_EXPERT is not set$/CONFIG_EXPERT=y/' elsewhere
kconfig v --config=elsewhere
is "$(lines)" "CONFIG_PROCESSOR_SELECT=y
# CONFIG_CPU_SUP_HYGON is not set
# CONFIG_CPU_SUP_INTEL is not set
CONFIG_CPU_SUP_AMD=y
# CONFIG_INTEL_IDLE is not set
# CONFIG_X86_INTEL_PSTATE is not set
# CONFIG_KVM_INTEL is not set
CONFIG_X86_UMIP=y
CONFIG_CRYPTO_AES_NI_INTEL=m
CONFIG_CRYPTO_CRC32C_INTEL=m" "for an expert: each line makes the next ones possible"
machine GenuineIntel aes >cpuinfo
kconfig v --config=elsewhere
is "$(lines)" "CONFIG_PROCESSOR_SELECT=y
# CONFIG_CPU_SUP_HYGON is not set
# CONFIG_CPU_SUP_AMD is not set
CONFIG_CPU_SUP_INTEL=y
CONFIG_INTEL_IDLE=y
CONFIG_X86_INTEL_PSTATE=y
# CONFIG_KVM_AMD is not set
CONFIG_CRYPTO_AES_NI_INTEL=m" "another vendor"
machine HygonGenuine >cpuinfo
kconfig v --config=elsewhere
is "$(lines | grep -E 'SUP_(AMD|HYGON)')" "CONFIG_CPU_SUP_AMD=y
CONFIG_CPU_SUP_HYGON=y" "Hygon keeps AMD's code"
machine Unknown >cpuinfo
kconfig v --config=elsewhere
is "$(lines)" "" "an unknown vendor takes nothing away"
has "$out" "# Nothing else is known to suit it." "which is said"
has "$err" "options are left out" "and that something is not known"

# ---- expressions

new_tree e
cat >e/.config <<'END'
CONFIG_YES=y
CONFIG_MODULE=m
# CONFIG_NO is not set
CONFIG_64BIT=y
CONFIG_NUMBER=120200
CONFIG_HEX=0x10
CONFIG_TEXT="some text"
END
cat >expressions <<'END'
y YES
n NO
n NONE
y MODULE
y !NO
n !YES
n !(YES || NO)
y !NO && YES
n YES && NO
y YES || NO
y NO && NO || YES
n NO && (NO || YES)
y 64BIT
n !64BIT
y NUMBER >= 120000
n NUMBER < 120000
n NUMBER <= 99999
y NUMBER > 99999
y HEX = 16
y TEXT = "some text"
n TEXT != 'some text'
y TEXT != ""
n YES = m
y MODULE = m
y NO = n
n NO=y
y YES!=NO
y m
y $(cc-option,-fx(y),z) && YES
n $(success,true) && NO
y "$(ARCH)" != "i386"
n NO # || YES
y HEX = 0x10
y NO &&
y NO ) NO
END
symbols="X86_5LEVEL X86_X2APIC X86_UMIP X86_KERNEL_IBT X86_USER_SHADOW_STACK CRYPTO_AES_NI_INTEL
	CRYPTO_GHASH_CLMUL_NI_INTEL CRYPTO_SHA256_SSSE3 CRYPTO_SHA512_SSSE3 CRYPTO_CRC32C_INTEL
	X86_INTEL_MEMORY_PROTECTION_KEYS"
machine Unknown la57 x2apic umip ibt user_shstk aes pclmulqdq ssse3 sse4_2 pku >cpuinfo
while [ -s expressions ]; do
	: >e/arch/x86/Kconfig
	: >expected
	for symbol in $symbols; do
		read -r want expression <expressions || break
		sed -i 1d expressions
		printf 'config %s\n\tbool "x"\n\tdepends on %s\n' "$symbol" "$expression" \
			>>e/arch/x86/Kconfig
		echo "$symbol $want $expression" >>expected
	done
	kconfig e
	while read -r symbol want expression; do
		got=n
		lines | grep -qx "CONFIG_$symbol=y" && got=y
		is $got "$want" "depends on $expression"
	done <expected
done
cat >e/arch/x86/Kconfig <<'END'
menu "a"
	depends on YES
	visible if MODULE || NO
if NO || NO
config X86_UMIP
	bool "not"
endif
config X86_X2APIC
	bool "not"
	depends on YES
	depends on NO
config CRYPTO_AES_NI_INTEL
	tristate "as a module"
endmenu
menu "b"
	depends on NO
config X86_5LEVEL
	bool "not in b"
endmenu
config X86_5LEVEL
	bool "but outside"
choice
	prompt "c"
	depends on NO
config X86_KERNEL_IBT
	bool "not"
endchoice
endif
if NO
source "stray"
config CRYPTO_SHA256_SSSE3
	tristate "not"
endif
config CRYPTO_CRC32C_INTEL
	tristate "built in"
config CRYPTO_SHA512_SSSE3
	tristate "not"
	depends on YES && \
		NO
END
printf 'config X86_USER_SHADOW_STACK\n\tbool "not"\n\tdepends on NO\r\nendif\nendmenu\n' >e/stray
printf 'config X86_INTEL_MEMORY_PROTECTION_KEYS\n\tbool "not"\n\tdepends on NO\r\n' \
	>>e/arch/x86/Kconfig
kconfig e
is "$(lines)" "CONFIG_X86_5LEVEL=y
CONFIG_CRYPTO_AES_NI_INTEL=m
CONFIG_CRYPTO_CRC32C_INTEL=y" "conditions of menus, choices and ifs"
{
	printf 'config X86_UMIP\n\tbool "x"\n\tdepends on '
	head -c 100000 /dev/zero | tr '\0' '('
	printf 'NO\nconfig X86_5LEVEL\n\tbool "x"\n\tdepends on '
	head -c 99999 /dev/zero | tr '\0' '!'
	printf 'YES\n'
	for _ in $(seq 100); do printf 'if YES\nmenu "x"\n'; done
	printf 'source "Kconfig"\nconfig X86_X2APIC\n\tbool "x"\n'
} >e/arch/x86/Kconfig
kconfig e
status_is 0 "Kconfig files that nobody writes"
has "$(lines)" "CONFIG_X86_X2APIC=y" "and what comes after"

# ---- arm64

run "$KILN" native --cc=aarch64-linux-gnu-gcc --cpu=cortex-a72
if [ "$status" -ne 0 ]; then
	skip "arm64" "no aarch64-linux-gnu-gcc with a plugin"
else
	new_tree a
	erratum() {	# SYMBOL PROMPT [DEFAULT]
		printf 'config %s\n\tbool "%s"\n\tdefault %s\n' "$1" "$2" "${3:-y}" >>a/arch/arm64/Kconfig
	}
	printf 'config ARM64_USE_LSE_ATOMICS\n\tbool "atomics"\n' >a/arch/arm64/Kconfig
	erratum ARM64_ERRATUM_1 "Cortex-A76/Neoverse-N1: wrong"
	erratum ARM64_ERRATUM_2 "Neoverse-N1: 2: wrong (rare)" n
	erratum ARM64_ERRATUM_3 "Cortex-*/Neoverse-*: wrong"
	erratum ARM64_ERRATUM_4 "Neoverse-N10/Neoverse-N: wrong"
	erratum ARM64_ERRATUM_5 "Cortex-A57: on Neoverse-N1"
	erratum ARM64_ERRATUM_6 "Various: wrong"
	erratum ARM64_ERRATUM_7 "Cortex-A57/A72: 7: wrong"
	erratum ARM64_OTHER_8 "Neoverse-N1: no fault"
	erratum AMPERE_ERRATUM_9 "AmpereOne: AC03_CPU_38: wrong"
	erratum FUJITSU_ERRATUM_10 "Fujitsu-A64FX erratum E#010001: wrong"
	erratum CAVIUM_ERRATUM_11 "Cavium erratum 11, 12"
	arm() {	# CPU WANT: the numbers of the errata
		run "$KILN" native --cc=aarch64-linux-gnu-gcc --cpu="$1" --kconfig=a
		status_is 0 "$1"
		is "$(lines | sed -n 's/^CONFIG.*ERRATUM_\(.*\)=y$/\1/p' | sort -n | tr '\n' ' ')" "$2 " \
			"$1: errata"
	}
	arm neoverse-n1 "1 3 6"
	has "$(lines)" "CONFIG_ARM64_USE_LSE_ATOMICS=y" "and its features"
	is "$(printf '%s\n' "$out" | grep -A1 rare)" "# Erratum: Neoverse-N1: 2: wrong (rare)
# CONFIG_ARM64_ERRATUM_2 is left as it is: the kernel's own default is n" "what a kernel leaves off"
	lacks "$out" OTHER_8 "no other option that names the core"
	arm ares "1 3 6"
	arm cortex-a72 "3 6 7"
	arm cortex-a76.cortex-a55 "1 3 6"
	arm cortex-a57.cortex-a53 "3 5 6 7"
	arm ampere1 "6 9"
	arm a64fx "6 10"
fi

# ---- faults

kconfig none
status_is 2 "a tree that is not there"
is "$err" "kiln: error: 'none' is no kernel tree: its Makefile cannot be read: No such file or directory" \
	"a tree that is not there: message"
is "$out" "" "a tree that is not there: nothing is printed"
new_tree n
rm n/Kconfig
kconfig n
is "$err" "kiln: error: 'n/Kconfig' cannot be read: No such file or directory" "a tree without Kconfig"
echo 'source "arch/none"' >n/Kconfig
kconfig n
is "$err" "kiln: error: 'n/arch/none' cannot be read: No such file or directory" "a file that is not there"
is "$out" "" "nothing is printed"
kconfig v --config=none
status_is 2 "a .config that is not there"
is "$err" "kiln: error: the configuration 'none' cannot be read: No such file or directory" \
	"a .config that is not there: message"

done_testing
