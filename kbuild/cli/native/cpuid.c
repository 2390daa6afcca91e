// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What Todd Allen's cpuid (Debian: cpuid) prints with -r, as the core types of
 * machine.c, in the words of /proc/cpuinfo:
 *
 *	CPU 0:
 *	   0x00000000 0x00: eax=0x00000016 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69
 *	   0x00000001 0x00: eax=0x000506e3 ebx=0x00100800 ecx=0x7ffafbbf edx=0xbfebfbff
 *	CPU 1:
 *
 * It is the CPU that speaks here and not the kernel, which is of account for:
 *
 *  - what works on registers that XSAVE saves. Neither CR4 nor XCR0 is among the
 *    leaves, so that an operating system is thought to turn on what leaf 0xd has.
 *    OSXSAVE and OSPKE, which it turned on when this was printed, do not count, but
 *    for the word "ospke". As in Linux nothing of AVX is there without XSAVE.
 *  - "user_shstk", Linux's word for shadow stacks that user space can use: the
 *    CPU's bit. "pku", "ibt", "la57", "x2apic", "umip", "cppc", which Linux clears
 *    if it was built without them or told so: the CPU's bits.
 *  - "sgx", "sme", "enqcmd", which Linux clears if the firmware did not turn them on
 *    or it has no use for them; "kl", which it never turns on: the CPU's bits.
 *  - what Linux clears for an erratum: "lahf_lm" of early K8, "xsaves" of Zen 1 and
 *    2. GCC uses none of them by itself. TSX and RDRAND it clears in CPUID too.
 *
 * And a bit that is 0 says that the CPU lacks something, of which /proc/cpuinfo
 * does not even say if it is there.
 */
#include "cpu-x86.h"
#include "cpuid-bits.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct leaf {
	uint32_t leaf, subleaf;
	uint32_t registers[CPUID_REGISTERS];
};

/* A CPU as it is read. */
struct cpu {
	uint32_t number;
	struct leaf *leaves; /* in the order of the file */
	size_t nr_leaves;
	size_t capacity;
};

struct reader {
	struct native_machine *machine;
	const char *file;
	size_t line;          /* its number */
	const char *at, *end; /* what is left of it */
	bool has_cpu;
	struct cpu cpu;
};

/* ---- leaves ---- */

static const struct leaf *find_leaf(const struct cpu *cpu, uint32_t leaf, uint32_t subleaf)
{
	for (size_t i = 0; i < cpu->nr_leaves; i++) {
		if (cpu->leaves[i].leaf == leaf && cpu->leaves[i].subleaf == subleaf)
			return &cpu->leaves[i];
	}
	return NULL;
}

static uint32_t register_of(const struct cpu *cpu, uint32_t leaf, enum cpuid_register reg)
{
	const struct leaf *found = find_leaf(cpu, leaf, 0);

	return found ? found->registers[reg] : 0;
}

/* 0 and 0x80000000 say which leaf is the last that counts. */
static bool has_leaf(const struct cpu *cpu, uint32_t leaf)
{
	return leaf <= register_of(cpu, leaf & 0x80000000, EAX);
}

/* XCR0 as the CPU could have it. */
static uint32_t state_of(const struct cpu *cpu)
{
	bool xsave = register_of(cpu, 1, ECX) >> 26 & 1;

	return xsave && has_leaf(cpu, 0xd) ? register_of(cpu, 0xd, EAX) : 0;
}

/* Unknown is a subleaf that was not printed. */
static enum native_answer ask(const struct cpu *cpu, const struct cpuid_bit *bit)
{
	const struct leaf *leaf = find_leaf(cpu, bit->leaf, bit->subleaf);

	if (!has_leaf(cpu, bit->leaf))
		return NATIVE_NO;
	if (!leaf) /* of 7 and 0x1e, EAX is the last subleaf */
		return bit->leaf != 0xd && register_of(cpu, bit->leaf, EAX) < bit->subleaf
			       ? NATIVE_NO
			       : NATIVE_UNKNOWN;
	return (leaf->registers[bit->reg] >> bit->bit & 1) &&
			       (state_of(cpu) & bit->state) == bit->state
		       ? NATIVE_YES
		       : NATIVE_NO;
}

/* ---- a CPU ---- */

static void set_value(struct native_core *core, enum x86_key key, const char *value)
{
	if (!*value)
		return;
	core->values[key] = strdup(value);
	if (!core->values[key])
		core->words.failed = true;
}

/* The bytes of REGISTERS: TEXT has room for all, and a NUL. Its end is returned. */
static char *add_bytes(char *text, const uint32_t *registers, size_t count)
{
	for (size_t i = 0; i < count * 4; i++) {
		char c = (char)(registers[i / 4] >> (i % 4 * 8));

		/* Comments of a lock are made of this. */
		*text++ = c && (c < ' ' || c > '~') ? '?' : c;
	}
	*text = '\0';
	return text;
}

static void take_vendor(struct native_core *core, const struct cpu *cpu)
{
	const uint32_t registers[] = {
		register_of(cpu, 0, EBX),
		register_of(cpu, 0, EDX),
		register_of(cpu, 0, ECX),
	};
	char text[sizeof(registers) + 1];

	add_bytes(text, registers, 3);
	set_value(core, X86_VENDOR, text);
}

/* Linux's x86_family(), x86_model() and x86_stepping(). */
static void take_model(struct native_core *core, const struct cpu *cpu)
{
	uint32_t signature = register_of(cpu, 1, EAX);
	unsigned family = signature >> 8 & 0xf, model = signature >> 4 & 0xf;
	char text[16];

	if (family == 0xf)
		family += signature >> 20 & 0xff;
	if (family >= 6)
		model += (signature >> 16 & 0xf) << 4;
	snprintf(text, sizeof(text), "%u", family);
	set_value(core, X86_FAMILY, text);
	snprintf(text, sizeof(text), "%u", model);
	set_value(core, X86_MODEL, text);
	snprintf(text, sizeof(text), "%u", (unsigned)(signature & 0xf));
	set_value(core, X86_STEPPING, text);
}

static void take_model_name(struct native_core *core, const struct cpu *cpu)
{
	enum { FIRST = 0x80000002, LAST = 0x80000004 };
	char text[(LAST - FIRST + 1) * CPUID_REGISTERS * sizeof(uint32_t) + 1];
	char *end = text, *begin;

	*end = '\0';
	for (uint32_t i = FIRST; i <= LAST && has_leaf(cpu, LAST); i++) {
		const struct leaf *leaf = find_leaf(cpu, i, 0);

		if (leaf)
			end = add_bytes(end, leaf->registers, CPUID_REGISTERS);
	}
	begin = text + strspn(text, " ");
	for (end = begin + strlen(begin); end > begin && end[-1] == ' '; end--)
		end[-1] = '\0';
	set_value(core, X86_MODEL_NAME, begin);
}

static void take_bits(struct native_core *core, const struct cpu *cpu)
{
	struct native_set unknown;

	native_set_init(&unknown);
	for (size_t i = 0; i < nr_cpuid_bits; i++) {
		struct native_set *const sets[] = {
			[NATIVE_NO] = &core->lacking,
			[NATIVE_YES] = &core->words,
			[NATIVE_UNKNOWN] = &unknown,
		};

		native_set_add_string(sets[ask(cpu, &cpuid_bits[i])], cpuid_bits[i].word);
	}
	native_set_subtract(&core->lacking, &core->words);
	native_set_subtract(&core->lacking, &unknown);
	native_set_release(&unknown);
}

/* AVX10 is one bit, and its version is a number elsewhere. */
static void take_avx10(struct native_core *core, const struct cpu *cpu)
{
	static const struct cpuid_bit avx10 = {0x7, 1, EDX, 19, CPUID_AVX512, NULL};
	static const char *const words[] = {"avx10.1", "avx10.2"};
	enum native_answer answer = ask(cpu, &avx10);
	uint32_t version = 0;

	if (answer == NATIVE_UNKNOWN)
		return;
	if (answer == NATIVE_YES && has_leaf(cpu, 0x24))
		version = register_of(cpu, 0x24, EBX) & 0xff;
	for (size_t i = 0; i < 2; i++)
		native_set_add_string(version > i ? &core->words : &core->lacking, words[i]);
}

/* A leaf that the CPU has and the file has not, among those that count; true: found. */
static bool find_gap(const struct cpu *cpu, uint32_t *ret_leaf)
{
	static const uint32_t firsts[] = {0, 0x80000000};

	for (size_t i = 0; i < 2; i++) {
		*ret_leaf = firsts[i];
		if (!find_leaf(cpu, *ret_leaf, 0))
			return true;
	}
	for (size_t i = 0; i < nr_cpuid_bits; i++) {
		*ret_leaf = cpuid_bits[i].leaf;
		if (has_leaf(cpu, *ret_leaf) && !find_leaf(cpu, *ret_leaf, 0))
			return true;
	}
	return false;
}

/* At the end of a CPU's lines. */
static enum cli_status finish_cpu(struct reader *reader)
{
	const struct cpu *cpu = &reader->cpu;
	struct native_core core = {.first_cpu = cpu->number, .nr_cpus = 1};
	uint32_t gap;

	if (!reader->has_cpu)
		return CLI_OK;
	if (find_gap(cpu, &gap))
		return cli_trouble("%s:%zu: CPU %" PRIu32 " ends here without its leaf 0x%" PRIx32
				   "; all that 'cpuid -r' prints is needed",
				   reader->file, reader->line, cpu->number, gap);
	take_vendor(&core, cpu);
	take_model(&core, cpu);
	take_model_name(&core, cpu);
	take_bits(&core, cpu);
	take_avx10(&core, cpu);
	if (!core.words.failed && !core.lacking.failed &&
	    native_machine_add(reader->machine, &core))
		return CLI_OK;
	native_core_release(&core);
	return cli_no_memory();
}

/* ---- lines ---- */

static enum cli_status refuse_line(const struct reader *reader)
{
	return cli_trouble("%s:%zu: this is no line of 'cpuid -r': neither 'CPU 0:' nor '0xLEAF "
			   "0xSUBLEAF: eax=0x... ebx=0x... ecx=0x... edx=0x...'",
			   reader->file, reader->line);
}

static void skip_blanks(struct reader *reader)
{
	while (reader->at < reader->end && strchr(" \t\r", *reader->at) && *reader->at)
		reader->at++;
}

static bool take(struct reader *reader, const char *word)
{
	size_t length = strlen(word);

	if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length))
		return false;
	reader->at += length;
	return true;
}

/* The value of C in BASE, or BASE. */
static unsigned digit_of(char c, unsigned base)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	const char *digit = c ? strchr(digits, c) : NULL;
	unsigned value = digit ? (unsigned)(digit - digits) % 16 : base;

	return value < base ? value : base;
}

static enum cli_status take_number(struct reader *reader, unsigned base, uint32_t *ret_number)
{
	const char *begin = reader->at;
	uint64_t number = 0;
	unsigned digit;

	for (; reader->at < reader->end; reader->at++) {
		digit = digit_of(*reader->at, base);
		if (digit == base)
			break;
		number = number * base + digit;
		if (number > UINT32_MAX)
			return cli_trouble("%s:%zu: a number has more than 32 bits", reader->file,
					   reader->line);
	}
	if (reader->at == begin)
		return refuse_line(reader);
	*ret_number = (uint32_t)number;
	return CLI_OK;
}

/* BEFORE, "0x", a number, AFTER, blanks. */
static enum cli_status take_hex(struct reader *reader, const char *before, const char *after,
				uint32_t *ret_number)
{
	enum cli_status status;

	if (!take(reader, before) || !take(reader, "0x"))
		return refuse_line(reader);
	status = take_number(reader, 16, ret_number);
	if (status == CLI_OK && !take(reader, after))
		status = refuse_line(reader);
	skip_blanks(reader);
	return status;
}

/* "CPU 0:", or "CPU:" by "cpuid -1". */
static enum cli_status read_cpu(struct reader *reader)
{
	enum cli_status status = finish_cpu(reader);

	reader->has_cpu = true;
	reader->cpu.number = 0;
	reader->cpu.nr_leaves = 0;
	if (status == CLI_OK && take(reader, " "))
		status = take_number(reader, 10, &reader->cpu.number);
	if (status == CLI_OK && !take(reader, ":"))
		status = refuse_line(reader);
	skip_blanks(reader);
	return status;
}

static bool add_leaf(struct cpu *cpu, const struct leaf *leaf)
{
	if (cpu->nr_leaves == cpu->capacity) {
		size_t capacity = cpu->capacity ? cpu->capacity * 2 : 64;
		struct leaf *leaves =
			(struct leaf *)realloc(cpu->leaves, capacity * sizeof(*leaves));

		if (!leaves)
			return false;
		cpu->leaves = leaves;
		cpu->capacity = capacity;
	}
	cpu->leaves[cpu->nr_leaves++] = *leaf;
	return true;
}

static enum cli_status read_leaf(struct reader *reader)
{
	static const char *const names[] = {
		[EAX] = "eax=", [EBX] = "ebx=", [ECX] = "ecx=", [EDX] = "edx=",
	};
	enum cli_status status;
	struct leaf leaf;

	status = take_hex(reader, "", "", &leaf.leaf);
	if (status == CLI_OK)
		status = take_hex(reader, "", ":", &leaf.subleaf);
	for (size_t i = 0; status == CLI_OK && i < CPUID_REGISTERS; i++)
		status = take_hex(reader, names[i], "", &leaf.registers[i]);
	if (status != CLI_OK)
		return status;
	if (!reader->has_cpu)
		return cli_trouble("%s:%zu: a leaf before the first line 'CPU 0:'", reader->file,
				   reader->line);
	return add_leaf(&reader->cpu, &leaf) ? CLI_OK : cli_no_memory();
}

static enum cli_status read_line(struct reader *reader)
{
	enum cli_status status = CLI_OK;

	skip_blanks(reader);
	if (reader->at == reader->end)
		return CLI_OK;
	status = take(reader, "CPU") ? read_cpu(reader) : read_leaf(reader);
	if (status == CLI_OK && reader->at < reader->end)
		status = refuse_line(reader);
	return status;
}

static enum cli_status read_text(struct reader *reader, const struct kiln_strbuf *text)
{
	const char *at = text->data, *end = at + text->length;
	enum cli_status status = CLI_OK;

	while (status == CLI_OK && at < end) {
		const char *newline = (const char *)memchr(at, '\n', (size_t)(end - at));

		reader->line++;
		reader->at = at;
		reader->end = newline ? newline : end;
		at = newline ? newline + 1 : end;
		status = read_line(reader);
	}
	if (status == CLI_OK && !reader->has_cpu)
		status = cli_trouble("'%s' has no line 'CPU 0:' of what 'cpuid -r' prints",
				     reader->file);
	if (status == CLI_OK)
		status = finish_cpu(reader);
	return status == CLI_OK ? native_machine_finish(reader->machine) : status;
}

enum cli_status native_cpuid_read(struct native_machine *machine, const char *file)
{
	struct reader reader = {.machine = machine, .file = file};
	enum cli_status status;
	struct kiln_strbuf text;

	*machine = (struct native_machine){.types = NULL};
	kiln_strbuf_init(&text);
	status = native_read_file(file, &text);
	if (status == CLI_OK)
		status = read_text(&reader, &text);
	free(reader.cpu.leaves);
	kiln_strbuf_release(&text);
	return status;
}
