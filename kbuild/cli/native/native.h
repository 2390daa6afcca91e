/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `kiln native`, the command in ../native.c. Private to kbuild/cli.
 *
 *	set.c		sorted sets of words
 *	machine.c	reads /proc/cpuinfo, or a recorded one
 *	cpuid*.c	read a recorded dump of x86's CPUID
 *	driver.c	asks the compiler
 *	deny.c		what kernel code cannot use, and why
 *	lock.c		the policy file that comes of it
 *	cpu-x86*.c	which flags a CPU needs, by architecture; nothing else
 *	cpu-aarch64.c	here knows one
 *	kconfig.c	kernel options that suit a CPU
 *
 * A feature is spelled as GCC spells it, without "-m" or "+". Running out of
 * memory is remembered where it happened and asked for at the end.
 */
#ifndef KILN_NATIVE_H
#define KILN_NATIVE_H

#include "../cli.h"

/*
 * A CPU as resolved: what a lock is written from, and what kernel options are
 * chosen by. All strings belong to whoever filled it in.
 */
struct native_cpu {
	const struct kiln_arch *arch;
	const char *name;   /* GCC's for it ("znver3"), or NULL: GCC has none */
	const char *vendor; /* "intel", "amd"...: as in NAME of CPU_SUP_NAME, in lower case;
			       aarch64: the implementer ("arm", "apple"...); NULL: unknown */
	/*
	 * What it has and a kernel build may rely on, in GCC's spelling without
	 * "-m" or "+" ("pku", "fsgsbase"; "lse", "bti"), sorted, and a NULL.
	 */
	const char *const *features;
	/*
	 * The same in the words of /proc/cpuinfo ("pcid", "la57"; "atomics"),
	 * sorted, and a NULL; NULL: the CPU is known by its name alone.
	 */
	const char *const *words;
};

/* ---- set.c ---- */

/* Words in the order of strcmp, each once. */
struct native_set {
	char **words; /* a NULL after them; NULL: no word was ever added */
	size_t count;
	size_t capacity;
	bool failed; /* memory ran out: something is missing */
};

void native_set_init(struct native_set *set);
void native_set_release(struct native_set *set);
void native_set_add(struct native_set *set, const char *word, size_t length);
void native_set_add_string(struct native_set *set, const char *word);
bool native_set_has(const struct native_set *set, const char *word);
void native_set_remove(struct native_set *set, const char *word);
void native_set_add_all(struct native_set *set, const struct native_set *other);
void native_set_subtract(struct native_set *set, const struct native_set *other);
void native_set_intersect(struct native_set *set, const struct native_set *other);
/* Adds the words of TEXT, which blanks separate. */
void native_set_split(struct native_set *set, const char *text, size_t length);
/* Never NULL; as long as the set is not changed. */
const char *const *native_set_list(const struct native_set *set);

/* ---- machine.c ---- */

#define NATIVE_MAX_KEYS 5

/* What the kernel says of a CPU, and of all that are like it. */
struct native_core {
	char *values[NATIVE_MAX_KEYS]; /* of the architecture's keys; NULL: not said */
	struct native_set words;       /* its features, as /proc/cpuinfo spells them */
	struct native_set lacking;     /* what it surely has not, though /proc/cpuinfo hides it */
	unsigned first_cpu;            /* "processor" */
	unsigned nr_cpus;
};

struct native_machine {
	struct native_core *types; /* in the order of values, whatever the order of CPUs */
	size_t nr_types;
	struct native_set words;   /* those of all types */
	struct native_set lacking; /* those of any */
};

struct native_arch;

/* FILE: NULL is this machine's. With CLI_OK there is at least one type. */
enum cli_status native_machine_read(struct native_machine *machine, const char *file,
				    const struct native_arch *arch);
void native_machine_release(struct native_machine *machine);

/*
 * For what reads a machine otherwise: each CPU is added, with its first_cpu, then
 * the types are put in order. native_machine_add() takes over what CORE points at,
 * unless it returns false: no memory.
 */
bool native_machine_add(struct native_machine *machine, struct native_core *core);
enum cli_status native_machine_finish(struct native_machine *machine);
void native_core_release(struct native_core *core);

/* All of FILE, appended. */
enum cli_status native_read_file(const char *file, struct kiln_strbuf *ret_text);

/* ---- cpuid.c ---- */

/*
 * The same from FILE, what "cpuid -r" printed on an x86. Unlike /proc/cpuinfo it
 * tells what a CPU has not, too.
 */
enum cli_status native_cpuid_read(struct native_machine *machine, const char *file);

/* ---- deny.c ---- */

struct native_denial {
	const char *flag; /* "-mno-avx", "+nosve": the policy's */
	char *reason;     /* one paragraph */
};

struct native_denials {
	struct kiln_policy *policy;
	struct native_denial *list; /* in the policy's order */
	size_t count;
};

enum cli_status native_denials_load(struct native_denials *denials, const struct kiln_arch *arch);
void native_denials_release(struct native_denials *denials);

/* ---- the job ---- */

struct native_job {
	const struct cli_args *args;
	const char *cc;
	const struct kiln_arch *target;  /* of the compiler */
	const struct native_arch *arch;
	struct kiln_strbuf compiler;     /* the first line of its --version, its target */
	bool has_machine;
	struct native_machine machine;   /* this one, or the recorded one */
	struct native_denials denials;
	struct kiln_strbuf cpu;          /* GCC's name by --cpu; "": none was given */
	struct native_set drop;          /* features by --drop, without what is before the name */
	struct native_set dropped_rules; /* whole settings by --drop: "-mtune" */
};

/* The file that the machine is recorded in; NULL: it is this one, or none. */
static inline const char *native_record(const struct native_job *job)
{
	return job->args->cpuinfo ? job->args->cpuinfo : job->args->cpuid;
}

static inline bool native_is_here(const struct native_job *job)
{
	return !job->args->cpu && !native_record(job);
}

/* Which of the two halves of the answer are wanted: --axis. */
bool native_wants_march(const struct native_job *job);
bool native_wants_mtune(const struct native_job *job);

/* ---- lock.c ---- */

/* A policy in the making, and the CPU that it is for. */
struct native_lock {
	const struct native_job *job;
	struct kiln_strbuf about; /* comment lines */
	struct kiln_strbuf rules;
	struct native_set features; /* what the CPU has and is not denied */
	struct kiln_strbuf name;    /* GCC's for it; "": it has none */
	struct kiln_strbuf vendor;  /* in lower case; "": unknown */
};

void native_lock_init(struct native_lock *lock, const struct native_job *job);
void native_lock_release(struct native_lock *lock);
bool native_lock_failed(const struct native_lock *lock);

/* A comment, wrapped. */
void native_lock_say(struct native_lock *lock, const char *format, ...) KILN_PRINTF(2, 3);
/* "TITLE: word word...", wrapped; nothing when the set is empty. */
void native_lock_list(struct native_lock *lock, const char *title, const struct native_set *set);
/* Tells which of the job's denials were needed, and why: those whose flag is in FLAGS. */
void native_lock_denied(struct native_lock *lock, const struct native_set *flags);
/* A rule; WHY, perhaps NULL, is its comment. Left out if --drop names the setting. */
void native_lock_rule(struct native_lock *lock, const char *why, const char *format, ...)
	KILN_PRINTF(3, 4);
/* The whole text. */
void native_lock_text(const struct native_lock *lock, struct kiln_strbuf *ret_text);
/* Writes TEXT to FILE at once or not at all; "-" and NULL: stdout. */
enum cli_status native_lock_write(const char *file, bool force, const struct kiln_strbuf *text);

/* ---- driver.c ---- */

/*
 * Runs the compiler with WORDS. 1: it succeeded; 0: it failed, which is no
 * fault; negative: trouble, which was said.
 */
int native_try(const struct native_job *job, const struct cli_words *words, enum cli_take take,
	       struct kiln_strbuf *out);

/* Does the compiler take OPTION with VALUE, written together? As native_try. */
int native_takes(const struct native_job *job, const char *option, const char *value);

/*
 * The words of the command line that the driver runs cc1 with when it is given
 * OPTIONS, on an empty unit in C.
 */
enum cli_status native_expand(const struct native_job *job, const char *options,
			      struct cli_words *ret_words);

/* The next of WORDS after WORD; the first with NULL; NULL: no more. */
const char *native_next_word(const struct cli_words *words, const char *word);

/* ---- cpu-*.c ---- */

enum native_answer {
	NATIVE_NO,
	NATIVE_YES,
	NATIVE_UNKNOWN, /* the kernel does not tell */
};

struct native_arch {
	const char *pattern;	  /* of the architecture's names, for kiln_arch_matches() */
	const char *const *keys;  /* of /proc/cpuinfo, a CPU's type; NULL after them */
	const char *words_key;	  /* "flags", "Features" */
	const char *cpu_flag;	  /* that a policy names a CPU with besides "-march=" */
	const char *native_flags; /* that the driver expands for this machine */
	enum native_answer (*has)(const struct native_machine *machine, const char *feature);
	/* Reads --cpuid's FILE; NULL: there is no such record. */
	enum cli_status (*read_cpuid)(struct native_machine *machine, const char *file);
	/* Does GCC know the CPU? As native_try. */
	int (*knows)(const struct native_job *job, const char *cpu);
	/* The names that it knows, in its order. */
	enum cli_status (*list)(const struct native_job *job, struct cli_words *ret_names);
	enum cli_status (*resolve)(const struct native_job *job, struct native_lock *lock);
	/* The features that FLAGS, of a policy, let GCC use, of those that a CPU may lack. */
	enum cli_status (*uses)(const struct native_job *job, const struct cli_words *flags,
				struct native_set *ret_features);
};

extern const struct native_arch native_aarch64;
extern const struct native_arch native_x86;

/* ---- kconfig.c ---- */

/*
 * Prints, on stdout, a configuration fragment for the kernel TREE that suits CPU:
 * only symbols that TREE has. What is set otherwise in CONFIG (a .config; NULL:
 * TREE/.config if there is one) is told on stderr, symbol by symbol. Changes no file.
 */
enum cli_status native_kconfig(const struct native_cpu *cpu, const char *tree, const char *config);

#endif
