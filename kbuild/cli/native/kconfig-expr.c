// SPDX-License-Identifier: GPL-2.0-or-later
#include "kconfig.h"

#include <stdlib.h>
#include <string.h>

/* ---- a .config ---- */

void kconfig_config_init(struct kconfig_config *config)
{
	keep_table_init(&config->table, sizeof(struct kconfig_setting));
	config->is_read = false;
}

void kconfig_config_release(struct kconfig_config *config)
{
	for (size_t i = 0; i < config->table.nr_slots; i++) {
		struct kconfig_setting *setting = (struct kconfig_setting *)config->table.slots[i];

		if (setting)
			free(setting->value);
	}
	keep_table_release(&config->table);
}

void kconfig_config_set(struct kconfig_config *config, const char *name, int length,
			const char *value, int value_length)
{
	struct kconfig_setting *setting;
	char *copy;

	setting = (struct kconfig_setting *)keep_table_add(&config->table, name, (size_t)length);
	copy = setting ? strndup(value, (size_t)value_length) : NULL;
	if (!copy) {
		config->table.failed = true;
		return;
	}
	free(setting->value);
	setting->value = copy;
}

static const char prefix[] = "CONFIG_", not_set[] = " is not set";

#define PREFIX_LENGTH (sizeof(prefix) - 1)

/* "CONFIG_NAME=value" */
static void parse_value(struct kconfig_config *config, const char *line, int length)
{
	const char *name = line + PREFIX_LENGTH, *end = line + length;
	const char *equals = (const char *)memchr(line, '=', (size_t)length);
	const char *value;

	if (strncmp(line, prefix, PREFIX_LENGTH) || !equals)
		return;
	value = equals + 1;
	if (end - value >= 2 && *value == '"' && end[-1] == '"') {
		value++;
		end--;
	}
	kconfig_config_set(config, name, (int)(equals - name), value, (int)(end - value));
}

/* "# CONFIG_NAME is not set" */
static void parse_comment(struct kconfig_config *config, const char *line, int length)
{
	int name_length = length - (int)(2 + PREFIX_LENGTH + sizeof(not_set) - 1);

	if (name_length < 1 || strncmp(line + 2, prefix, PREFIX_LENGTH) ||
	    strncmp(line + length - (sizeof(not_set) - 1), not_set, sizeof(not_set) - 1))
		return;
	kconfig_config_set(config, line + 2 + PREFIX_LENGTH, name_length, "n", 1);
}

void kconfig_config_parse(struct kconfig_config *config, const char *text)
{
	while (*text) {
		int length = (int)strcspn(text, "\n");
		int used = length && text[length - 1] == '\r' ? length - 1 : length;

		if (!strncmp(text, "# ", 2))
			parse_comment(config, text, used);
		else
			parse_value(config, text, used);
		text += length + (text[length] == '\n');
	}
	config->is_read = true;
}

const char *kconfig_config_get(const struct kconfig_config *config, const char *name, int length)
{
	const struct kconfig_setting *setting = (const struct kconfig_setting *)keep_table_find(
		&config->table, name, (size_t)length);

	return setting && setting->value ? setting->value : "n";
}

static enum kconfig_value as_value(const char *text)
{
	if (!strcmp(text, "y"))
		return KCONFIG_Y;
	return strcmp(text, "m") ? KCONFIG_N : KCONFIG_M;
}

enum kconfig_value kconfig_config_value(const struct kconfig_config *config, const char *name)
{
	return as_value(kconfig_config_get(config, name, (int)strlen(name)));
}

/* ---- expressions ---- */

/* Deeper parentheses are of nobody's making. */
#define MAX_DEPTH 100

struct judge {
	const struct kconfig_config *config;
	const char *p;
	int depth;
	bool failed; /* not understood */
};

/* Whatever is compared: a name, a number, or a string. */
struct operand {
	const char *text;
	int length;
	bool is_name;
	bool is_macro; /* "$(cc-option,-mx)": a question to the compiler */
};

static enum kconfig_value judge_or(struct judge *judge);

static void skip_blanks(struct judge *judge)
{
	judge->p += strspn(judge->p, " \t");
}

static bool take(struct judge *judge, const char *token)
{
	size_t length = strlen(token);

	skip_blanks(judge);
	if (strncmp(judge->p, token, length))
		return false;
	judge->p += length;
	return true;
}

/* What is up to the parenthesis that closes "$(". */
static int macro_length(const char *p)
{
	int depth = 0, length = 1;

	do {
		depth += p[length] == '(';
		depth -= p[length] == ')';
		length++;
	} while (depth && p[length]);
	return length;
}

static bool take_operand(struct judge *judge, struct operand *ret)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_.-/";

	skip_blanks(judge);
	*ret = (struct operand){judge->p, 0, false, false};
	if (*judge->p == '"' || *judge->p == '\'') {
		const char quote[] = {*judge->p, '\0'};

		ret->text++;
		ret->length = (int)strcspn(ret->text, quote);
		judge->p = ret->text + ret->length + (ret->text[ret->length] != '\0');
		return true;
	}
	ret->is_macro = !strncmp(judge->p, "$(", 2);
	ret->is_name = !ret->is_macro;
	ret->length = ret->is_macro ? macro_length(judge->p) : (int)strspn(judge->p, letters);
	judge->p += ret->length;
	return ret->length > 0;
}

/* "64" is a number, "64BIT" a name. */
static bool is_constant(const struct operand *operand)
{
	char *end;

	if (!operand->is_name || (operand->length == 1 && strchr("ymn", operand->text[0])))
		return true;
	strtol(operand->text, &end, 0);
	return end == operand->text + operand->length;
}

/* The operand's value, as text, for free(). */
static char *text_of(const struct judge *judge, const struct operand *operand)
{
	if (is_constant(operand))
		return strndup(operand->text, (size_t)operand->length);
	return strdup(kconfig_config_get(judge->config, operand->text, operand->length));
}

static const char *const relations[] = {"!=", "<=", ">=", "=", "<", ">"};

enum relation { NOT_EQUAL, AT_MOST, AT_LEAST, EQUAL, BELOW, ABOVE, NO_RELATION };

static enum relation take_relation(struct judge *judge)
{
	for (int i = 0; i < NO_RELATION; i++) {
		if (take(judge, relations[i]))
			return (enum relation)i;
	}
	return NO_RELATION;
}

/* Numbers as numbers, everything else as text. */
static int compare_texts(const char *a, const char *b)
{
	char *a_end, *b_end;
	long a_number = strtol(a, &a_end, 0), b_number = strtol(b, &b_end, 0);

	if (*a && *b && !*a_end && !*b_end)
		return (a_number > b_number) - (a_number < b_number);
	return strcmp(a, b);
}

static bool relation_holds(enum relation relation, int order)
{
	switch (relation) {
	case NOT_EQUAL:
		return order != 0;
	case AT_MOST:
		return order <= 0;
	case AT_LEAST:
		return order >= 0;
	case EQUAL:
		return order == 0;
	case BELOW:
		return order < 0;
	case ABOVE:
		return order > 0;
	case NO_RELATION:
		break;
	}
	return true;
}

static enum kconfig_value judge_comparison(struct judge *judge)
{
	enum kconfig_value value = KCONFIG_Y;
	struct operand left, right;
	enum relation relation;
	char *a, *b = NULL;

	if (!take_operand(judge, &left)) {
		judge->failed = true;
		return value;
	}
	a = text_of(judge, &left);
	relation = take_relation(judge);
	if (relation == NO_RELATION)
		value = left.is_macro || !a ? KCONFIG_Y : as_value(a);
	else if (!take_operand(judge, &right))
		judge->failed = true;
	else if (!left.is_macro && !right.is_macro && (b = text_of(judge, &right)) && a)
		value = relation_holds(relation, compare_texts(a, b)) ? KCONFIG_Y : KCONFIG_N;
	free(a);
	free(b);
	return value;
}

static enum kconfig_value judge_not(struct judge *judge)
{
	enum kconfig_value value;

	if (judge->depth >= MAX_DEPTH)
		judge->failed = true;
	if (judge->failed)
		return KCONFIG_Y;
	judge->depth++;
	if (take(judge, "!")) {
		value = (enum kconfig_value)(KCONFIG_Y - judge_not(judge));
	} else if (take(judge, "(")) {
		value = judge_or(judge);
		judge->failed |= !take(judge, ")");
	} else {
		value = judge_comparison(judge);
	}
	judge->depth--;
	return value;
}

static enum kconfig_value judge_and(struct judge *judge)
{
	enum kconfig_value value = judge_not(judge);

	while (!judge->failed && take(judge, "&&")) {
		enum kconfig_value right = judge_not(judge);

		value = right < value ? right : value;
	}
	return value;
}

static enum kconfig_value judge_or(struct judge *judge)
{
	enum kconfig_value value = judge_and(judge);

	while (!judge->failed && take(judge, "||")) {
		enum kconfig_value right = judge_and(judge);

		value = right > value ? right : value;
	}
	return value;
}

enum kconfig_value kconfig_judge(const struct kconfig_config *config, const char *expression)
{
	struct judge judge = {.config = config, .p = expression};
	enum kconfig_value value;

	skip_blanks(&judge);
	if (!*judge.p)
		return KCONFIG_Y;
	value = judge_or(&judge);
	skip_blanks(&judge);
	return judge.failed || *judge.p ? KCONFIG_Y : value;
}
