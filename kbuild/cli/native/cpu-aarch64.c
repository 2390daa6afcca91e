// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * aarch64: the first line that GCC writes for an empty file,
 *
 *	.arch armv8.2-a+crc+fp16+rcpc+dotprod+profile
 *
 * says what a -mcpu= value comes to. Whether an extension is in it is asked by
 * taking it away: "+noEXT" then changes the line, whatever implies what.
 *
 * Which core a part number is, GCC knows: the plugin prints its table. A
 * recorded machine is resolved as GCC's driver would (driver-aarch64.cc), but
 * a feature that the core's entry promises and the machine lacks goes out.
 */
#include "native.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kiln/cpu.h"
#include "kiln/nearest.h"

/* ---- what the kernel calls the extensions ---- */

/* All of the words must be there. What is not listed the kernel does not show. */
struct extension {
	const char *name;
	const char *words;
};

/* Sorted by name. As in GCC's aarch64-option-extensions.def, with Linux' own words for some. */
static const struct extension extensions[] = {
	{"aes", "aes"},
	{"bf16", "bf16"},
	{"crc", "crc32"},
	{"crypto", "aes pmull sha1 sha2"},
	{"cssc", "cssc"},
	{"dotprod", "asimddp"},
	{"f32mm", "svef32mm"},
	{"f64mm", "svef64mm"},
	{"fcma", "fcma"},
	{"flagm", "flagm"},
	{"flagm2", "flagm2"},
	{"fp", "fp"},
	{"fp16", "fphp asimdhp"},
	{"fp16fml", "asimdfhm"},
	{"frintts", "frint"},
	{"gcs", "gcs"},
	{"i8mm", "i8mm"},
	{"jscvt", "jscvt"},
	{"lse", "atomics"},
	{"lse128", "lse128"},
	{"memtag", "mte"},
	{"mops", "mops"},
	{"pauth", "paca pacg"},
	{"rcpc", "lrcpc"},
	{"rcpc2", "ilrcpc"},
	{"rcpc3", "lrcpc3"},
	{"rdma", "asimdrdm"},
	{"rng", "rng"},
	{"sb", "sb"},
	{"sha2", "sha1 sha2"},
	{"sha3", "sha3 sha512"},
	{"simd", "asimd"},
	{"sm4", "sm3 sm4"},
	{"sme", "sme"},
	{"sme2", "sme2"},
	{"ssbs", "ssbs"},
	{"sve", "sve"},
	{"sve2", "sve2"},
	{"sve2-aes", "sveaes"},
	{"sve2-bitperm", "svebitperm"},
	{"sve2-sha3", "svesha3"},
	{"sve2-sm4", "svesm4"},
	{"sve2p1", "sve2p1"},
	{"wfxt", "wfxt"},
};

#define NR_EXTENSIONS (sizeof(extensions) / sizeof(extensions[0]))

/* Stands for others: what is missing of them is told one by one. */
static const char synthetic[] = "crypto";
static const char *const parts[] = {"aes", "sha2"};

static int compare_extension(const void *name, const void *entry)
{
	return strcmp((const char *)name, ((const struct extension *)entry)->name);
}

static enum native_answer has(const struct native_machine *machine, const char *name)
{
	const struct extension *extension = (const struct extension *)bsearch(
		name, extensions, NR_EXTENSIONS, sizeof(extensions[0]), compare_extension);
	struct native_set wanted;
	size_t count;

	if (!extension)
		return NATIVE_UNKNOWN;
	native_set_init(&wanted);
	native_set_split(&wanted, extension->words, strlen(extension->words));
	count = wanted.count;
	native_set_intersect(&wanted, &machine->words);
	count -= wanted.count;
	native_set_release(&wanted);
	return count ? NATIVE_NO : NATIVE_YES;
}

/* ---- asking GCC ---- */

static int knows(const struct native_job *job, const char *cpu)
{
	return native_takes(job, "-mcpu=", cpu);
}

/* What "cc1: note: valid arguments are: ..." lists after WRONG, a value that there is not. */
static enum cli_status list_valid(const struct native_job *job, const char *wrong,
				  struct cli_words *ret_names)
{
	static const char note[] = "valid arguments are: ";
	struct kiln_strbuf out;
	struct cli_words words;
	const char *text;
	int tried;

	cli_words_init(&words, wrong);
	cli_words_add(&words, "-S");
	cli_words_add(&words, "-o/dev/null");
	cli_words_add(&words, "-xc");
	cli_words_add(&words, "/dev/null");
	kiln_strbuf_init(&out);
	tried = native_try(job, &words, CLI_TAKE_BOTH, &out);
	cli_words_release(&words);
	text = strstr(out.data, note);
	for (text = text ? text + sizeof(note) - 1 : ""; *text && *text != '\n' && *text != ';';) {
		size_t length = strcspn(text, " ;\n");

		cli_words_add(ret_names, "%.*s", (int)length, text);
		text += length + (text[length] == ' ');
	}
	kiln_strbuf_release(&out);
	if (tried < 0)
		return CLI_TROUBLE;
	return ret_names->count
		       ? CLI_OK
		       : cli_trouble("'%s %s' does not list what there is", job->cc, wrong);
}

static enum cli_status list(const struct native_job *job, struct cli_words *ret_names)
{
	return list_valid(job, "-mcpu=?", ret_names);
}

/* What VALUE ("-mcpu=neoverse-n1"), with END after it, comes to: the .arch line. As native_try. */
static int arch_of(const struct native_job *job, const char *value, const char *end,
		   struct kiln_strbuf *ret_arch)
{
	static const char directive[] = "\t.arch ";
	struct kiln_strbuf out;
	struct cli_words words;
	const char *line;
	int tried;

	cli_words_init(&words, "-S -o - -xc /dev/null");
	cli_words_add(&words, "%s%s", value, end);
	kiln_strbuf_init(&out);
	tried = native_try(job, &words, CLI_TAKE_OUT_ONLY, &out);
	cli_words_release(&words);
	line = tried > 0 ? strstr(out.data, directive) : NULL;
	if (line) {
		line += sizeof(directive) - 1;
		kiln_strbuf_reset(ret_arch);
		kiln_strbuf_add(ret_arch, line, strcspn(line, "\n"));
	}
	kiln_strbuf_release(&out);
	return tried > 0 ? line != NULL : tried;
}

/* ---- the state ---- */

struct arm {
	const struct native_job *job;
	struct native_lock *lock;
	struct cli_words extensions; /* that GCC knows, in its order */
	struct kiln_strbuf name;     /* of a core; "": GCC has none */
	struct kiln_strbuf value;    /* "-mcpu=neoverse-n1", and the extensions so far */
	const char *why;
	struct kiln_strbuf end; /* "+nosve": what is denied */
	struct native_set denied, extra, missing, features;
	struct kiln_strbuf asked, answer; /* the last value that was asked for, its .arch */
};

static enum cli_status init(struct arm *arm, const struct native_job *job, struct native_lock *lock)
{
	*arm = (struct arm){.job = job, .lock = lock};
	cli_words_init(&arm->extensions, "");
	kiln_strbuf_init(&arm->name);
	kiln_strbuf_init(&arm->value);
	kiln_strbuf_init(&arm->end);
	kiln_strbuf_init(&arm->asked);
	kiln_strbuf_init(&arm->answer);
	return list_valid(job, "-mcpu=generic+?", &arm->extensions);
}

static void release(struct arm *arm)
{
	cli_words_release(&arm->extensions);
	kiln_strbuf_release(&arm->name);
	kiln_strbuf_release(&arm->value);
	kiln_strbuf_release(&arm->end);
	kiln_strbuf_release(&arm->asked);
	kiln_strbuf_release(&arm->answer);
	native_set_release(&arm->denied);
	native_set_release(&arm->extra);
	native_set_release(&arm->missing);
	native_set_release(&arm->features);
}

static bool is_known(const struct arm *arm, const char *extension)
{
	const char *word = NULL;

	while ((word = native_next_word(&arm->extensions, word))) {
		if (!strcmp(word, extension))
			return true;
	}
	return false;
}

static enum native_answer machine_has(const struct arm *arm, const char *extension)
{
	return arm->job->has_machine ? has(&arm->job->machine, extension) : NATIVE_UNKNOWN;
}

/* What VALUE with END comes to, in the state's `answer`: it is asked for many times. */
static int ask(struct arm *arm, const char *value, const char *end)
{
	struct kiln_strbuf asked;
	int tried = 1;

	kiln_strbuf_init(&asked);
	kiln_strbuf_addf(&asked, "%s%s", value, end);
	if (strcmp(asked.data, arm->asked.data)) {
		tried = arch_of(arm->job, value, end, &arm->answer);
		kiln_strbuf_reset(&arm->asked);
		if (tried > 0)
			kiln_strbuf_adds(&arm->asked, asked.data);
	}
	kiln_strbuf_release(&asked);
	return tried;
}

/* Does ADDED ("+lse", "+nolse") before END change what VALUE comes to? As native_try. */
static int changes(struct arm *arm, const char *value, const char *added, const char *end)
{
	struct kiln_strbuf after, text;
	int tried = ask(arm, value, end);

	kiln_strbuf_init(&after);
	kiln_strbuf_init(&text);
	kiln_strbuf_addf(&text, "%s%s", value, added);
	if (tried > 0)
		tried = arch_of(arm->job, text.data, end, &after);
	if (tried > 0)
		tried = strcmp(arm->answer.data, after.data) != 0;
	kiln_strbuf_release(&after);
	kiln_strbuf_release(&text);
	return tried;
}

static int changes_with(struct arm *arm, const char *sign, const char *extension)
{
	struct kiln_strbuf added;
	int tried;

	kiln_strbuf_init(&added);
	kiln_strbuf_addf(&added, "%s%s", sign, extension);
	tried = changes(arm, arm->value.data, added.data, arm->end.data);
	kiln_strbuf_release(&added);
	return tried;
}

/* Is EXTENSION in what the value comes to? As native_try. */
static int is_in(struct arm *arm, const char *extension)
{
	return changes_with(arm, "+no", extension);
}

/* ---- GCC's table of cores ---- */

/* One line of what the plugin prints. */
struct row {
	const char *name;
	size_t name_length;
	unsigned long implementer, part, little; /* little: of a pair, else 0 */
	long variant;                            /* negative: any */
};

/* The fields of "cpu NAME ARCH IMPLEMENTER PART VARIANT", separated by tabs. */
static bool split_row(const char *line, struct row *ret_row)
{
	const char *fields[6];
	char *end;

	for (size_t i = 0; i < 6; i++) {
		fields[i] = line;
		line += strcspn(line, "\t\n");
		if (i < 5 && *line != '\t')
			return false;
		line++;
	}
	if (strncmp(fields[0], "cpu\t", 4))
		return false;
	ret_row->name = fields[1];
	ret_row->name_length = strcspn(fields[1], "\t");
	ret_row->implementer = strtoul(fields[3], NULL, 16);
	ret_row->part = strtoul(fields[4], &end, 16);
	ret_row->little = *end == '.' ? strtoul(end + 1, NULL, 16) : 0;
	ret_row->variant = strtol(fields[5], NULL, 0);
	return true;
}

enum { IMPLEMENTER, VARIANT, PART, REVISION };

static const char *const keys[] = {
	[IMPLEMENTER] = "CPU implementer",
	[VARIANT] = "CPU variant",
	[PART] = "CPU part",
	[REVISION] = "CPU revision",
	NULL,
};

static unsigned long number(const struct native_core *core, size_t key)
{
	return core->values[key] ? strtoul(core->values[key], NULL, 0) : 0;
}

static bool has_part(const struct native_machine *machine, unsigned long part)
{
	for (size_t i = 0; i < machine->nr_types; i++) {
		if (number(&machine->types[i], PART) == part)
			return true;
	}
	return false;
}

/* Is every core of the machine one that ROW is for, and each of ROW's there? */
static bool is_row_for(const struct row *row, const struct native_machine *machine)
{
	for (size_t i = 0; i < machine->nr_types; i++) {
		const struct native_core *core = &machine->types[i];
		unsigned long part = number(core, PART);

		if (number(core, IMPLEMENTER) != row->implementer)
			return false;
		if (part != row->part && (!row->little || part != row->little))
			return false;
		if (row->variant >= 0 && number(core, VARIANT) != (unsigned long)row->variant)
			return false;
	}
	return has_part(machine, row->part) && (!row->little || has_part(machine, row->little));
}

/* The first that fits, as in the driver. */
static void find_row(struct arm *arm, const char *table)
{
	for (; *table; table += strcspn(table, "\n"), table += *table == '\n') {
		struct row row;

		if (!split_row(table, &row) || !is_row_for(&row, &arm->job->machine))
			continue;
		kiln_strbuf_add(&arm->name, row.name, row.name_length);
		return;
	}
}

static enum cli_status look_up(struct arm *arm)
{
	struct kiln_strbuf table;
	enum cli_status status;

	kiln_strbuf_init(&table);
	status = cli_list_cpus(arm->job->cc, arm->job->args->plugin, &table);
	if (status == CLI_OK && !strstr(table.data, "cpu\t"))
		status = cli_trouble("the plugin does not list the cores that '%s' knows",
				     arm->job->cc);
	if (status == CLI_OK)
		find_row(arm, table.data);
	kiln_strbuf_release(&table);
	return status;
}

/* ---- where the name comes from ---- */

/* GCC's driver falls back to the first architecture too. */
static void take_machine(struct arm *arm, const char *why)
{
	if (arm->name.length) {
		kiln_strbuf_addf(&arm->value, "-mcpu=%s", arm->name.data);
		arm->why = why;
		return;
	}
	kiln_strbuf_adds(&arm->value, "-march=armv8-a");
	arm->why = "by features";
	native_lock_say(arm->lock, "The compiler does not know %s: its features decide.",
			arm->job->machine.nr_types > 1 ? "these cores together" : "this part");
}

static enum cli_status resolve_recorded(struct arm *arm)
{
	enum cli_status status = look_up(arm);

	if (status == CLI_OK)
		take_machine(arm, "by its part number");
	return status;
}

/* The driver says which core it is, or nothing when it has no name for it. */
static enum cli_status resolve_here(struct arm *arm)
{
	static const char cpu[] = "-mcpu=";
	struct cli_words words;
	const char *word = NULL;
	enum cli_status status;

	cli_words_init(&words, "");
	status = native_expand(arm->job, native_aarch64.native_flags, &words);
	while (status == CLI_OK && (word = native_next_word(&words, word))) {
		if (!strncmp(word, cpu, sizeof(cpu) - 1)) {
			word += sizeof(cpu) - 1;
			kiln_strbuf_reset(&arm->name);
			kiln_strbuf_add(&arm->name, word, strcspn(word, "+"));
		}
	}
	cli_words_release(&words);
	if (status == CLI_OK)
		take_machine(arm, "by the driver");
	return status;
}

/* What NAME promises and the machine lacks, but for what is dropped. */
static enum cli_status find_lacking(struct arm *arm, struct native_set *ret_lacking)
{
	const char *extension = NULL;

	while ((extension = native_next_word(&arm->extensions, extension))) {
		int in;

		if (machine_has(arm, extension) != NATIVE_NO || !strcmp(extension, synthetic) ||
		    native_set_has(&arm->job->drop, extension))
			continue;
		in = is_in(arm, extension);
		if (in < 0)
			return CLI_TROUBLE;
		if (in)
			native_set_add_string(ret_lacking, extension);
	}
	return CLI_OK;
}

static enum cli_status refuse_name(struct arm *arm, const struct native_set *lacking)
{
	struct kiln_strbuf list, drop;

	if (look_up(arm) != CLI_OK)
		return CLI_TROUBLE;
	kiln_strbuf_init(&list);
	kiln_strbuf_init(&drop);
	for (size_t i = 0; i < lacking->count; i++) {
		kiln_strbuf_addf(&list, "%s%s", i ? " " : "", lacking->words[i]);
		kiln_strbuf_addf(&drop, "%s%s", i ? "," : "", lacking->words[i]);
	}
	cli_trouble("'%s' promises what the machine of '%s' lacks: %s; it is %s%s%s, and "
		    "--drop=%s takes them out",
		    arm->job->cpu.data, native_record(arm->job), list.data,
		    arm->name.length ? "'" : "",
		    arm->name.length ? arm->name.data : "a part that the compiler does not know",
		    arm->name.length ? "'" : "", drop.data);
	kiln_strbuf_release(&list);
	kiln_strbuf_release(&drop);
	return CLI_TROUBLE;
}

static enum cli_status resolve_named(struct arm *arm)
{
	enum cli_status status = CLI_OK;
	struct native_set lacking;

	kiln_strbuf_addf(&arm->value, "-mcpu=%s", arm->job->cpu.data);
	arm->why = "by --cpu";
	native_set_init(&lacking);
	if (arm->job->has_machine)
		status = find_lacking(arm, &lacking);
	if (status == CLI_OK && lacking.count)
		status = refuse_name(arm, &lacking);
	else
		kiln_strbuf_add(&arm->name, arm->job->cpu.data, strcspn(arm->job->cpu.data, "+"));
	native_set_release(&lacking);
	return status;
}

/* ---- the extensions ---- */

/* The value with all that the machine has, denied or not. */
static void add_everything(const struct arm *arm, struct kiln_strbuf *value)
{
	const char *extension = NULL;

	kiln_strbuf_adds(value, arm->value.data);
	while ((extension = native_next_word(&arm->extensions, extension))) {
		if (machine_has(arm, extension) == NATIVE_YES)
			kiln_strbuf_addf(value, "+%s", extension);
	}
}

/* A denial counts if the extension would be there without it. */
static enum cli_status find_denied(struct arm *arm)
{
	const struct native_denials *denials = &arm->job->denials;
	enum cli_status status = CLI_OK;
	struct kiln_strbuf value;

	kiln_strbuf_init(&value);
	add_everything(arm, &value);
	for (size_t i = 0; status == CLI_OK && i < denials->count; i++) {
		const char *flag = denials->list[i].flag;
		int changed;

		if (strncmp(flag, "+no", 3) || !is_known(arm, flag + 3))
			continue;
		changed = changes(arm, value.data, flag, arm->end.data);
		if (changed < 0)
			status = CLI_TROUBLE;
		if (changed <= 0)
			continue;
		native_set_add_string(&arm->denied, flag);
		kiln_strbuf_adds(&arm->end, flag);
	}
	kiln_strbuf_release(&value);
	return status;
}

/* What the machine has beyond the name: in GCC's order, and only what makes a difference. */
static enum cli_status add_extra(struct arm *arm)
{
	const char *extension = NULL;

	while ((extension = native_next_word(&arm->extensions, extension))) {
		int changed;

		if (machine_has(arm, extension) != NATIVE_YES)
			continue;
		changed = changes_with(arm, "+", extension);
		if (changed < 0)
			return CLI_TROUBLE;
		if (!changed)
			continue;
		kiln_strbuf_addf(&arm->value, "+%s", extension);
		native_set_add_string(&arm->extra, extension);
	}
	return CLI_OK;
}

/* In GCC 12 +crypto is one more feature, which +noaes leaves and which has all of AES. */
static enum cli_status take_crypto_apart(struct arm *arm, const struct native_set *gone)
{
	bool first = native_set_has(gone, parts[0]), second = native_set_has(gone, parts[1]);
	int in = first || second ? is_in(arm, synthetic) : 0;

	if (in > 0) {
		kiln_strbuf_addf(&arm->value, "+no%s", synthetic);
		if (!first || !second)
			kiln_strbuf_addf(&arm->value, "+%s", parts[first]);
	}
	return in < 0 ? CLI_TROUBLE : CLI_OK;
}

static enum cli_status take_away(struct arm *arm, const struct native_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		kiln_strbuf_addf(&arm->value, "+no%s", set->words[i]);
	return take_crypto_apart(arm, set);
}

static enum cli_status find_features(struct arm *arm)
{
	const char *extension = NULL;

	native_set_release(&arm->features);
	while ((extension = native_next_word(&arm->extensions, extension))) {
		int in = is_in(arm, extension);

		if (in < 0)
			return CLI_TROUBLE;
		if (in)
			native_set_add_string(&arm->features, extension);
	}
	/* GCC 12 writes +crypto, which has both, alone; +nocrypto changes one of the two too. */
	if (strstr(arm->answer.data, "+crypto")) {
		for (size_t i = 0; i < 2; i++)
			native_set_add_string(&arm->features, parts[i]);
	} else if (!native_set_has(&arm->features, parts[0]) ||
		   !native_set_has(&arm->features, parts[1])) {
		native_set_remove(&arm->features, synthetic);
	}
	return CLI_OK;
}

static enum cli_status drop_features(struct arm *arm)
{
	const struct native_set *drop = &arm->job->drop;

	for (size_t i = 0; i < drop->count; i++) {
		const char *nearest;

		if (native_set_has(&arm->features, drop->words[i]))
			continue;
		nearest = kiln_nearest(drop->words[i], native_set_list(&arm->features));
		return cli_trouble(
			"'%s' cannot be dropped: it is not among the CPU's features%s%s%s",
			drop->words[i], nearest ? "; did you mean '" : "", nearest ? nearest : "",
			nearest ? "'?" : "");
	}
	if (!drop->count)
		return CLI_OK;
	return take_away(arm, drop) == CLI_OK ? find_features(arm) : CLI_TROUBLE;
}

static enum cli_status compose(struct arm *arm)
{
	enum cli_status status = find_denied(arm);

	if (status == CLI_OK)
		status = add_extra(arm);
	if (status == CLI_OK)
		status = find_lacking(arm, &arm->missing);
	if (status != CLI_OK)
		return status;
	status = take_away(arm, &arm->missing);
	if (status == CLI_OK)
		status = find_features(arm);
	return status == CLI_OK ? drop_features(arm) : status;
}

/* ---- the lock ---- */

static void say_machine(const struct arm *arm)
{
	const struct native_machine *machine = &arm->job->machine;

	if (machine->nr_types > 1)
		native_lock_say(arm->lock, "%zu core types; what all of them have counts",
				machine->nr_types);
	for (size_t i = 0; i < machine->nr_types; i++) {
		const struct native_core *core = &machine->types[i];
		unsigned long midr = number(core, IMPLEMENTER) << 24 | number(core, VARIANT) << 20 |
				     0xfUL << 16 | number(core, PART) << 4 | number(core, REVISION);

		native_lock_say(arm->lock,
				"CPU: implementer 0x%02lx, part 0x%03lx, variant 0x%lx, "
				"revision %lu (MIDR 0x%08lx)",
				number(core, IMPLEMENTER), number(core, PART),
				number(core, VARIANT), number(core, REVISION), midr);
	}
}

/* Implementers, as in Linux' arch/arm64/include/asm/cputype.h. */
static void take_vendor(const struct arm *arm)
{
	static const struct {
		unsigned long implementer;
		const char *name;
	} vendors[] = {
		{0x41, "arm"},       {0x42, "broadcom"},  {0x43, "cavium"}, {0x46, "fujitsu"},
		{0x48, "hisilicon"}, {0x4e, "nvidia"},    {0x50, "apm"},    {0x51, "qualcomm"},
		{0x61, "apple"},     {0x6d, "microsoft"}, {0xc0, "ampere"},
	};

	for (size_t i = 0; arm->job->has_machine && i < sizeof(vendors) / sizeof(vendors[0]); i++) {
		if (number(&arm->job->machine.types[0], IMPLEMENTER) == vendors[i].implementer)
			kiln_strbuf_adds(&arm->lock->vendor, vendors[i].name);
	}
}

static void write_both(const struct arm *arm)
{
	native_lock_rule(arm->lock, arm->why, "%s%s", arm->value.data, arm->end.data);
	if (!arm->name.length)
		native_lock_rule(arm->lock, "no core is known", "-mtune=generic");
}

/* Without a core's name: -mcpu= would tune as well. */
static enum cli_status write_march(const struct arm *arm)
{
	struct kiln_strbuf arch;
	int tried;

	kiln_strbuf_init(&arch);
	tried = arch_of(arm->job, arm->value.data, arm->end.data, &arch);
	if (tried > 0)
		native_lock_rule(arm->lock, arm->why, "-march=%s", arch.data);
	kiln_strbuf_release(&arch);
	if (tried == 0)
		cli_trouble("'%s' refuses %s%s", arm->job->cc, arm->value.data, arm->end.data);
	return tried > 0 ? CLI_OK : CLI_TROUBLE;
}

static enum cli_status write_rules(const struct arm *arm)
{
	if (native_wants_march(arm->job) && native_wants_mtune(arm->job))
		write_both(arm);
	else if (native_wants_march(arm->job))
		return write_march(arm);
	else
		native_lock_rule(arm->lock, arm->why, "-mtune=%s",
				 arm->name.length ? arm->name.data : "generic");
	return CLI_OK;
}

static enum cli_status write_lock(struct arm *arm)
{
	native_lock_list(arm->lock, "It has", &arm->features);
	native_lock_list(arm->lock, arm->name.length ? "Beyond the name" : "Beyond armv8-a",
			 &arm->extra);
	native_lock_list(arm->lock, "The name promises, and the CPU lacks", &arm->missing);
	native_lock_list(arm->lock, "Dropped", &arm->job->drop);
	if (native_wants_march(arm->job))
		native_lock_denied(arm->lock, &arm->denied);
	native_set_add_all(&arm->lock->features, &arm->features);
	kiln_strbuf_adds(&arm->lock->name, arm->name.data);
	return write_rules(arm);
}

static enum cli_status resolve(const struct native_job *job, struct native_lock *lock)
{
	enum cli_status status;
	struct arm arm;

	status = init(&arm, job, lock);
	say_machine(&arm);
	take_vendor(&arm);
	if (status == CLI_OK && job->cpu.length)
		status = resolve_named(&arm);
	else if (status == CLI_OK && native_is_here(job))
		status = resolve_here(&arm);
	else if (status == CLI_OK)
		status = resolve_recorded(&arm);
	if (status == CLI_OK)
		status = compose(&arm);
	if (status == CLI_OK)
		status = write_lock(&arm);
	release(&arm);
	return status;
}

/* ---- --check ---- */

/* GCC takes the architecture from -march= if there is one; "+NAME" is added to it. */
static void take_flags(struct arm *arm, const struct cli_words *flags)
{
	const char *word = NULL;
	bool has_march = false;

	while ((word = native_next_word(flags, word))) {
		bool is_march = !strncmp(word, "-march=", 7);

		if (is_march || (!has_march && !strncmp(word, "-mcpu=", 6))) {
			kiln_strbuf_reset(&arm->value);
			kiln_strbuf_adds(&arm->value, word);
		}
		has_march |= is_march;
		if (kiln_flag_is_extension(word) && is_known(arm, kiln_extension_name(word)))
			kiln_strbuf_adds(&arm->end, word);
	}
}

static enum cli_status uses(const struct native_job *job, const struct cli_words *flags,
			    struct native_set *ret_features)
{
	enum cli_status status;
	struct arm arm;

	status = init(&arm, job, NULL);
	take_flags(&arm, flags);
	kiln_strbuf_adds(&arm.value, arm.end.data);
	kiln_strbuf_reset(&arm.end);
	if (status == CLI_OK && !arm.value.length)
		status = cli_trouble("'%s' names no CPU", job->args->check);
	if (status == CLI_OK)
		status = find_features(&arm);
	native_set_add_all(ret_features, &arm.features);
	native_set_remove(ret_features, synthetic);
	release(&arm);
	return status;
}

const struct native_arch native_aarch64 = {
	.pattern = "aarch64",
	.keys = keys,
	.words_key = "Features",
	.cpu_flag = "-mcpu=",
	.native_flags = "-mcpu=native",
	.has = has,
	.knows = knows,
	.list = list,
	.resolve = resolve,
	.uses = uses,
};
