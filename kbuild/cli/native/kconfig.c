// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kiln native --kconfig: kernel options that suit a CPU.
 *
 * An option is printed only if it can be so in the configuration that there is:
 * what is not visible there, or is selected by others, is told in a comment, so
 * that every line of a fragment holds after `make olddefconfig`.
 */
#include "kconfig.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct kconfig_arch *const archs[] = {&kconfig_aarch64, &kconfig_x86};

#define NR_ARCHS (sizeof(archs) / sizeof(archs[0]))

struct fragment {
	const struct native_cpu *cpu;
	const struct kconfig_arch *arch;
	struct kconfig_tree tree;
	struct kconfig_config config; /* what there is, and what was printed */
	struct kiln_strbuf version;   /* the tree's */
	struct kiln_strbuf missing;   /* symbols that the tree has not */
	struct kiln_strbuf comment;   /* the last one printed */
	int nr_lines;
	int nr_unknown; /* options that only words could tell of */
};

/* ---- what the CPU is ---- */

enum answer { NO, YES, UNKNOWN };

/* Is one of the words of LIST, separated by blanks, WORD? */
static bool lists_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (const char *p = list; *p; p += strspn(p, " ")) {
		size_t here = strcspn(p, " ");

		if (here == length && !strncmp(p, word, length))
			return true;
		p += here;
	}
	return false;
}

/* The first of WORDS that is in LIST; NULL: none is. */
static const char *first_of(const char *const *words, const char *list)
{
	for (; *words; words++) {
		if (lists_word(list, *words))
			return *words;
	}
	return NULL;
}

static enum answer has_any(const struct native_cpu *cpu, const struct kconfig_option *option)
{
	if (!option->words)
		return YES;
	if (cpu->words)
		return first_of(cpu->words, option->words) ? YES : NO;
	if (!option->features)
		return UNKNOWN;
	return first_of(cpu->features, option->features) ? YES : NO;
}

static enum answer ask_cpu(const struct native_cpu *cpu, const struct kconfig_option *option)
{
	if (option->vendors && !cpu->vendor)
		return UNKNOWN;
	if (option->vendors && !lists_word(option->vendors, cpu->vendor))
		return NO;
	return has_any(cpu, option);
}

/* ---- printing ---- */

/* "REASON (the CPU has no la57)" */
static void make_comment(const struct fragment *fragment, const struct kconfig_option *option,
			 enum answer answer, struct kiln_strbuf *ret)
{
	const char *found = NULL;

	kiln_strbuf_adds(ret, option->reason);
	if (option->words && answer == YES)
		found = fragment->cpu->words ? first_of(fragment->cpu->words, option->words)
					     : first_of(fragment->cpu->features, option->features);
	if (found)
		kiln_strbuf_addf(ret, " (the CPU has %s)", found);
	else if (option->words)
		kiln_strbuf_addf(ret, " (the CPU has no %.*s)", (int)strcspn(option->words, " "),
				 option->words);
	else if (option->vendors)
		kiln_strbuf_addf(ret, " (vendor: %s)", fragment->cpu->vendor);
}

static void print_comment(struct fragment *fragment, const char *comment)
{
	if (strcmp(comment, fragment->comment.data))
		printf("\n# %s\n", comment);
	kiln_strbuf_reset(&fragment->comment);
	kiln_strbuf_adds(&fragment->comment, comment);
}

static void print_value(struct fragment *fragment, const char *symbol, char value)
{
	if (value == 'n')
		printf("# CONFIG_%s is not set\n", symbol);
	else
		printf("CONFIG_%s=%c\n", symbol, value);
	kconfig_config_set(&fragment->config, symbol, (int)strlen(symbol), &value, 1);
	fragment->nr_lines++;
}

/* ---- one option ---- */

static const char letters[] = {[KCONFIG_N] = 'n', [KCONFIG_M] = 'm', [KCONFIG_Y] = 'y'};

static bool holds(const struct fragment *fragment, const char *expression)
{
	return expression && kconfig_judge(&fragment->config, expression) != KCONFIG_N;
}

/* Why SYMBOL cannot be WANTED, which it is not now; NULL: it can. */
static const char *obstacle(const struct fragment *fragment, const struct kconfig_symbol *symbol,
			    char wanted)
{
	if (wanted == 'n' && holds(fragment, symbol->forced))
		return "something else selects it";
	if (holds(fragment, symbol->visible))
		return NULL;
	if (wanted == 'n' && !holds(fragment, symbol->depends))
		return NULL;
	return symbol->visible ? symbol->visible : "nobody can set it";
}

/* The value nearest to WANTED, which is possible. */
static char nearest(const struct fragment *fragment, const struct kconfig_symbol *symbol,
		    char wanted)
{
	if (wanted == 'y' && symbol->is_tristate)
		return letters[kconfig_judge(&fragment->config, symbol->visible)];
	return wanted;
}

static void tell_difference(const struct fragment *fragment, const char *symbol, char value,
			    const char *comment)
{
	char now = letters[kconfig_config_value(&fragment->config, symbol)];

	if (now != value)
		cli_note("CONFIG_%s is %c, the CPU suggests %c: %s", symbol, now, value, comment);
}

/* A module is as good as what is built in. */
static void print_symbol(struct fragment *fragment, const struct kconfig_symbol *symbol,
			 char wanted, const char *comment)
{
	const char *name = symbol->entry.text, *why;
	enum kconfig_value now = kconfig_config_value(&fragment->config, name);
	char value = letters[now];

	print_comment(fragment, comment);
	if (!fragment->config.is_read) {
		print_value(fragment, name, wanted);
		return;
	}
	if ((now == KCONFIG_N) != (wanted == 'n')) {
		why = obstacle(fragment, symbol, wanted);
		if (why) {
			printf("# CONFIG_%s cannot be %c here: %s%s\n", name, wanted,
			       why == symbol->visible ? "that takes " : "", why);
			return;
		}
		value = nearest(fragment, symbol, wanted);
	}
	tell_difference(fragment, name, value, comment);
	print_value(fragment, name, value);
}

static void print_option(struct fragment *fragment, const struct kconfig_option *option)
{
	const struct kconfig_symbol *symbol = kconfig_tree_find(&fragment->tree, option->symbol);
	enum answer answer = ask_cpu(fragment->cpu, option);
	char wanted = answer == YES ? option->yes : option->no;
	struct kiln_strbuf comment;

	fragment->nr_unknown += symbol && answer == UNKNOWN;
	if (answer == UNKNOWN || !wanted)
		return;
	if (!symbol || !symbol->prompt) {
		kiln_strbuf_addf(&fragment->missing, " %s", option->symbol);
		return;
	}
	kiln_strbuf_init(&comment);
	make_comment(fragment, option, answer, &comment);
	print_symbol(fragment, symbol, wanted, comment.data);
	kiln_strbuf_release(&comment);
}

/* ---- faults of the CPU ---- */

static void print_erratum(struct fragment *fragment, const struct kconfig_symbol *symbol)
{
	struct kiln_strbuf comment;

	kiln_strbuf_init(&comment);
	kiln_strbuf_addf(&comment, "Erratum: %s", symbol->prompt);
	if (symbol->is_on) {
		print_symbol(fragment, symbol, 'y', comment.data);
	} else {
		print_comment(fragment, comment.data);
		printf("# CONFIG_%s is left as it is: the kernel's own default is n\n",
		       symbol->entry.text);
	}
	kiln_strbuf_release(&comment);
}

static enum cli_status print_errata(struct fragment *fragment)
{
	struct keep_entry **list;

	if (!fragment->arch->is_erratum)
		return CLI_OK;
	list = keep_table_sorted(&fragment->tree.symbols);
	if (!list)
		return cli_no_memory();
	for (size_t i = 0; list[i]; i++) {
		const struct kconfig_symbol *symbol = (const struct kconfig_symbol *)list[i];

		if (symbol->prompt && fragment->arch->is_erratum(fragment->cpu, symbol))
			print_erratum(fragment, symbol);
	}
	free(list);
	return CLI_OK;
}

/* ---- all of it ---- */

static void print_head(const struct fragment *fragment)
{
	printf("# Options of Linux %s that suit %s, made by: kiln native --kconfig=TREE\n"
	       "# To use it: scripts/kconfig/merge_config.sh -m .config THIS; make olddefconfig\n",
	       fragment->version.data, fragment->cpu->name ? fragment->cpu->name : "this CPU");
	fputs(fragment->arch->remarks, stdout);
}

static enum cli_status print_fragment(struct fragment *fragment)
{
	enum cli_status status;

	print_head(fragment);
	for (const struct kconfig_option *option = fragment->arch->options; option->symbol;
	     option++)
		print_option(fragment, option);
	status = print_errata(fragment);
	if (fragment->missing.length)
		printf("\n# This tree has no%s\n", fragment->missing.data);
	if (!fragment->nr_lines)
		fputs("\n# Nothing else is known to suit it.\n", stdout);
	if (fragment->nr_unknown)
		cli_note("%d options are left out: the CPU's name alone does not tell what it has "
			 "for them",
			 fragment->nr_unknown);
	if (status == CLI_OK &&
	    (fragment->config.table.failed || fragment->missing.failed || fragment->comment.failed))
		return cli_no_memory();
	return status;
}

/* Without CONFIG, one that is not there is no fault. */
static enum cli_status read_config(struct fragment *fragment, const char *tree, const char *config)
{
	struct kiln_strbuf path, text;
	enum cli_status status = CLI_OK;
	int fd;

	kiln_strbuf_init(&path);
	kiln_strbuf_init(&text);
	kiln_strbuf_addf(&path, config ? "%s" : "%s/.config", config ? config : tree);
	fd = open(path.data, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0 && !config && errno == ENOENT)
		cli_note("there is no '%s', so that it is not known which options are possible "
			 "together; --config=FILE names one",
			 path.data);
	else if (fd < 0 || kiln_strbuf_read_fd(&text, fd))
		status = cli_trouble("the configuration '%s' cannot be read: %s", path.data,
				     strerror(errno));
	else
		kconfig_config_parse(&fragment->config, text.data);
	if (fd >= 0)
		close(fd);
	kiln_strbuf_release(&text);
	kiln_strbuf_release(&path);
	return status;
}

static enum cli_status make_fragment(struct fragment *fragment, const char *tree,
				     const char *config)
{
	enum cli_status status = keep_tree_version(tree, &fragment->version);

	if (status == CLI_OK)
		status = kconfig_tree_read(&fragment->tree, tree, fragment->arch->srcarch);
	if (status == CLI_OK)
		status = read_config(fragment, tree, config);
	return status == CLI_OK ? print_fragment(fragment) : status;
}

static const struct kconfig_arch *find_arch(const struct kiln_arch *arch)
{
	for (size_t i = 0; arch && i < NR_ARCHS; i++) {
		if (!strcmp(archs[i]->name, arch->names[0]))
			return archs[i];
	}
	return NULL;
}

enum cli_status native_kconfig(const struct native_cpu *cpu, const char *tree, const char *config)
{
	struct fragment fragment = {.cpu = cpu, .arch = find_arch(cpu->arch)};
	enum cli_status status;

	if (!fragment.arch)
		return cli_trouble("options of a kernel are known for x86_64 and aarch64 alone");
	kconfig_tree_init(&fragment.tree);
	kconfig_config_init(&fragment.config);
	kiln_strbuf_init(&fragment.version);
	kiln_strbuf_init(&fragment.missing);
	kiln_strbuf_init(&fragment.comment);
	status = make_fragment(&fragment, tree, config);
	kiln_strbuf_release(&fragment.comment);
	kiln_strbuf_release(&fragment.missing);
	kiln_strbuf_release(&fragment.version);
	kconfig_config_release(&fragment.config);
	kconfig_tree_release(&fragment.tree);
	return status;
}
