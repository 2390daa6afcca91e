/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a rule of the words of a line. Private to the core.
 */
#ifndef KILN_CORE_RULE_H
#define KILN_CORE_RULE_H

#include "kiln/policy.h"
#include "mem.h"
#include "report.h"
#include "words.h"

/* What is needed line after line; the arrays are only reused. */
struct kiln_parser {
	struct kiln_arena *arena; /* rules are made here */
	struct kiln_sink *sink;
	struct kiln_place *places;
	size_t places_capacity;
	struct kiln_setting *settings;
	size_t settings_capacity;
	const struct kiln_policy *cpu; /* what `native` stands for, or NULL */
	bool no_memory; /* ran out: the caller should not go on */
};

void kiln_parser_init(struct kiln_parser *parser, struct kiln_arena *arena);
void kiln_parser_release(struct kiln_parser *parser);

/*
 * Reads the rule that begins with FIRST and goes on with the rest of WORDS.
 * WHERE has its path, which must live as long as the arena, and its line. NULL:
 * there was a fault, and the sink knows.
 */
const struct kiln_rule *kiln_parse_rule(struct kiln_parser *parser, struct kiln_words *words,
					const struct kiln_word *first,
					const struct kiln_where *where);

#endif
