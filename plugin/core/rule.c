// SPDX-License-Identifier: GPL-2.0-or-later
#include "rule.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "flags.h"
#include "kiln/arch.h"
#include "kiln/cpu.h"
#include "kiln/glob.h"
#include "kiln/nearest.h"
#include "report.h"

#include "banned.h"

#define PLACES "all, on, file, func, section or call"

/* How much of a word a message shows. */
#define SHOWN "'%.200s'"

enum role {
	PLACE,
	WHAT,
	FORCE,
	INCLUDE,
};

static const struct keyword {
	char word[12]; /* in place: every word of a policy is compared with them */
	enum role role;
	int kind; /* enum kiln_place_kind or enum kiln_what */
} keywords[] = {
	{"all", PLACE, KILN_ALL},
	{"call", PLACE, KILN_CALL},
	{"default", WHAT, KILN_DEFAULT},
	{"file", PLACE, KILN_FILE},
	{"force", FORCE, 0},
	{"func", PLACE, KILN_FUNC},
	{"include", INCLUDE, 0},
	{"inline", WHAT, KILN_INLINE},
	{"keep", WHAT, KILN_KEEP},
	{"leave", WHAT, KILN_LEAVE},
	{"noinline", WHAT, KILN_NOINLINE},
	{"on", PLACE, KILN_ON},
	{"section", PLACE, KILN_SECTION},
};

#define NR_KEYWORDS (sizeof(keywords) / sizeof(keywords[0]))

/* Where the keywords with a first letter begin: two of three words are looked up. */
static const unsigned char first_keyword[256] = {
	['a'] = 0, ['c'] = 1, ['d'] = 2,  ['f'] = 3,  ['i'] = 6,
	['k'] = 8, ['l'] = 9, ['n'] = 10, ['o'] = 11, ['s'] = 12,
};

/* A line on its way to become a rule. */
struct line {
	struct kiln_parser *parser;
	struct kiln_words *words;
	const struct kiln_where *where;
	struct kiln_word word; /* the latest that was read */
	bool again;            /* it is to be read again */
	bool broken;           /* what follows cannot be read, which was reported */
	size_t nr_places;
	size_t nr_settings;
	unsigned column_of[KILN_CALL + 1]; /* the last place of each kind; 0: none */
	unsigned force;                    /* column of the word; 0: there is none */
	bool bad;                          /* a fault was reported */
	bool unknown;    /* an unknown word was: what is missing may be what it means */
	bool in_unknown; /* the word before was unknown too: one message is enough */
};

static const char *keyword_of(enum role role, int kind)
{
	for (size_t i = 0; i < NR_KEYWORDS; i++) {
		if (keywords[i].role == role && keywords[i].kind == kind)
			return keywords[i].word;
	}
	return "flag";
}

const char *kiln_what_name(enum kiln_what what)
{
	return keyword_of(WHAT, what);
}

const char *kiln_place_name(enum kiln_place_kind kind)
{
	return keyword_of(PLACE, kind);
}

KILN_PRINTF(3, 4)
static void complain(struct line *line, unsigned column, const char *format, ...)
{
	struct kiln_where where = {line->where->path, line->where->line, column};
	va_list args;

	line->bad = true;
	va_start(args, format);
	kiln_report_args(line->parser->sink, KILN_ERROR, &where, format, args);
	va_end(args);
}

static void no_memory(struct line *line)
{
	line->parser->no_memory = true;
	complain(line, 0, "out of memory");
}

/* The word itself, as a flag: "-fx" or "+x", without a leading '?'; NULL when it is none. */
static const char *flag_of(const struct kiln_word *word)
{
	const char *flag = word->text + (word->text[0] == '?');

	return *flag == '-' || *flag == '+' ? flag : NULL;
}

/* Reads the next word; false when the line has no more that can be read. */
static bool next_word(struct line *line)
{
	if (line->again || line->broken) {
		line->again = false;
		return !line->broken;
	}
	switch (kiln_words_next(line->words, &line->word)) {
	case KILN_READ_WORD:
		return true;
	case KILN_READ_END:
		return false;
	case KILN_READ_OPEN_QUOTE:
		complain(line, line->word.column, KILN_OPEN_QUOTE);
		break;
	case KILN_READ_NO_MEMORY:
		no_memory(line);
		break;
	}
	line->broken = true;
	return false;
}

/* For short words, where calling strcmp costs more than it does. */
static bool equal(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static const struct keyword *find_keyword(const char *word)
{
	size_t i = first_keyword[(unsigned char)word[0]];

	for (; i < NR_KEYWORDS && keywords[i].word[0] == word[0]; i++) {
		if (keywords[i].word[1] == word[1] && equal(keywords[i].word + 1, word + 1))
			return &keywords[i];
	}
	return NULL;
}

/* "function" is nearer to "section", but no one who writes it means that. */
static const struct keyword *abbreviation(const char *word)
{
	for (const struct keyword *k = keywords; k < keywords + NR_KEYWORDS; k++) {
		size_t length = strlen(k->word);

		if (length > 3 && strncmp(k->word, word, length) == 0)
			return k;
	}
	return NULL;
}

static const struct keyword *nearest_keyword(const char *word)
{
	const char *names[NR_KEYWORDS + 1];
	const struct keyword *beginning = abbreviation(word);
	const char *nearest;

	if (beginning)
		return beginning;
	for (size_t i = 0; i < NR_KEYWORDS; i++)
		names[i] = keywords[i].word;
	names[NR_KEYWORDS] = NULL;
	nearest = kiln_nearest(word, names);
	return nearest ? find_keyword(nearest) : NULL;
}

/* ---- patterns ---- */

/* A component of a path pattern that no folded path has; NULL: there is none. */
static const char *find_unfolded(const char *glob)
{
	const char *component = glob + (*glob == '/');
	size_t length;

	for (;; component += length + 1) {
		length = strcspn(component, "/");
		if (length == 0 && component[0] == '/')
			return component;
		if (length == 1 && component[0] == '.')
			return component;
		if (length == 2 && component[0] == '.' && component[1] == '.')
			return component;
		if (!component[length])
			return NULL;
	}
}

static void check_file(struct line *line, const struct kiln_word *word)
{
	const char *glob = word->text;
	const char *odd = find_unfolded(glob);
	size_t last = strlen(glob) - 1;

	if (odd)
		complain(line, kiln_word_column(word, (size_t)(odd - glob)),
			 "pattern " SHOWN " can never match: paths are relative to the kernel "
			 "tree and have no '.', '..' or empty component",
			 glob);
	else if (glob[last] == '/')
		complain(line, kiln_word_column(word, last),
			 "pattern " SHOWN " can never match, because no path ends in '/'; "
			 "did you mean '%.200s**'?",
			 glob, glob);
}

static void check_name(struct line *line, const struct kiln_word *word)
{
	const char *slash = strchr(word->text, '/');

	if (slash)
		complain(line, kiln_word_column(word, (size_t)(slash - word->text)),
			 "pattern " SHOWN " can never match, because no function's name has a "
			 "'/'; the place 'file' takes paths",
			 word->text);
}

static void check_arch(struct line *line, const struct kiln_word *word)
{
	const char *const *names = kiln_arch_names();
	const char *nearest;

	for (const char *const *n = names; *n; n++) {
		if (kiln_glob_match(word->text, *n))
			return;
	}
	nearest = kiln_nearest(word->text, names);
	if (nearest)
		complain(line, word->column,
			 "no known architecture matches " SHOWN "; did you mean '%s'?", word->text,
			 nearest);
	else
		complain(line, word->column,
			 "no known architecture matches " SHOWN
			 "; the names are those of GCC and of the kernel, like 'x86_64' and "
			 "'arm64'",
			 word->text);
}

static void check_pattern(struct line *line, enum kiln_place_kind kind,
			  const struct kiln_word *word)
{
	size_t offset = 0;
	const char *fault = kiln_glob_check(word->text, &offset);

	if (fault) {
		complain(line, kiln_word_column(word, offset), "bad pattern " SHOWN ": %s",
			 word->text, fault);
		return;
	}
	switch (kind) {
	case KILN_ON:
		check_arch(line, word);
		break;
	case KILN_FILE:
		check_file(line, word);
		break;
	case KILN_FUNC:
	case KILN_CALL:
		check_name(line, word);
		break;
	case KILN_ALL:
	case KILN_SECTION:
		break;
	}
}

/* ---- places ---- */

/* Reads the pattern after the place called NAME; false: there is none, which is reported. */
static bool read_pattern(struct line *line, const char *name, unsigned column)
{
	if (!next_word(line)) {
		if (!line->broken)
			complain(line, column, "'%s' needs a pattern after it", name);
		return false;
	}
	if (line->word.raw || !flag_of(&line->word))
		return true;
	complain(line, line->word.column, "'%s' needs a pattern after it, not the flag " SHOWN,
		 name, line->word.text);
	line->again = true;
	return false;
}

static struct kiln_place *new_place(struct line *line)
{
	struct kiln_parser *parser = line->parser;
	void *grown = kiln_grow(parser->places, line->nr_places, &parser->places_capacity,
				sizeof(*parser->places));

	if (!grown) {
		no_memory(line);
		return NULL;
	}
	parser->places = (struct kiln_place *)grown;
	return &parser->places[line->nr_places++];
}

static void check_place_order(struct line *line, const char *name)
{
	/* A line that begins with a setting was refused for that already. */
	if (line->nr_settings && line->nr_places)
		complain(line, line->word.column,
			 "place '%s' stands after a setting; a rule says where before it says "
			 "what",
			 name);
	else if (line->force)
		complain(line, line->word.column,
			 "place '%s' stands after 'force', which belongs to the settings", name);
}

static void parse_place(struct line *line, const struct keyword *keyword)
{
	enum kiln_place_kind kind = (enum kiln_place_kind)keyword->kind;
	unsigned column = line->word.column;
	const char *glob = NULL;
	struct kiln_place *place;

	check_place_order(line, keyword->word);
	line->column_of[kind] = column;
	if (kind != KILN_ALL && read_pattern(line, keyword->word, column)) {
		check_pattern(line, kind, &line->word);
		glob = line->word.text;
	}
	place = new_place(line);
	if (place)
		*place = (struct kiln_place){kind, column, glob};
}

/* ---- settings ---- */

static void check_flag(struct line *line, const struct kiln_setting *setting)
{
	const char *flag = setting->flag;
	const char *fault = kiln_flag_fault(flag);
	bool of_unit = !line->column_of[KILN_FUNC] && !line->column_of[KILN_SECTION];

	if (fault)
		complain(line, setting->column, SHOWN " %s", flag, fault);
	else if (kiln_flag_is_target(flag) && !of_unit)
		complain(line, setting->column,
			 SHOWN " holds for a whole unit and cannot be given for single functions, "
			       "because inline functions of headers are built for another target "
			       "then and could not be inlined",
			 flag);
}

static void check_setting(struct line *line, const struct kiln_setting *setting)
{
	if (!line->nr_places && !line->nr_settings && !line->bad)
		complain(line, setting->column, "a rule begins with a place: " PLACES);
	if (line->column_of[KILN_CALL] && setting->what != KILN_INLINE &&
	    setting->what != KILN_NOINLINE)
		complain(line, setting->column, "'call' takes only 'inline' and 'noinline'");
	else if (setting->flag)
		check_flag(line, setting);
}

static void add_setting(struct line *line, const struct kiln_setting *setting)
{
	struct kiln_parser *parser = line->parser;
	void *grown;

	check_setting(line, setting);
	grown = kiln_grow(parser->settings, line->nr_settings, &parser->settings_capacity,
			  sizeof(*parser->settings));
	if (!grown) {
		no_memory(line);
		return;
	}
	parser->settings = (struct kiln_setting *)grown;
	parser->settings[line->nr_settings++] = *setting;
}

/* The flag that "--param" and the word after it make; NULL: none, which is reported. */
static const char *join_param(struct line *line, unsigned column)
{
	bool found = next_word(line);
	char *joined;

	if (line->broken)
		return NULL;
	if (!found || flag_of(&line->word)) {
		line->again = found;
		complain(line, column, "'--param' needs NAME=VALUE after it");
		return NULL;
	}
	joined = kiln_arena_join(line->parser->arena, "--param=", 8, line->word.text);
	if (!joined)
		no_memory(line);
	return joined;
}

/* Of the flags that a CPU was resolved to, which one of `native` is FLAG a part of? */
static bool is_part_of(const char *flag, const char *native)
{
	bool tunes = strncmp(flag, "-mtune=", 7) == 0 || kiln_flag_key(flag).family == 'p';

	if (strncmp(native, "-mcpu=", 6) == 0)
		return true;
	return tunes == (strncmp(native, "-mtune=", 7) == 0);
}

/* The CPU is in rules for every unit; what single units need besides is not part of it. */
static bool is_of_cpu(const struct kiln_rule *rule)
{
	return rule->unit_scope && !kiln_rule_names(rule, KILN_FILE);
}

/* Adds what SETTING, a `native` flag, stands for. */
static void add_resolved(struct line *line, const struct kiln_setting *setting)
{
	const struct kiln_policy *cpu = line->parser->cpu;
	bool found = false;

	for (size_t i = 0; i < kiln_policy_nr_rules(cpu); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(cpu, i);

		for (unsigned k = 0; is_of_cpu(rule) && k < rule->nr_settings; k++) {
			struct kiln_setting resolved = *setting;

			if (rule->settings[k].what != KILN_FLAG ||
			    !is_part_of(rule->settings[k].flag, setting->flag))
				continue;
			found = true;
			resolved.flag = rule->settings[k].flag;
			resolved.optional = rule->settings[k].optional;
			add_setting(line, &resolved);
		}
	}
	if (!found)
		complain(line, setting->column, "the file that resolves the CPU says nothing of " SHOWN,
			 setting->flag);
}

static void parse_flag(struct line *line, const char *flag)
{
	struct kiln_setting setting = {
		.what = KILN_FLAG,
		.column = line->word.column,
		.optional = line->word.text[0] == '?',
		.flag = flag,
	};

	if (strcmp(flag, "--param") == 0)
		setting.flag = join_param(line, setting.column);
	if (setting.flag && line->parser->cpu && kiln_flag_is_native(setting.flag))
		add_resolved(line, &setting);
	else if (setting.flag)
		add_setting(line, &setting);
}

static void parse_what(struct line *line, const struct keyword *keyword)
{
	struct kiln_setting setting = {
		.what = (enum kiln_what)keyword->kind,
		.column = line->word.column,
	};

	if (line->force && (setting.what == KILN_LEAVE || setting.what == KILN_DEFAULT))
		complain(line, setting.column,
			 "'%s' cannot be forced; 'force' is for what holds in spite of 'leave'",
			 keyword->word);
	add_setting(line, &setting);
}

static void parse_force(struct line *line)
{
	if (line->nr_settings)
		complain(line, line->word.column, "'force' stands before the settings of a rule");
	else if (!line->nr_places && !line->bad)
		complain(line, line->word.column, "a rule begins with a place: " PLACES);
	line->force = line->word.column;
}

/* ---- rules ---- */

static void unknown_word(struct line *line)
{
	const char *word = line->word.text;
	const struct keyword *nearest;

	line->unknown = true;
	if (line->in_unknown)
		return;
	line->in_unknown = true;
	nearest = nearest_keyword(word);
	if (nearest)
		complain(line, line->word.column, "unknown word " SHOWN "; did you mean '%s'?",
			 word, nearest->word);
	else if (!line->nr_places && !line->nr_settings)
		complain(line, line->word.column,
			 "unknown word " SHOWN "; a rule begins with a place: " PLACES, word);
	else
		complain(line, line->word.column,
			 "unknown word " SHOWN "; a place, a GCC flag, default, leave, keep, "
			 "noinline or inline was expected",
			 word);
}

static void parse_keyword(struct line *line, const struct keyword *keyword)
{
	switch (keyword->role) {
	case PLACE:
		parse_place(line, keyword);
		break;
	case WHAT:
		parse_what(line, keyword);
		break;
	case FORCE:
		parse_force(line);
		break;
	case INCLUDE:
		complain(line, line->word.column, "'include' stands at the beginning of a line");
		break;
	}
}

static void parse_word(struct line *line)
{
	const char *flag = flag_of(&line->word);
	const struct keyword *keyword = flag ? NULL : find_keyword(line->word.text);

	if (!flag && !keyword) {
		unknown_word(line);
		return;
	}
	line->in_unknown = false;
	if (flag)
		parse_flag(line, flag);
	else
		parse_keyword(line, keyword);
}

/* What can be said only when all words have been seen. */
static void check_whole(struct line *line)
{
	if (line->unknown || line->broken)
		return;
	if (line->column_of[KILN_CALL] && !line->column_of[KILN_FUNC])
		complain(line, line->column_of[KILN_CALL],
			 "'call' needs a 'func' in the same rule");
	if (line->nr_settings || line->bad)
		return;
	if (line->force)
		complain(line, line->force, "'force' needs a setting after it");
	else
		complain(line, line->word.column,
			 "the rule says where but not what: a GCC flag, default, leave, keep, "
			 "noinline or inline was expected");
}

static const struct kiln_rule *make_rule(struct line *line)
{
	const struct kiln_parser *parser = line->parser;
	size_t places_size = line->nr_places * sizeof(*parser->places);
	size_t settings_size = line->nr_settings * sizeof(*parser->settings);
	struct kiln_rule *rule;
	struct kiln_place *places;
	struct kiln_setting *settings;

	rule = (struct kiln_rule *)kiln_arena_alloc(parser->arena,
						    sizeof(*rule) + places_size + settings_size);
	if (!rule) {
		no_memory(line);
		return NULL;
	}
	settings = (struct kiln_setting *)(rule + 1);
	places = (struct kiln_place *)(settings + line->nr_settings);
	for (size_t i = 0; i < line->nr_settings; i++) {
		settings[i] = parser->settings[i];
		settings[i].rule = rule;
	}
	for (size_t i = 0; i < line->nr_places; i++)
		places[i] = parser->places[i];
	rule->path = line->where->path;
	rule->line = line->where->line;
	rule->force = line->force != 0;
	rule->unit_scope = !line->column_of[KILN_FUNC] && !line->column_of[KILN_SECTION] &&
			   !line->column_of[KILN_CALL];
	rule->nr_places = (unsigned)line->nr_places;
	rule->nr_settings = (unsigned)line->nr_settings;
	rule->places = places;
	rule->settings = settings;
	return rule;
}

const struct kiln_rule *kiln_parse_rule(struct kiln_parser *parser, struct kiln_words *words,
					const struct kiln_word *first,
					const struct kiln_where *where)
{
	struct line line = {
		.parser = parser,
		.words = words,
		.where = where,
		.word = *first,
		.again = true,
	};

	while (next_word(&line))
		parse_word(&line);
	check_whole(&line);
	return line.bad ? NULL : make_rule(&line);
}

void kiln_parser_init(struct kiln_parser *parser, struct kiln_arena *arena)
{
	*parser = (struct kiln_parser){.arena = arena};
}

void kiln_parser_release(struct kiln_parser *parser)
{
	free(parser->places);
	free(parser->settings);
	kiln_parser_init(parser, parser->arena);
}
