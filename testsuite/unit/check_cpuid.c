// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <unistd.h>

#include "../../kbuild/cli/native/cpu-x86.h"
#include "../../kbuild/cli/native/cpuid-bits.h"
#include "alloc.h"

#ifdef __has_include
#if __has_include(<cpuid.h>)
#include <cpuid.h> /* the compiler's, on x86 */
#define HAS_CPUID_H 1
#endif
#endif
#ifndef HAS_CPUID_H
#define HAS_CPUID_H 0
#endif

/* ---- the table ---- */

static int compare_numbers(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_bits(const struct cpuid_bit *a, const struct cpuid_bit *b)
{
	int order = compare_numbers(a->leaf, b->leaf);

	if (!order)
		order = compare_numbers(a->subleaf, b->subleaf);
	if (!order)
		order = compare_numbers(a->reg, b->reg);
	return order ? order : compare_numbers(a->bit, b->bit);
}

START_TEST(the_table_is_sorted)
{
	for (size_t i = 0; i < nr_cpuid_bits; i++) {
		ck_assert_uint_lt(cpuid_bits[i].bit, 32);
		ck_assert_uint_lt(cpuid_bits[i].reg, CPUID_REGISTERS);
		if (i)
			ck_assert_int_lt(compare_bits(&cpuid_bits[i - 1], &cpuid_bits[i]), 0);
	}
}
END_TEST

/* GCC's macro as text, "(1 << 5)" or "( 1<<0 )"; its name where a version has it not. */
#define TEXT(macro)      #macro
#define BIT(word, macro) {word, TEXT(macro)}

static const struct {
	const char *word;
	const char *text;
} macros[] = {
	BIT("3dnow", bit_3DNOW),
	BIT("3dnowext", bit_3DNOWP),
	BIT("3dnowprefetch", bit_PRFCHW),
	BIT("abm", bit_ABM),
	BIT("adx", bit_ADX),
	BIT("aes", bit_AES),
	BIT("amx_avx512", bit_AMX_AVX512),
	BIT("amx_bf16", bit_AMX_BF16),
	BIT("amx_complex", bit_AMX_COMPLEX),
	BIT("amx_fp16", bit_AMX_FP16),
	BIT("amx_fp8", bit_AMX_FP8),
	BIT("amx_int8", bit_AMX_INT8),
	BIT("amx_movrs", bit_AMX_MOVRS),
	BIT("amx_tf32", bit_AMX_TF32),
	BIT("amx_tile", bit_AMX_TILE),
	BIT("amx_transpose", bit_AMX_TRANSPOSE),
	BIT("apx", bit_APX_F),
	BIT("avx", bit_AVX),
	BIT("avx2", bit_AVX2),
	BIT("avx512_4fmaps", bit_AVX5124FMAPS),
	BIT("avx512_4vnniw", bit_AVX5124VNNIW),
	BIT("avx512_bf16", bit_AVX512BF16),
	BIT("avx512_bitalg", bit_AVX512BITALG),
	BIT("avx512_fp16", bit_AVX512FP16),
	BIT("avx512_vbmi2", bit_AVX512VBMI2),
	BIT("avx512_vnni", bit_AVX512VNNI),
	BIT("avx512_vp2intersect", bit_AVX512VP2INTERSECT),
	BIT("avx512_vpopcntdq", bit_AVX512VPOPCNTDQ),
	BIT("avx512bmm", bit_AVX512BMM),
	BIT("avx512bw", bit_AVX512BW),
	BIT("avx512cd", bit_AVX512CD),
	BIT("avx512dq", bit_AVX512DQ),
	BIT("avx512er", bit_AVX512ER),
	BIT("avx512f", bit_AVX512F),
	BIT("avx512ifma", bit_AVX512IFMA),
	BIT("avx512pf", bit_AVX512PF),
	BIT("avx512vbmi", bit_AVX512VBMI),
	BIT("avx512vl", bit_AVX512VL),
	BIT("avx_vnni", bit_AVXVNNI),
	BIT("avxifma", bit_AVXIFMA),
	BIT("avxneconvert", bit_AVXNECONVERT),
	BIT("avxvnniint16", bit_AVXVNNIINT16),
	BIT("avxvnniint8", bit_AVXVNNIINT8),
	BIT("bmi1", bit_BMI),
	BIT("bmi2", bit_BMI2),
	BIT("cldemote", bit_CLDEMOTE),
	BIT("clflushopt", bit_CLFLUSHOPT),
	BIT("clwb", bit_CLWB),
	BIT("clzero", bit_CLZERO),
	BIT("cmpccxadd", bit_CMPCCXADD),
	BIT("cx16", bit_CMPXCHG16B),
	BIT("enqcmd", bit_ENQCMD),
	BIT("f16c", bit_F16C),
	BIT("fma", bit_FMA),
	BIT("fma4", bit_FMA4),
	BIT("fsgsbase", bit_FSGSBASE),
	BIT("gfni", bit_GFNI),
	BIT("hle", bit_HLE),
	BIT("hreset", bit_HRESET),
	BIT("ibt", bit_IBT),
	BIT("kl", bit_KL),
	BIT("lahf_lm", bit_LAHF_LM),
	BIT("lwp", bit_LWP),
	BIT("movbe", bit_MOVBE),
	BIT("movdir64b", bit_MOVDIR64B),
	BIT("movdiri", bit_MOVDIRI),
	BIT("movrs", bit_MOVRS),
	BIT("mwaitx", bit_MWAITX),
	BIT("ospke", bit_OSPKE),
	BIT("pclmulqdq", bit_PCLMUL),
	BIT("pconfig", bit_PCONFIG),
	BIT("pni", bit_SSE3),
	BIT("popcnt", bit_POPCNT),
	BIT("prefetchi", bit_PREFETCHI),
	BIT("prefetchi", bit_AMD_PREFETCHI),
	BIT("prefetchwt1", bit_PREFETCHWT1),
	BIT("ptwrite", bit_PTWRITE),
	BIT("raoint", bit_RAOINT),
	BIT("rdpid", bit_RDPID),
	BIT("rdrand", bit_RDRND),
	BIT("rdseed", bit_RDSEED),
	BIT("rtm", bit_RTM),
	BIT("serialize", bit_SERIALIZE),
	BIT("sgx", bit_SGX),
	BIT("sha512", bit_SHA512),
	BIT("sha_ni", bit_SHA),
	BIT("sm3", bit_SM3),
	BIT("sm4", bit_SM4),
	BIT("sse4_1", bit_SSE4_1),
	BIT("sse4_2", bit_SSE4_2),
	BIT("sse4a", bit_SSE4a),
	BIT("ssse3", bit_SSSE3),
	BIT("tbm", bit_TBM),
	BIT("tsxldtrk", bit_TSXLDTRK),
	BIT("uintr", bit_UINTR),
	BIT("user_shstk", bit_SHSTK),
	BIT("usermsr", bit_USER_MSR),
	BIT("vaes", bit_VAES),
	BIT("vpclmulqdq", bit_VPCLMULQDQ),
	BIT("waitpkg", bit_WAITPKG),
	BIT("wbnoinvd", bit_WBNOINVD),
	BIT("widekl", bit_WIDEKL),
	BIT("xop", bit_XOP),
	BIT("xsave", bit_XSAVE),
	BIT("xsavec", bit_XSAVEC),
	BIT("xsaveopt", bit_XSAVEOPT),
	BIT("xsaves", bit_XSAVES),
};

#define NR_MACROS (sizeof(macros) / sizeof(macros[0]))

/* The macro's bit; -1: it is none. "(1 << 5)", "(1u << 31)", Clang: "0x00000020". */
static int bit_of(const char *text)
{
	const char *shift = strstr(text, "<<");
	unsigned long value;

	if (shift)
		return atoi(shift + 2);
	value = strtoul(text, NULL, 16);
	return value ? __builtin_ctzl(value) : -1;
}

static bool table_has(const char *word, int bit)
{
	for (size_t i = 0; i < nr_cpuid_bits; i++) {
		if (!strcmp(cpuid_bits[i].word, word) && cpuid_bits[i].bit == (unsigned)bit)
			return true;
	}
	return false;
}

/* GCC 12 has 85 of these, later ones others. Clang's bit_PKU is wrong, and not here. */
START_TEST(the_bits_are_the_compilers)
{
	int known = 0;

	for (size_t i = 0; i < NR_MACROS; i++) {
		int bit = strncmp(macros[i].text, "bit_", 4) ? bit_of(macros[i].text) : -1;

		known += bit >= 0;
		ck_assert_msg(bit < 0 || table_has(macros[i].word, bit), "%s is %s",
			      macros[i].word, macros[i].text);
	}
	ck_assert_int_ge(known, HAS_CPUID_H ? 60 : 0);
}
END_TEST

/* ---- dumps ---- */

static enum cli_status read_bytes(struct native_machine *machine, const char *text, size_t length)
{
	char file[] = "/tmp/kiln-check-cpuid.XXXXXX";
	enum cli_status status;
	int fd = mkstemp(file);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, length), (int)length);
	close(fd);
	status = native_cpuid_read(machine, file);
	unlink(file);
	return status;
}

static enum cli_status read_text(struct native_machine *machine, const char *text)
{
	return read_bytes(machine, text, strlen(text));
}

/* All leaves that a CPU can be asked for, none of which has a bit: it is changed by set(). */
struct dump {
	struct {
		uint32_t leaf, subleaf, registers[CPUID_REGISTERS];
	} leaves[200];
	size_t count;
};

static uint32_t *find(struct dump *dump, uint32_t leaf, uint32_t subleaf, enum cpuid_register reg)
{
	size_t i = 0;

	while (i < dump->count &&
	       (dump->leaves[i].leaf != leaf || dump->leaves[i].subleaf != subleaf))
		i++;
	if (i == dump->count) {
		memset(&dump->leaves[i], 0, sizeof(dump->leaves[i]));
		dump->leaves[i].leaf = leaf;
		dump->leaves[i].subleaf = subleaf;
		dump->count++;
	}
	return &dump->leaves[i].registers[reg];
}

static void init(struct dump *dump)
{
	dump->count = 0;
	*find(dump, 0, 0, EAX) = 0x24;
	memcpy(find(dump, 0, 0, EBX), "Genu", 4);
	memcpy(find(dump, 0, 0, EDX), "ineI", 4);
	memcpy(find(dump, 0, 0, ECX), "ntel", 4);
	*find(dump, 1, 0, EAX) = 0x000c06f2;
	*find(dump, 1, 0, ECX) = 1u << 26;
	*find(dump, 7, 0, EAX) = 1;
	*find(dump, 0xd, 0, EAX) = 0xe02e7;
	*find(dump, 0x1e, 0, EAX) = 1;
	*find(dump, 0x24, 0, EBX) = 2;
	*find(dump, 0x80000000, 0, EAX) = 0x80000021;
	memcpy(find(dump, 0x80000002, 0, EAX), "   A\tCPU", 8);
	memcpy(find(dump, 0x80000003, 0, EAX), "  B ", 4);
	*find(dump, 0x80000004, 0, EAX) = 0;
	for (size_t i = 0; i < nr_cpuid_bits; i++) {
		find(dump, cpuid_bits[i].leaf, 0, EAX);
		find(dump, cpuid_bits[i].leaf, cpuid_bits[i].subleaf, EAX);
	}
}

static void forget(struct dump *dump, uint32_t leaf, uint32_t subleaf)
{
	size_t i = 0;

	while (dump->leaves[i].leaf != leaf || dump->leaves[i].subleaf != subleaf)
		i++;
	dump->leaves[i] = dump->leaves[--dump->count];
}

/* A CPU's lines, appended to TEXT. */
static void add_cpu(struct kiln_strbuf *text, const char *title, const struct dump *dump)
{
	kiln_strbuf_addf(text, "%s\n", title);
	for (size_t i = 0; i < dump->count; i++) {
		const uint32_t *r = dump->leaves[i].registers;

		kiln_strbuf_addf(text,
				 "   0x%08x 0x%02x: eax=0x%08x ebx=0x%08x ecx=0x%08x edx=0x%08x\n",
				 dump->leaves[i].leaf, dump->leaves[i].subleaf, r[EAX], r[EBX],
				 r[ECX], r[EDX]);
	}
}

static void read_dump(struct native_machine *machine, const struct dump *dump)
{
	struct kiln_strbuf text;

	kiln_strbuf_init(&text);
	add_cpu(&text, "CPU:", dump);
	ck_assert_int_eq(read_text(machine, text.data), CLI_OK);
	kiln_strbuf_release(&text);
}

/* Without the one that was there before. */
static void describe(const struct native_set *set, char *ret, size_t size)
{
	*ret = '\0';
	for (size_t i = 0; i < set->count; i++) {
		size_t length = strlen(ret);

		if (strcmp(set->words[i], "xsave"))
			snprintf(ret + length, size - length, "%s%s", length ? " " : "",
				 set->words[i]);
	}
}

static const char *word_of(uint32_t leaf, uint32_t subleaf, enum cpuid_register reg, unsigned bit)
{
	if (leaf == 7 && subleaf == 1 && reg == EDX && bit == 19)
		return "avx10.1 avx10.2";
	for (size_t i = 0; i < nr_cpuid_bits; i++) {
		const struct cpuid_bit *b = &cpuid_bits[i];

		if (b->leaf == leaf && b->subleaf == subleaf && b->reg == reg && b->bit == bit)
			return strcmp(b->word, "xsave") ? b->word : "";
	}
	return "";
}

/* No bit of the leaves has more words than its own, and it has that. */
START_TEST(one_bit_at_a_time)
{
	struct native_machine machine;
	struct dump dump;
	char words[200];

	init(&dump);
	for (size_t i = 0; i < dump.count; i++) {
		uint32_t leaf = dump.leaves[i].leaf, subleaf = dump.leaves[i].subleaf;
		uint32_t *value = &dump.leaves[i].registers[_i / 32], before = *value;

		if ((!(leaf & 0x7fffffff) || leaf == 0xd) && !subleaf)
			continue;
		*value |= 1u << _i % 32;
		read_dump(&machine, &dump);
		describe(&machine.words, words, sizeof(words));
		ck_assert_str_eq(words, word_of(leaf, subleaf, (enum cpuid_register)(_i / 32),
						(unsigned)_i % 32));
		ck_assert(!native_set_has(&machine.lacking, words));
		native_machine_release(&machine);
		*value = before;
	}
}
END_TEST

START_TEST(the_type_of_a_cpu)
{
	static const struct {
		uint32_t signature;
		const char *family, *model, *stepping;
	} types[] = {
		{0x000c06f2, "6", "207", "2"},	/* Sapphire Rapids */
		{0x00a20f10, "25", "33", "0"},	/* Zen 3 */
		{0x00000f4a, "15", "4", "10"},	/* Pentium 4 */
		{0x00100f42, "16", "4", "2"},	/* K10 */
		{0x01000f10, "31", "1", "0"},	/* made up */
		{0x000f0543, "5", "4", "3"},	/* before 6 there is no extended model */
	};
	char *const *values;
	struct native_machine machine;
	struct dump dump;

	init(&dump);
	*find(&dump, 1, 0, EAX) = types[_i].signature;
	read_dump(&machine, &dump);
	ck_assert_uint_eq(machine.nr_types, 1);
	values = machine.types[0].values;
	ck_assert_str_eq(values[X86_VENDOR], "GenuineIntel");
	ck_assert_str_eq(values[X86_FAMILY], types[_i].family);
	ck_assert_str_eq(values[X86_MODEL], types[_i].model);
	ck_assert_str_eq(values[X86_STEPPING], types[_i].stepping);
	ck_assert_str_eq(values[X86_MODEL_NAME], "A?CPU");
	native_machine_release(&machine);
}
END_TEST

START_TEST(a_model_without_a_name)
{
	struct native_machine machine;
	struct dump dump;

	init(&dump);
	*find(&dump, 0x80000000, 0, EAX) = 0x80000003;
	memset(find(&dump, 0, 0, EBX), 0, 3 * sizeof(uint32_t));
	read_dump(&machine, &dump);
	ck_assert_ptr_null(machine.types[0].values[X86_MODEL_NAME]);
	ck_assert_ptr_null(machine.types[0].values[X86_VENDOR]);
	native_machine_release(&machine);
}
END_TEST

/* Registers that cannot be saved: one leaf of a dump changed, a word that is lost. */
START_TEST(state_that_is_not_there)
{
	static const struct {
		uint32_t leaf;
		enum cpuid_register reg;
		uint32_t value;
		const char *words; /* of avx avx512f amx_tile bmi1 xsave xsavec */
	} cases[] = {
		{0xd, EAX, 0xe02e7, "amx_tile avx avx512f bmi1 xsavec"},
		{0xd, EAX, 0x20007, "avx bmi1 xsavec"},
		{0xd, EAX, 0x40007, "avx bmi1 xsavec"},
		{0xd, EAX, 0x67, "avx bmi1 xsavec"},
		{0xd, EAX, 0xe3, "bmi1 xsavec"},
		{0xd, EAX, 0x0, "bmi1"},
		{1, ECX, 1u << 28, "bmi1"},
		{0, EAX, 0x7, "bmi1"},
	};
	struct native_machine machine;
	struct dump dump;
	char words[200];

	init(&dump);
	*find(&dump, 1, 0, ECX) |= 1u << 28;
	*find(&dump, 7, 0, EBX) |= 1u << 16 | 1u << 3;
	*find(&dump, 7, 0, EDX) |= 1u << 24;
	*find(&dump, 0xd, 1, EAX) |= 1u << 1;
	*find(&dump, cases[_i].leaf, 0, cases[_i].reg) = cases[_i].value;
	read_dump(&machine, &dump);
	describe(&machine.words, words, sizeof(words));
	ck_assert_str_eq(words, cases[_i].words);
	ck_assert(native_set_has(&machine.lacking, "avx") == !native_set_has(&machine.words, "avx"));
	native_machine_release(&machine);
}
END_TEST

/* Leaves beyond the last one are not the CPU's, whatever they hold. */
START_TEST(leaves_that_do_not_count)
{
	struct native_machine machine;
	struct dump dump;
	char words[200];

	init(&dump);
	*find(&dump, 0, 0, EAX) = 6;
	*find(&dump, 0x80000000, 0, EAX) = 0x80000001;
	*find(&dump, 7, 0, EBX) = *find(&dump, 0x80000008, 0, EBX) = UINT32_MAX;
	read_dump(&machine, &dump);
	describe(&machine.words, words, sizeof(words));
	ck_assert_str_eq(words, "");
	ck_assert(native_set_has(&machine.lacking, "clzero"));
	ck_assert(native_set_has(&machine.lacking, "avx10.1"));
	native_machine_release(&machine);
}
END_TEST

/* ---- what /proc/cpuinfo hides ---- */

static enum native_answer ask(const struct dump *dump, const char *feature)
{
	struct native_machine machine;
	enum native_answer answer;

	read_dump(&machine, dump);
	answer = x86_has(&machine, feature);
	native_machine_release(&machine);
	return answer;
}

START_TEST(hidden_features)
{
	const struct native_machine silent = {.nr_types = 0};
	struct dump dump;

	init(&dump);
	ck_assert_int_eq(x86_has(&silent, "ptwrite"), NATIVE_UNKNOWN);
	ck_assert_int_eq(ask(&dump, "ptwrite"), NATIVE_NO);
	ck_assert_int_eq(ask(&dump, "prefetchi"), NATIVE_NO);
	ck_assert_int_eq(ask(&dump, "shstk"), NATIVE_NO);
	ck_assert_int_eq(ask(&dump, "apxf"), NATIVE_NO);
	ck_assert_int_eq(ask(&dump, "avx10.2"), NATIVE_NO);
	ck_assert_int_eq(ask(&dump, "hle"), NATIVE_UNKNOWN);	/* see x86_has() */
	ck_assert_int_eq(ask(&dump, "evex512"), NATIVE_UNKNOWN);
	*find(&dump, 0x14, 0, EBX) = 1 << 4;
	*find(&dump, 0x80000021, 0, EAX) = 1 << 20;
	*find(&dump, 7, 0, ECX) = 1 << 7;
	*find(&dump, 7, 1, EDX) = 1 << 21 | 1 << 19;
	*find(&dump, 0x24, 0, EBX) = 1;
	ck_assert_int_eq(ask(&dump, "ptwrite"), NATIVE_YES);
	ck_assert_int_eq(ask(&dump, "prefetchi"), NATIVE_YES);
	ck_assert_int_eq(ask(&dump, "shstk"), NATIVE_YES);
	ck_assert_int_eq(ask(&dump, "apxf"), NATIVE_YES);
	ck_assert_int_eq(ask(&dump, "avx10.1"), NATIVE_YES);
	ck_assert_int_eq(ask(&dump, "avx10.2"), NATIVE_NO);
}
END_TEST

/* An old program does not print each subleaf. */
START_TEST(a_subleaf_that_was_not_printed)
{
	struct dump dump;

	init(&dump);
	forget(&dump, 7, 1);
	ck_assert_int_eq(ask(&dump, "cmpccxadd"), NATIVE_UNKNOWN);
	ck_assert_int_eq(ask(&dump, "prefetchi"), NATIVE_UNKNOWN);
	ck_assert_int_eq(ask(&dump, "avx10.1"), NATIVE_UNKNOWN);
	ck_assert_int_eq(ask(&dump, "avxvnni"), NATIVE_NO);
	*find(&dump, 7, 0, EAX) = 0;	/* there is none */
	ck_assert_int_eq(ask(&dump, "cmpccxadd"), NATIVE_NO);
	ck_assert_int_eq(ask(&dump, "avx10.1"), NATIVE_NO);
	*find(&dump, 0x80000021, 0, EAX) = 1 << 20;
	*find(&dump, 7, 0, EAX) = 1;
	ck_assert_int_eq(ask(&dump, "prefetchi"), NATIVE_YES);
}
END_TEST

/* ---- several CPUs ---- */

/* What one of them does not tell, and the other has not. */
START_TEST(core_types_that_differ_by_what_they_lack)
{
	struct native_machine machine;
	struct dump whole, less;
	struct kiln_strbuf text;

	init(&whole);
	init(&less);
	forget(&less, 7, 1);
	kiln_strbuf_init(&text);
	add_cpu(&text, "CPU 0:", _i ? &whole : &less);
	add_cpu(&text, "CPU 1:", _i ? &less : &whole);
	ck_assert_int_eq(read_text(&machine, text.data), CLI_OK);
	ck_assert_uint_eq(machine.nr_types, 2);
	ck_assert_int_eq(x86_has(&machine, "cmpccxadd"), NATIVE_NO);
	kiln_strbuf_release(&text);
	native_machine_release(&machine);
}
END_TEST

START_TEST(core_types)
{
	struct native_machine machine;
	struct dump big, little;
	struct kiln_strbuf text;
	char words[200];

	init(&big);
	init(&little);
	*find(&big, 7, 0, EBX) = 1 << 3 | 1 << 8;
	*find(&little, 7, 0, EBX) = 1 << 3;
	*find(&little, 0x14, 0, EBX) = 1 << 4;
	kiln_strbuf_init(&text);
	add_cpu(&text, "CPU 0:", &big);
	add_cpu(&text, "CPU 1:", &little);
	add_cpu(&text, "CPU 12:", &big);
	ck_assert_int_eq(read_text(&machine, text.data), CLI_OK);
	ck_assert_uint_eq(machine.nr_types, 2);
	ck_assert_uint_eq(machine.types[0].nr_cpus + machine.types[1].nr_cpus, 3);
	ck_assert_uint_eq(machine.types[0].first_cpu + machine.types[1].first_cpu, 1);
	describe(&machine.words, words, sizeof(words));
	ck_assert_str_eq(words, "bmi1");
	ck_assert_int_eq(x86_has(&machine, "ptwrite"), NATIVE_NO);
	kiln_strbuf_release(&text);
	native_machine_release(&machine);
}
END_TEST

/* ---- faults ---- */

#define LEAF "0x00000000 0x00: eax=0x00000001 ebx=0x00000000 ecx=0x00000000 edx=0x00000000"
#define ONE  "0x00000001 0x00: eax=0x00000001 ebx=0x00000000 ecx=0x00000000 edx=0x00000000"
#define EXT  "0x80000000 0x00: eax=0x80000000 ebx=0x00000000 ecx=0x00000000 edx=0x00000000"
#define GOOD "CPU:\n   " LEAF "\n   " ONE "\n   " EXT "\n"

START_TEST(good_text)
{
	static const char *const texts[] = {
		GOOD,
		GOOD GOOD,
		"\n" GOOD "\n \t\n",
		"CPU 0:\r\n" LEAF "\r\n" ONE "\r\n" EXT "\r\n",
		"CPU 4294967295:\n" LEAF "\n" ONE "\n" EXT,
		"CPU: \n\t" LEAF " \n" ONE "\n" EXT "\n" EXT "\n",
		"CPU:\n0x0 0x0: eax=0x1 ebx=0xA ecx=0xaB edx=0x000000000FFFFFFFF\n" ONE "\n" EXT "\n",
	};
	struct native_machine machine;

	ck_assert_int_eq(read_text(&machine, texts[_i]), CLI_OK);
	ck_assert_uint_eq(machine.nr_types, 1);
	ck_assert_uint_eq(machine.words.count, 0);
	native_machine_release(&machine);
}
END_TEST

START_TEST(bad_text)
{
	static const char *const texts[] = {
		"", "\n\n", "CPU:", "CPU:\n" LEAF "\n" ONE, "CPU:\n" LEAF "\n" EXT,
		"CPU:\n" ONE "\n" EXT, LEAF "\n" GOOD, GOOD "x", GOOD "CPU", GOOD "CPU:",
		"CPU x:\n", "CPU 0\n", "CPU  0:\n", "CPU 4294967296:\n", "CPU -1:\n", "CPU: 0\n",
		GOOD LEAF " x", GOOD LEAF LEAF, GOOD "0x1", GOOD "0x1 0x0:", GOOD "0x1: eax=0x0",
		GOOD "0x1 0x0: eax=0x0 ebx=0x0 ecx=0x0",
		GOOD "0x1 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=",
		GOOD "0x1 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=0x",
		GOOD "0x1 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=0xg",
		GOOD "0x1 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=0x100000000",
		GOOD "0x1 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=0x100000000000000000000000000000000",
		GOOD "0x1 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=0",
		GOOD "0x1 0x0: eax=0x0 ecx=0x0 ebx=0x0 edx=0x0",
		GOOD "0x1 0x0 eax=0x0 ebx=0x0 ecx=0x0 edx=0x0",
		GOOD "1 0x0: eax=0x0 ebx=0x0 ecx=0x0 edx=0x0",
	};
	struct native_machine machine;

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		ck_assert_msg(read_text(&machine, texts[i]) == CLI_TROUBLE, "%s", texts[i]);
		native_machine_release(&machine);
	}
	ck_assert_int_eq(read_bytes(&machine, GOOD "\0\n", sizeof(GOOD "\0\n") - 1), CLI_TROUBLE);
	native_machine_release(&machine);
}
END_TEST

/* Each leaf with a bit in the table, from a CPU that has it. */
START_TEST(leaves_that_are_not_there)
{
	for (size_t i = 0; i < nr_cpuid_bits; i++) {
		struct native_machine machine;
		struct kiln_strbuf text;
		struct dump dump;

		init(&dump);
		forget(&dump, cpuid_bits[i].leaf, 0);
		kiln_strbuf_init(&text);
		add_cpu(&text, "CPU 3:", &dump);
		ck_assert_int_eq(read_text(&machine, text.data), CLI_TROUBLE);
		kiln_strbuf_release(&text);
		native_machine_release(&machine);
	}
}
END_TEST

/* Bytes changed, lines cut: a status, and nothing that a sanitizer sees. */
START_TEST(damaged_dumps)
{
	static const char bytes[] = "\0\n\r :0xf9eCPU\377";
	uint64_t seed = (uint64_t)_i + 1;
	struct kiln_strbuf text;
	struct dump dump;

	ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr));
	init(&dump);
	kiln_strbuf_init(&text);
	add_cpu(&text, "CPU 0:", &dump);
	add_cpu(&text, "CPU 1:", &dump);
	for (int i = 0; i < 100; i++) {
		struct native_machine machine;
		size_t length = random_below(&seed, (unsigned)text.length + 1);
		unsigned at = random_below(&seed, (unsigned)text.length);
		char before = text.data[at];

		text.data[at] = bytes[random_below(&seed, sizeof(bytes) - 1)];
		if (read_bytes(&machine, text.data, i % 2 ? text.length : length) == CLI_OK)
			ck_assert_uint_ge(machine.nr_types, 1);
		native_machine_release(&machine);
		text.data[at] = before;
	}
	kiln_strbuf_release(&text);
}
END_TEST

/* Some leaves that do not matter come last, when there is no room for more. */
START_TEST(a_dump_without_memory)
{
	char file[] = "/tmp/kiln-check-cpuid.XXXXXX";
	struct native_machine machine;
	struct kiln_strbuf text;
	enum cli_status status;
	int fd = mkstemp(file);
	struct dump dump;
	bool failed;

	init(&dump);
	forget(&dump, 7, 1);
	for (uint32_t i = 0; i < 70; i++)
		find(&dump, 0x40000000 + i, 0, EAX);
	kiln_strbuf_init(&text);
	add_cpu(&text, "CPU:", &dump);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text.data, text.length), (int)text.length);
	close(fd);
	kiln_strbuf_release(&text);
	alloc_fail_at((unsigned long)_i + 1);
	status = native_cpuid_read(&machine, file);
	failed = alloc_failed();
	alloc_stop();
	unlink(file);
	ck_assert_int_eq(status, failed ? CLI_TROUBLE : CLI_OK);
	native_machine_release(&machine);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cpuid");
	TCase *tcase = tcase_create("cpuid");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, the_table_is_sorted);
	tcase_add_test(tcase, the_bits_are_the_compilers);
	tcase_add_loop_test(tcase, one_bit_at_a_time, 0, 32 * CPUID_REGISTERS);
	tcase_add_loop_test(tcase, the_type_of_a_cpu, 0, 6);
	tcase_add_test(tcase, a_model_without_a_name);
	tcase_add_loop_test(tcase, state_that_is_not_there, 0, 8);
	tcase_add_test(tcase, leaves_that_do_not_count);
	tcase_add_test(tcase, hidden_features);
	tcase_add_test(tcase, a_subleaf_that_was_not_printed);
	tcase_add_test(tcase, core_types);
	tcase_add_loop_test(tcase, core_types_that_differ_by_what_they_lack, 0, 2);
	tcase_add_loop_test(tcase, good_text, 0, 7);
	tcase_add_test(tcase, bad_text);
	tcase_add_test(tcase, leaves_that_are_not_there);
	tcase_add_loop_test(tcase, damaged_dumps, 0, 10);
	tcase_add_loop_test(tcase, a_dump_without_memory, 0, 300);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
