/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts that the subcommands of `kiln` share. Private to kbuild/cli.
 *
 * A subcommand is one file with one struct cli_command in it, named in the
 * table of kiln.c. Its options are a table too, from which both the parser and
 * the help text are made, so that neither can know an option that the other
 * does not. One that does several things has a table of verbs, each a command as
 * well, in a file of its own. Subcommands use the core through include/kiln alone.
 */
#ifndef KILN_CLI_H
#define KILN_CLI_H

#include "kiln/base.h"
#include "kiln/arch.h"
#include "kiln/decide.h"
#include "kiln/err.h"
#include "kiln/policy.h"
#include "kiln/strbuf.h"

/* Exit statuses of every subcommand. */
enum cli_status {
	CLI_OK = 0,
	CLI_BAD_POLICY = 1, /* the policy was read and has errors */
	CLI_DIFFERENT = 1,  /* two builds or arms are, and --exit-code asks for it */
	CLI_NOT_KEPT = 1,   /* a function is not what its keep list wants it to be */
	CLI_TROUBLE = 2,    /* wrong usage, or something could not be done */
};

/* Everything that the options of any subcommand can set; unset: NULL, false. */
struct cli_args {
	const char *alpha;
	const char *arch;
	const char *axis;
	const char *by;
	const char *cc;
	const char *check;
	const char *config;
	const char *cpu;
	const char *cpuid;
	const char *cpuinfo;
	const char *defined_in;
	const char *drop;
	const char *from;
	const char *html;
	const char *kconfig;
	const char *keep;
	const char *more;
	const char *object;
	const char *output;
	const char *plain;
	const char *plugin;
	const char *policy;
	const char *rustc;
	const char *section;
	const char *title;
	const char *top;
	bool csv;
	bool exit_code;
	bool force;
	bool help;
	bool json;
	bool no_guard;
	bool patch;
	bool quiet;
	bool remove;
	bool rust;
	bool stamp;
	bool verbose;
	bool version;
	char **operands;
	int nr_operands;
};

struct cli_option {
	const char *name;  /* without the "--" */
	const char *value; /* what the help calls its value; NULL: it takes none */
	const char *help;
	size_t offset; /* in struct cli_args: const char * with a value, else bool */
	char letter;   /* "-o FILE" is a short form; 0: there is none */
};

#define CLI_LETTER(letter, name, value, field, help)                        \
	{                                                                   \
		name, value, help, offsetof(struct cli_args, field), letter \
	}
#define CLI_VALUE(name, value, field, help) CLI_LETTER(0, name, value, field, help)
#define CLI_SWITCH(name, field, help)       CLI_LETTER(0, name, NULL, field, help)
#define CLI_END                     \
	{                           \
		NULL, NULL, NULL, 0, 0 \
	}
#define CLI_HELP CLI_SWITCH("help", help, "print this and do nothing else")

struct cli_command {
	const char *name;
	const char *operands; /* for the help: "POLICY..." */
	int min_operands;
	int max_operands;                 /* negative: any number */
	bool stop_at_operand;             /* what follows the first is not for this command */
	const char *summary;              /* one line without a full stop */
	const char *details;              /* more lines, each ends in a newline */
	const struct cli_option *options; /* ends with a NULL name */
	enum cli_status (*run)(const struct cli_args *args);
	const struct cli_command *const *verbs; /* its first operand names one; or NULL */
};

extern const struct cli_command cli_check;
extern const struct cli_command cli_diff;
extern const struct cli_command cli_experiment;
extern const struct cli_command cli_explain;
extern const struct cli_command cli_flags;
extern const struct cli_command cli_help;
extern const struct cli_command cli_integrate;
extern const struct cli_command cli_keep;
extern const struct cli_command cli_make;
extern const struct cli_command cli_native;
extern const struct cli_command cli_pack;
extern const struct cli_command cli_policies;
extern const struct cli_command cli_replay;
extern const struct cli_command cli_report;
extern const struct cli_command cli_why;

/* ---- options.c ---- */

/*
 * Reads ARGV after its first word. COMMAND gives the options; with a
 * STOP_AT_OPERAND the options end there. False: a fault, which was said.
 */
bool cli_parse(const struct cli_command *command, bool stop_at_operand, int argc, char **argv,
	       struct cli_args *ret_args);

/* Usage, summary and options of COMMAND, on stdout. */
void cli_print_help(const struct cli_command *command);

/* ---- say.c ---- */

/* "kiln: error: ..." on stderr. Returns CLI_TROUBLE. */
enum cli_status cli_trouble(const char *format, ...) KILN_PRINTF(1, 2);
enum cli_status cli_no_memory(void);

/* "kiln: note: ..." on stderr. */
void cli_note(const char *format, ...) KILN_PRINTF(1, 2);

/* Prints the core's messages on stderr, as the plugin does. */
struct cli_sink {
	struct kiln_sink sink;
	unsigned errors;
	bool trouble; /* a policy could not be read, or memory ran out */
};

void cli_sink_init(struct cli_sink *sink);

/* Writes out what stdout holds: STATUS, or CLI_TROUBLE if that fails. */
enum cli_status cli_finish_output(enum cli_status status);

/* ---- output.c ---- */

/* On stdout, with its quotes. Names are bytes: one that is no UTF-8 is told by its number. */
void cli_print_json_string(const char *text);
void cli_add_json_string(struct kiln_strbuf *sb, const char *text);
/* On stdout; with quotes only where it must have them. */
void cli_print_csv_string(const char *text);

/* As a glob that matches nothing else, in place of what SB has. */
void cli_add_literal(struct kiln_strbuf *sb, const char *text, size_t length);

/* Of --json and --csv one can be asked for; both: that is said. */
enum cli_status cli_check_outputs(const struct cli_args *args);

/* How much --top asks for, 0 being all; without it that depends on the output. */
enum cli_status cli_parse_top(const struct cli_args *args, size_t *ret_top);

/* ---- policy.c ---- */

/*
 * Reads the policies NAMES in turn as one. Faults are said; the status tells
 * their kind, and *RET_POLICY is set only with CLI_OK.
 */
enum cli_status cli_load(char *const *names, int count, struct kiln_policy **ret_policy);

/* The same with what CPU, unless it is NULL, says for `native`; it must outlive the policy. */
enum cli_status cli_load_for_cpu(const struct kiln_policy *cpu, char *const *names, int count,
				 struct kiln_policy **ret_policy);

/*
 * The architecture that --arch=NAME chose, or the host's when NAME is NULL;
 * NULL with a note if Kiln knows no such host.
 */
enum cli_status cli_arch(const char *name, const struct kiln_arch **ret_arch);

/* "PATH:LINE:COLUMN" of a setting, appended to SB. */
void cli_add_place(struct kiln_strbuf *sb, const struct kiln_setting *setting);

/* The setting as the policy spells it: its flag or its word. */
const char *cli_setting_name(const struct kiln_setting *setting);

/* Is SETTING one of those that VERDICT says hold? */
bool cli_verdict_has(const struct kiln_verdict *verdict, const struct kiln_setting *setting);

/* ---- run.c ---- */

/* Words of a command line, with a NUL after each. */
struct cli_words {
	struct kiln_strbuf text;
	size_t count;
};

/* Begins with the words of COMMAND, which blanks separate; none with "". */
void cli_words_init(struct cli_words *words, const char *command);
void cli_words_release(struct cli_words *words);
void cli_words_add(struct cli_words *words, const char *format, ...) KILN_PRINTF(2, 3);
void cli_words_add_all(struct cli_words *words, const struct cli_words *more);

/* What of a program's output is read; the rest is passed on, or dropped. */
enum cli_take {
	CLI_TAKE_OUT,      /* stdout; stderr is passed on */
	CLI_TAKE_OUT_ONLY, /* stdout; stderr is dropped */
	CLI_TAKE_BOTH,     /* both, mixed */
};

/*
 * Runs WORDS, found through PATH, and appends what it prints to OUT. Its exit
 * status; negative: trouble, which was said.
 */
int cli_run(const struct cli_words *words, enum cli_take take, struct kiln_strbuf *out);

/* The same with the streams of this program; its exit status, negative: a signal ended it. */
enum cli_status cli_run_through(const struct cli_words *words, int *ret_status);

/* The file that NAME is run from, links followed. False: there is none in PATH. */
bool cli_find_program(const char *name, char *ret_path, size_t size);

/*
 * The same for one after the other: *PATH is what is left to look through, and begins
 * as cli_program_path(NAME).
 */
const char *cli_program_path(const char *name);
bool cli_find_next_program(const char **path, const char *name, char *ret_path, size_t size);

/* ---- rust.c ---- */

/*
 * Appends to RET the KRUSTFLAGS, on one line without its end, that are in step
 * with the CPU flags that POLICY has for every unit of ARCH. RUSTC (NULL: $RUSTC, or
 * "rustc") is asked what it knows; what it does not is told on stderr and left out.
 */
enum cli_status cli_rust_flags(const struct kiln_policy *policy, const struct kiln_arch *arch,
			       const char *rustc, struct kiln_strbuf *ret);

/* Why FLAG is no concern of cli_rust_flags(); NULL: it is one. */
const char *cli_rust_loss(const char *flag);

/* ---- compiler.c ---- */

/* Appends the first line of what "CC OPTION" prints to SB, without its end. */
enum cli_status cli_ask(const char *cc, const char *option, struct kiln_strbuf *sb);

/* Appends the directory above the one that this executable is in. */
enum cli_status cli_find_prefix(struct kiln_strbuf *ret_prefix);

/*
 * The plugin for CC: PLUGIN, or if that is NULL the one that KILN_PLUGIN names, or
 * that is beside this program. Its path, with a slash in it.
 */
enum cli_status cli_find_plugin(const char *cc, const char *plugin, struct kiln_strbuf *ret_path);

/*
 * Does CC load PLUGIN, a path, and was that built for it? If not, RET_WHY gets the first
 * line of what was said.
 */
bool cli_plugin_runs(const char *cc, const char *plugin, struct kiln_strbuf *ret_why);

/* Appends the plugin's argument KEY as the compiler takes it: "-fplugin-arg-kiln-KEY". */
void cli_add_argument(struct kiln_strbuf *sb, const char *plugin, const char *key);

/*
 * Has the compiler CC, a command with its words separated by blanks, judge the
 * flags of the policies NAMES with the plugin PLUGIN (NULL: it is looked for). CPU
 * is the file that says what `native` stands for, or NULL.
 */
enum cli_status cli_judge(const char *cc, const char *plugin, const char *cpu, char *const *names,
			  int count);

/* The architecture that CC compiles for; NULL if Kiln does not know it. */
enum cli_status cli_target_arch(const char *cc, const struct kiln_arch **ret_arch);

/*
 * Appends the CPUs and extensions that CC knows, as the plugin lists them: the
 * argument `cpus`.
 */
enum cli_status cli_list_cpus(const char *cc, const char *plugin, struct kiln_strbuf *ret_list);

#endif
