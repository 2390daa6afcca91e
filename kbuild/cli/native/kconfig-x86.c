// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86_64, by the Kconfig texts of Linux 6.1 and 6.12. Nothing is here that could
 * keep a kernel from booting on the CPU, or that takes something from user space.
 *
 * Hygon's CPUs are served by AMD's code; Centaur's and Zhaoxin's by some of Intel's.
 * Mitigations are not here: which are needed is found out when the kernel boots.
 */
#include "kconfig.h"

#define AMD   "amd hygon"
#define INTEL "centaur intel zhaoxin"

static const char remarks[] =
	"#\n"
	"# The processor family stays GENERIC_CPU: the policy's -march= comes after the\n"
	"# Makefile's and replaces it. What Linux finds out when it boots has no option:\n"
	"# FSGSBASE, PCID, SMAP, ERMS, FSRM... X86_INTEL_TSX_MODE_* is a choice of the user's.\n";

static const struct kconfig_option options[] = {
	{"GENERIC_CPU", NULL, NULL, NULL, 'y', 0, "the policy names the CPU"},
	{"X86_NATIVE_CPU", NULL, NULL, NULL, 'n', 0,
	 "it would be another CPU on each machine that builds"},

	/* First, since most of what follows asks for these. */
	{"PROCESSOR_SELECT", "amd centaur hygon intel zhaoxin", NULL, NULL, 'y', 0,
	 "other vendors can be left out"},
	{"CPU_SUP_HYGON", "hygon", NULL, NULL, 0, 'n', "another vendor's code"},
	{"CPU_SUP_AMD", AMD, NULL, NULL, 0, 'n', "another vendor's code"},
	{"CPU_SUP_CENTAUR", "centaur", NULL, NULL, 0, 'n', "another vendor's code"},
	{"CPU_SUP_INTEL", INTEL, NULL, NULL, 0, 'n', "another vendor's code"},
	{"CPU_SUP_ZHAOXIN", "zhaoxin", NULL, NULL, 0, 'n', "another vendor's code"},

	{"CPU_SUP_AMD", AMD, NULL, NULL, 'y', 0, "the vendor's code"},
	{"CPU_SUP_CENTAUR", "centaur", NULL, NULL, 'y', 0, "the vendor's code"},
	{"CPU_SUP_HYGON", "hygon", NULL, NULL, 'y', 0, "the vendor's code"},
	{"CPU_SUP_INTEL", "intel", NULL, NULL, 'y', 0, "the vendor's code"},
	{"CPU_SUP_ZHAOXIN", "zhaoxin", NULL, NULL, 'y', 0, "the vendor's code"},
	{"MICROCODE_AMD", AMD, NULL, NULL, 'y', 'n', "AMD's microcode"},
	{"MICROCODE_INTEL", "intel", NULL, NULL, 'y', 'n', "Intel's microcode"},
	{"X86_MCE_AMD", AMD, NULL, NULL, 'y', 'n', "AMD's machine checks"},
	{"X86_MCE_INTEL", INTEL, NULL, NULL, 'y', 'n', "Intel's machine checks"},
	{"PERF_EVENTS_AMD_UNCORE", AMD, NULL, NULL, 'y', 'n', "AMD's counters outside the cores"},
	{"PERF_EVENTS_INTEL_CSTATE", "intel", NULL, NULL, 'y', 'n',
	 "Intel's counters of idle states"},
	{"PERF_EVENTS_INTEL_UNCORE", "intel", NULL, NULL, 'y', 'n',
	 "Intel's counters outside the cores"},
	{"PERF_EVENTS_AMD_BRS", AMD, NULL, NULL, 0, 'n', "AMD's branch sampling"},
	{"PERF_EVENTS_AMD_POWER", AMD, NULL, NULL, 0, 'n', "AMD's power reporting"},
	{"INTEL_IDLE", "intel", NULL, NULL, 'y', 'n', "Intel's idle states"},
	{"X86_INTEL_PSTATE", "intel", NULL, NULL, 'y', 'n', "Intel's frequency scaling"},
	{"X86_AMD_PSTATE", "amd", "cppc", NULL, 'y', 0, "AMD's frequency scaling"},
	{"X86_AMD_PSTATE", AMD, NULL, NULL, 0, 'n', "AMD's frequency scaling"},
	{"X86_AMD_FREQ_SENSITIVITY", AMD, NULL, NULL, 0, 'n', "AMD's frequency scaling"},
	{"X86_POWERNOW_K8", AMD, NULL, NULL, 0, 'n', "AMD's frequency scaling"},
	{"AMD_IOMMU_V2", AMD, NULL, NULL, 0, 'n', "AMD's IOMMU"},
	{"AMD_IOMMU", AMD, NULL, NULL, 0, 'n', "AMD's IOMMU"},
	{"INTEL_IOMMU", INTEL, NULL, NULL, 0, 'n', "Intel's IOMMU"},
	{"KVM_AMD", AMD, NULL, NULL, 0, 'n', "virtual machines by AMD's SVM"},
	{"KVM_INTEL", INTEL, NULL, NULL, 0, 'n', "virtual machines by Intel's VMX"},
	{"AMD_NUMA", AMD, NULL, NULL, 0, 'n', "NUMA of old Opterons"},
	{"AMD_MEM_ENCRYPT", AMD, NULL, NULL, 0, 'n', "AMD's memory encryption"},
	{"X86_SGX", "intel", NULL, NULL, 0, 'n', "Intel's enclaves"},

	{"X86_5LEVEL", NULL, "la57", NULL, 'y', 'n', "page tables of five levels"},
	{"X86_X2APIC", NULL, "x2apic", NULL, 'y', 0, "interrupts through registers"},
	{"X86_UMIP", NULL, "umip", NULL, 'y', 0, "no system tables for user space"},
	{"X86_INTEL_MEMORY_PROTECTION_KEYS", NULL, "ospke pku", "pku", 'y', 0, "protection keys"},
	{"X86_KERNEL_IBT", NULL, "ibt", NULL, 'y', 0, "branches to marked targets alone"},
	{"X86_USER_SHADOW_STACK", NULL, "shstk user_shstk", "shstk", 'y', 0,
	 "shadow stacks for user space"},
	{"AMD_MEM_ENCRYPT", AMD, "sme", NULL, 'y', 0, "AMD's memory encryption"},
	{"X86_SGX", "intel", "sgx", "sgx", 'y', 0, "Intel's enclaves"},
	{"CRYPTO_AES_NI_INTEL", NULL, "aes", "aes", 'y', 0, "AES by instructions"},
	{"CRYPTO_GHASH_CLMUL_NI_INTEL", NULL, "pclmulqdq", "pclmul", 'y', 0,
	 "GHASH by instructions"},
	{"CRYPTO_SHA256_SSSE3", NULL, "ssse3", "ssse3", 'y', 0, "SHA-256 by vector instructions"},
	{"CRYPTO_SHA512_SSSE3", NULL, "ssse3", "ssse3", 'y', 0, "SHA-512 by vector instructions"},
	{"CRYPTO_CRC32C_INTEL", NULL, "sse4_2", "crc32 sse4.2", 'y', 0, "CRC-32C by instructions"},
	{NULL, NULL, NULL, NULL, 0, 0, NULL},
};

const struct kconfig_arch kconfig_x86 = {
	.name = "x86_64",
	.srcarch = "x86",
	.remarks = remarks,
	.options = options,
};
