// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/decide.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "flags.h"
#include "kiln/glob.h"
#include "kiln/strbuf.h"
#include "mem.h"

#include "banned.h"

/* Ends a chain, and is greater than every index. */
#define NONE UINT_MAX

#define NR_BUCKETS 64 /* of answers; a power of two */

/*
 * Every rule is in at most one chain; each chain is in policy order. A rule for
 * single functions is found by the hash of a literal name, section or file that
 * it asks for, whichever it has first in this order: names are the most telling.
 * They are sorted into these chains at the first question: a unit that defines
 * no function, such as those by which kbuild tries flags, does not pay for it.
 */
struct entry {
	const struct kiln_rule *rule;
	unsigned hash; /* of its literal, when it is in a bucket */
	unsigned next;
};

/* A verdict once given, found by what it says. */
struct answer {
	struct kiln_verdict verdict;
	struct answer *next;
	unsigned hash;
};

/* A verdict once given, found by the rules that led to it beyond the unit's. */
struct memo {
	const struct kiln_verdict *verdict;
	struct memo *next;
	unsigned hash;
	unsigned mode;
	size_t nr_rules;
	unsigned rules[];
};

/* What sets aside settings of rules without `force`. */
enum mode {
	LEFT = 1,   /* all but keep: the function is to be left alone */
	COPIED = 2, /* keep: see struct kiln_function */
};

/* Rules that hold for single functions, to be found by a function. */
struct table {
	size_t nr_rules;
	unsigned all; /* head of all of them, before the first question */
	unsigned *buckets; /* heads of chains; NULL until then */
	unsigned bucket_mask;
	unsigned wild; /* what has no literal to be found by */
	/*
	 * The wild rules and those found by file whose file and arch places hold
	 * in the file asked about last: functions come file by file.
	 */
	struct kiln_strbuf file;
	bool file_known;
	unsigned *in_file;
	size_t nr_in_file;
};

struct kiln_decider {
	struct kiln_unit unit;
	struct kiln_arena arena;
	struct entry *entries; /* one for each rule of the policy */
	unsigned of_unit; /* head: what holds for the unit and so for each function */
	struct table functions;
	struct table calls;
	const struct kiln_rule **calls_of; /* the answer about calls that was given last */
	/* Room for one question; a list of rules is never longer than the policy. */
	unsigned *matched;
	size_t nr_matched;
	unsigned *merged;
	const struct kiln_setting **settings;
	size_t settings_capacity;
	const struct kiln_setting **seen;
	size_t seen_size; /* a power of two */
	struct answer *answers[NR_BUCKETS];
	struct memo *memos[NR_BUCKETS];
	const struct kiln_verdict *unit_verdict;
	unsigned nr_answers;
};

/* Eight bytes at a time: every name that is asked about is hashed. */
static unsigned hash_bytes(unsigned seed, const void *bytes, size_t count)
{
	const uint64_t prime = 0x9e3779b97f4a7c15; /* 2^64 / the golden ratio: Knuth, 6.4 */
	const unsigned char *b = (const unsigned char *)bytes;
	uint64_t hash = seed, chunk;
	uint32_t half;

	for (; count >= sizeof(chunk); b += sizeof(chunk), count -= sizeof(chunk)) {
		memcpy(&chunk, b, sizeof(chunk));
		hash = (hash ^ chunk) * prime;
		hash ^= hash >> 32;
	}
	chunk = count;
	if (count >= sizeof(half)) {
		memcpy(&half, b, sizeof(half));
		chunk = chunk << 32 | half;
		b += sizeof(half);
		count -= sizeof(half);
	}
	while (count--)
		chunk = (chunk ^ *b++) * 257;
	hash = (hash ^ chunk) * prime;
	return (unsigned)(hash >> 32);
}

/* Func, section and file differ in their last two bits: no rule is in two chains. */
static unsigned hash_name(enum kiln_place_kind kind, const char *name, size_t length)
{
	return hash_bytes(0, name, length) << 2 | ((unsigned)kind & 3);
}

/* ---- which rules hold ---- */

static bool path_holds(const char *glob, const char *path)
{
	return path && kiln_glob_match(glob, path);
}

static bool holds_for_unit(const struct kiln_unit *unit, const char *glob)
{
	return path_holds(glob, unit->source) || path_holds(glob, unit->object);
}

/* Do RULE's files hold for a function that is defined in FILE (NULL: unknown)? */
static bool files_hold(const struct kiln_unit *unit, const struct kiln_rule *rule,
		       const char *file)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		const struct kiln_place *place = &rule->places[i];

		if (place->kind == KILN_FILE && !path_holds(place->glob, file) &&
		    !holds_for_unit(unit, place->glob))
			return false;
	}
	return true;
}

/* Do RULE's names and sections hold for FUNCTION? */
static bool names_hold(const struct kiln_rule *rule, const struct kiln_function *function)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		const struct kiln_place *place = &rule->places[i];

		if (place->kind == KILN_FUNC && !kiln_glob_match(place->glob, function->name))
			return false;
		if (place->kind == KILN_SECTION &&
		    !(function->section && kiln_glob_match(place->glob, function->section)))
			return false;
	}
	return true;
}

bool kiln_rule_is_for(const struct kiln_rule *rule, const struct kiln_arch *arch)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		const struct kiln_place *place = &rule->places[i];

		if (place->kind == KILN_ON && !(arch && kiln_arch_matches(arch, place->glob)))
			return false;
	}
	return true;
}

bool kiln_rule_holds(const struct kiln_rule *rule, const struct kiln_unit *unit,
		     const struct kiln_function *function)
{
	if (!kiln_rule_is_for(rule, unit->arch) ||
	    !files_hold(unit, rule, function ? function->file : NULL))
		return false;
	return function ? names_hold(rule, function) : rule->unit_scope;
}

/* ---- the index ---- */

static void prepend(struct kiln_decider *decider, unsigned *head, unsigned index)
{
	decider->entries[index].next = *head;
	*head = index;
}

/* A file that is the unit's own holds for all its functions, wherever they are defined. */
static bool tells_functions_apart(const struct kiln_unit *unit, const struct kiln_place *place)
{
	return place->kind != KILN_FILE || !holds_for_unit(unit, place->glob);
}

/* Finds the literal to look RULE up by. */
static bool hash_rule(const struct kiln_rule *rule, const struct kiln_unit *unit,
		      unsigned *ret_hash)
{
	static const enum kiln_place_kind kinds[] = {KILN_FUNC, KILN_SECTION, KILN_FILE};

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		for (unsigned i = 0; i < rule->nr_places; i++) {
			const struct kiln_place *place = &rule->places[i];
			size_t length;

			if (place->kind != kinds[k] || !tells_functions_apart(unit, place))
				continue;
			length = kiln_glob_prefix(place->glob);
			if (place->glob[length])
				continue;
			*ret_hash = hash_name(place->kind, place->glob, length);
			return true;
		}
	}
	return false;
}

static void add_to_table(struct kiln_decider *decider, struct table *table, unsigned index)
{
	prepend(decider, &table->all, index);
	table->nr_rules++;
}

static void index_rule(struct kiln_decider *decider, unsigned index)
{
	const struct kiln_rule *rule = decider->entries[index].rule;
	bool of_unit = rule->unit_scope;
	bool is_call = false;

	if (!kiln_rule_is_for(rule, decider->unit.arch))
		return;
	for (unsigned i = 0; i < rule->nr_places; i++) {
		const struct kiln_place *place = &rule->places[i];

		if (place->kind == KILN_FILE && of_unit)
			of_unit = holds_for_unit(&decider->unit, place->glob);
		is_call |= place->kind == KILN_CALL;
	}
	if (is_call)
		add_to_table(decider, &decider->calls, index);
	else if (of_unit)
		prepend(decider, &decider->of_unit, index);
	else
		add_to_table(decider, &decider->functions, index);
}

static unsigned *new_indices(struct kiln_decider *decider, size_t count)
{
	return (unsigned *)kiln_arena_alloc(&decider->arena, count * sizeof(unsigned));
}

static bool build_index(struct kiln_decider *decider, const struct kiln_policy *policy)
{
	size_t nr_rules = kiln_policy_nr_rules(policy);

	decider->entries =
		(struct entry *)kiln_arena_alloc(&decider->arena, nr_rules * sizeof(struct entry));
	decider->matched = new_indices(decider, nr_rules);
	decider->merged = new_indices(decider, nr_rules);
	if (!decider->entries || !decider->matched || !decider->merged)
		return false;
	/* From the last to the first, so that each chain comes to be in policy order. */
	for (size_t i = nr_rules; i--;) {
		decider->entries[i].rule = kiln_policy_rule(policy, i);
		index_rule(decider, (unsigned)i);
	}
	return true;
}

static void index_function_rule(struct kiln_decider *decider, struct table *table, unsigned index)
{
	struct entry *entry = &decider->entries[index];
	unsigned *head = &table->wild;

	if (hash_rule(entry->rule, &decider->unit, &entry->hash))
		head = &table->buckets[entry->hash >> 2 & table->bucket_mask];
	prepend(decider, head, index);
}

static int index_table(struct kiln_decider *decider, struct table *table)
{
	unsigned *rules = decider->matched; /* has room for all of them */
	size_t nr_buckets = 1, count = 0;

	while (nr_buckets < table->nr_rules)
		nr_buckets *= 2;
	table->in_file = new_indices(decider, table->nr_rules);
	if (table->in_file)
		table->buckets = new_indices(decider, nr_buckets);
	if (!table->buckets)
		return -1;
	memset(table->buckets, 0xff, nr_buckets * sizeof(table->buckets[0]));
	table->bucket_mask = (unsigned)nr_buckets - 1;
	for (unsigned i = table->all; i != NONE; i = decider->entries[i].next)
		rules[count++] = i;
	while (count--)
		index_function_rule(decider, table, rules[count]);
	return 0;
}

/* The first entry at or after INDEX in its bucket's chain that has HASH. */
static unsigned find_hash(const struct kiln_decider *decider, unsigned index, unsigned hash)
{
	while (index != NONE && decider->entries[index].hash != hash)
		index = decider->entries[index].next;
	return index;
}

static unsigned find_first(const struct kiln_decider *decider, const struct table *table,
			   unsigned hash)
{
	return find_hash(decider, table->buckets[hash >> 2 & table->bucket_mask], hash);
}

static unsigned find_next(const struct kiln_decider *decider, unsigned index, unsigned hash)
{
	return find_hash(decider, decider->entries[index].next, hash);
}

/* ---- from rules to a verdict ---- */

/*
 * Lists the settings of RULES, in order, from the last `default` on. *RET_LEAVE
 * is the last `leave` among them, or NULL. -1: out of memory.
 */
static int list_settings(struct kiln_decider *decider, const unsigned *rules, size_t nr_rules,
			 size_t *ret_count, const struct kiln_setting **ret_leave)
{
	size_t count = 0;
	void *grown;

	*ret_leave = NULL;
	for (size_t i = 0; i < nr_rules; i++) {
		const struct kiln_rule *rule = decider->entries[rules[i]].rule;

		for (unsigned s = 0; s < rule->nr_settings; s++) {
			const struct kiln_setting *setting = &rule->settings[s];

			if (setting->what == KILN_DEFAULT) {
				count = 0;
				*ret_leave = NULL;
				continue;
			}
			if (setting->what == KILN_LEAVE) {
				*ret_leave = setting;
				continue;
			}
			grown = kiln_grow(decider->settings, count, &decider->settings_capacity,
					  sizeof(decider->settings[0]));
			if (!grown)
				return -1;
			decider->settings = (const struct kiln_setting **)grown;
			decider->settings[count++] = setting;
		}
	}
	*ret_count = count;
	return 0;
}

/* An empty set of flag keys, with room for COUNT of them. */
static int clear_seen(struct kiln_decider *decider, size_t count)
{
	size_t size = decider->seen_size ? decider->seen_size : 32;
	void *grown;

	while (size < count * 2)
		size *= 2;
	if (size > decider->seen_size) {
		grown = realloc(decider->seen, size * sizeof(decider->seen[0]));
		if (!grown)
			return -1;
		decider->seen = (const struct kiln_setting **)grown;
		decider->seen_size = size;
	}
	memset(decider->seen, 0, decider->seen_size * sizeof(decider->seen[0]));
	return 0;
}

/*
 * False when a flag of SETTING's key was seen before. An optional one hides none:
 * where GCC does not know it, those before it hold.
 */
static bool see(struct kiln_decider *decider, const struct kiln_setting *setting)
{
	struct kiln_flag_key key = kiln_flag_key(setting->flag), other;
	size_t slot = hash_bytes((unsigned)key.family, key.name, key.length);

	for (;; slot++) {
		slot &= decider->seen_size - 1;
		if (!decider->seen[slot])
			break;
		other = kiln_flag_key(decider->seen[slot]->flag);
		if (kiln_flag_key_equal(&key, &other))
			return false;
	}
	if (!setting->optional)
		decider->seen[slot] = setting;
	return true;
}

/* SETTING about inlining comes before those that VERDICT already has. */
static void weigh_inlining(struct kiln_verdict *verdict, const struct kiln_setting *setting,
			   bool *undone)
{
	bool held = verdict->keep || verdict->noinline;

	if (*undone)
		return;
	switch (setting->what) {
	case KILN_INLINE:
		*undone = true;
		if (!held)
			verdict->inlined = setting;
		break;
	case KILN_KEEP:
		if (!verdict->keep)
			verdict->keep = setting;
		break;
	case KILN_NOINLINE:
		if (!verdict->noinline)
			verdict->noinline = setting;
		break;
	case KILN_FLAG:
	case KILN_DEFAULT:
	case KILN_LEAVE:
		break;
	}
}

/*
 * From the last to the first of COUNT settings, so that what wins comes first.
 * The flags that win gather at the end of the list.
 */
static void weigh_settings(struct kiln_decider *decider, size_t count, unsigned mode,
			   struct kiln_verdict *verdict)
{
	const struct kiln_setting **flags;
	bool undone = false; /* an `inline` was passed: it undid what comes before */

	if (!count)
		return;
	flags = decider->settings + count;
	for (size_t i = count; i--;) {
		const struct kiln_setting *setting = decider->settings[i];

		if (!setting->rule->force && mode & (setting->what == KILN_KEEP ? COPIED : LEFT))
			continue;
		if (setting->what != KILN_FLAG)
			weigh_inlining(verdict, setting, &undone);
		else if (see(decider, setting))
			*--flags = setting;
	}
	verdict->flags = flags;
	verdict->nr_flags = (size_t)(decider->settings + count - flags);
}

static unsigned hash_verdict(const struct kiln_verdict *v)
{
	const struct kiln_setting *const lines[] = {v->keep, v->noinline, v->inlined, v->leave};
	unsigned hash = hash_bytes(0, lines, sizeof(lines));

	return hash_bytes(hash, v->flags, v->nr_flags * sizeof(v->flags[0]));
}

static bool verdicts_equal(const struct kiln_verdict *a, const struct kiln_verdict *b)
{
	return a->keep == b->keep && a->noinline == b->noinline && a->inlined == b->inlined &&
	       a->leave == b->leave && a->nr_flags == b->nr_flags &&
	       (!a->nr_flags || !memcmp(a->flags, b->flags, a->nr_flags * sizeof(a->flags[0])));
}

/* The one verdict that says the same as VERDICT; NULL: out of memory. */
static const struct kiln_verdict *intern(struct kiln_decider *decider,
					 const struct kiln_verdict *verdict)
{
	unsigned hash = hash_verdict(verdict);
	struct answer **head = &decider->answers[hash % NR_BUCKETS];
	size_t flags_size = verdict->nr_flags * sizeof(verdict->flags[0]);
	const struct kiln_setting **flags;
	struct answer *answer;

	for (answer = *head; answer; answer = answer->next) {
		if (answer->hash == hash && verdicts_equal(&answer->verdict, verdict))
			return &answer->verdict;
	}
	answer = (struct answer *)kiln_arena_alloc(&decider->arena, sizeof(*answer) + flags_size);
	if (!answer)
		return NULL;
	flags = (const struct kiln_setting **)(answer + 1);
	if (flags_size)
		memcpy(flags, verdict->flags, flags_size);
	answer->verdict = *verdict;
	answer->verdict.flags = flags;
	answer->verdict.number = decider->nr_answers++;
	answer->hash = hash;
	answer->next = *head;
	*head = answer;
	return &answer->verdict;
}

static const struct kiln_verdict *judge(struct kiln_decider *decider, const unsigned *rules,
					size_t nr_rules, unsigned mode)
{
	struct kiln_verdict verdict = {0};
	size_t count;

	if (list_settings(decider, rules, nr_rules, &count, &verdict.leave) ||
	    clear_seen(decider, count))
		return NULL;
	weigh_settings(decider, count, verdict.leave ? mode | LEFT : mode, &verdict);
	return intern(decider, &verdict);
}

/* ---- questions ---- */

/* Adds the unit's rules to those that matched; the result has *RET_COUNT in policy order. */
static const unsigned *merge_with_unit(struct kiln_decider *decider, size_t *ret_count)
{
	unsigned of_unit = decider->of_unit;
	size_t taken = 0, count = 0;

	while (of_unit != NONE || taken < decider->nr_matched) {
		if (taken == decider->nr_matched || of_unit < decider->matched[taken]) {
			decider->merged[count++] = of_unit;
			of_unit = decider->entries[of_unit].next;
		} else {
			decider->merged[count++] = decider->matched[taken++];
		}
	}
	*ret_count = count;
	return decider->merged;
}

/* Makes in_file say what holds in FILE (NULL: unknown). */
static int enter_file(struct kiln_decider *decider, struct table *table, const char *file)
{
	unsigned hash = file ? hash_name(KILN_FILE, file, strlen(file)) : 0;
	unsigned found = file ? find_first(decider, table, hash) : NONE;
	unsigned wild = table->wild;
	unsigned next;

	table->file_known = false;
	table->nr_in_file = 0;
	while (wild != NONE || found != NONE) {
		if (wild < found) {
			next = wild;
			wild = decider->entries[wild].next;
		} else {
			next = found;
			found = find_next(decider, found, hash);
		}
		if (files_hold(&decider->unit, decider->entries[next].rule, file))
			table->in_file[table->nr_in_file++] = next;
	}
	if (!file)
		return 0;
	kiln_strbuf_reset(&table->file);
	kiln_strbuf_adds(&table->file, file);
	if (table->file.failed)
		return -1;
	table->file_known = true;
	return 0;
}

/*
 * Lists the rules of TABLE that hold for FUNCTION, in policy order, whether they were
 * found by name, by section or by file.
 */
static int match(struct kiln_decider *decider, struct table *table,
		 const struct kiln_function *function)
{
	const char *file = function->file ? function->file : decider->unit.source;
	const char *section = function->section;
	unsigned name_hash = hash_name(KILN_FUNC, function->name, strlen(function->name));
	unsigned section_hash = section ? hash_name(KILN_SECTION, section, strlen(section)) : 0;
	unsigned by_name, by_section;
	size_t taken = 0;

	if (!table->buckets && index_table(decider, table))
		return -1;
	by_name = find_first(decider, table, name_hash);
	by_section = section ? find_first(decider, table, section_hash) : NONE;
	if ((!table->file_known || !file || strcmp(table->file.data, file) != 0) &&
	    enter_file(decider, table, file))
		return -1;
	decider->nr_matched = 0;
	for (;;) {
		unsigned next = taken < table->nr_in_file ? table->in_file[taken] : NONE;
		bool file_holds = false;
		const struct kiln_rule *rule;

		if (by_name < next && by_name < by_section) {
			next = by_name;
			by_name = find_next(decider, by_name, name_hash);
		} else if (by_section < next) {
			next = by_section;
			by_section = find_next(decider, by_section, section_hash);
		} else if (next != NONE) {
			taken++;
			file_holds = true;
		} else {
			return 0;
		}
		rule = decider->entries[next].rule;
		if (names_hold(rule, function) && (file_holds || files_hold(&decider->unit, rule, file)))
			decider->matched[decider->nr_matched++] = next;
	}
}

static struct memo *find_memo(const struct kiln_decider *decider, unsigned hash, unsigned mode)
{
	size_t size = decider->nr_matched * sizeof(decider->matched[0]);

	for (struct memo *m = decider->memos[hash % NR_BUCKETS]; m; m = m->next) {
		if (m->hash == hash && m->mode == mode && m->nr_rules == decider->nr_matched &&
		    memcmp(m->rules, decider->matched, size) == 0)
			return m;
	}
	return NULL;
}

static int remember(struct kiln_decider *decider, unsigned hash, unsigned mode,
		    const struct kiln_verdict *verdict)
{
	size_t size = decider->nr_matched * sizeof(decider->matched[0]);
	struct memo **head = &decider->memos[hash % NR_BUCKETS];
	struct memo *memo;

	memo = (struct memo *)kiln_arena_alloc(&decider->arena, sizeof(*memo) + size);
	if (!memo)
		return -1;
	memo->verdict = verdict;
	memo->hash = hash;
	memo->mode = mode;
	memo->nr_rules = decider->nr_matched;
	memcpy(memo->rules, decider->matched, size);
	memo->next = *head;
	*head = memo;
	return 0;
}

static const struct kiln_verdict *ask(struct kiln_decider *decider,
				      const struct kiln_function *function, unsigned mode)
{
	const struct kiln_verdict *verdict;
	const struct memo *memo;
	const unsigned *rules;
	size_t nr_rules;
	unsigned hash;

	if (match(decider, &decider->functions, function))
		return NULL;
	if (function->is_copied)
		mode |= COPIED;
	if (!decider->nr_matched && !mode)
		return decider->unit_verdict;
	hash = hash_bytes(mode, decider->matched,
			  decider->nr_matched * sizeof(decider->matched[0]));
	memo = find_memo(decider, hash, mode);
	if (memo)
		return memo->verdict;
	rules = merge_with_unit(decider, &nr_rules);
	verdict = judge(decider, rules, nr_rules, mode);
	if (!verdict || remember(decider, hash, mode, verdict))
		return NULL;
	return verdict;
}

static bool judge_unit(struct kiln_decider *decider)
{
	const unsigned *rules;
	size_t nr_rules;

	rules = merge_with_unit(decider, &nr_rules);
	decider->unit_verdict = judge(decider, rules, nr_rules, 0);
	return decider->unit_verdict != NULL;
}

struct kiln_decider *kiln_decider_new(const struct kiln_policy *policy,
				      const struct kiln_unit *unit)
{
	struct kiln_decider init = {
		.unit = *unit,
		.of_unit = NONE,
		.functions = {.all = NONE, .wild = NONE},
		.calls = {.all = NONE, .wild = NONE},
	};
	struct kiln_decider *decider = (struct kiln_decider *)malloc(sizeof(*decider));

	if (!decider)
		return NULL;
	memcpy(decider, &init, sizeof(init));
	kiln_arena_init(&decider->arena);
	kiln_strbuf_init(&decider->functions.file);
	kiln_strbuf_init(&decider->calls.file);
	if (build_index(decider, policy) && judge_unit(decider))
		return decider;
	kiln_decider_free(decider);
	return NULL;
}

void kiln_decider_free(struct kiln_decider *decider)
{
	if (!decider)
		return;
	kiln_strbuf_release(&decider->functions.file);
	kiln_strbuf_release(&decider->calls.file);
	free(decider->calls_of);
	free(decider->settings);
	free(decider->seen);
	kiln_arena_release(&decider->arena);
	free(decider);
}

const struct kiln_verdict *kiln_decider_unit(struct kiln_decider *decider)
{
	return decider->unit_verdict;
}

const struct kiln_verdict *kiln_decider_function(struct kiln_decider *decider,
						 const struct kiln_function *function)
{
	return ask(decider, function, 0);
}

const struct kiln_verdict *kiln_decider_left(struct kiln_decider *decider,
					     const struct kiln_function *function)
{
	return ask(decider, function, LEFT);
}

bool kiln_decider_has_function_rules(const struct kiln_decider *decider)
{
	return decider->functions.nr_rules || decider->unit_verdict->keep;
}

size_t kiln_decider_nr_call_rules(const struct kiln_decider *decider)
{
	return decider->calls.nr_rules;
}

/* Where the last `default` of the COUNT rules stands that are merged; 0: there is none. */
static unsigned find_default(const struct kiln_decider *decider, const unsigned *rules, size_t count)
{
	while (count--) {
		const struct kiln_rule *rule = decider->entries[rules[count]].rule;

		for (unsigned s = 0; s < rule->nr_settings; s++) {
			if (rule->settings[s].what == KILN_DEFAULT)
				return rules[count];
		}
	}
	return 0;
}

int kiln_decider_calls(struct kiln_decider *decider, const struct kiln_function *function, bool left,
		       struct kiln_calls *ret_calls)
{
	const struct kiln_rule **rules;
	const unsigned *of_function;
	unsigned since;
	size_t count;

	*ret_calls = (struct kiln_calls){.rules = NULL};
	if (!decider->calls.nr_rules)
		return 0;
	if (match(decider, &decider->calls, function))
		return -1;
	if (!decider->nr_matched)
		return 0;
	rules = (const struct kiln_rule **)realloc(decider->calls_of,
						   decider->nr_matched * sizeof(rules[0]));
	if (!rules)
		return -1;
	decider->calls_of = rules;
	if (match(decider, &decider->functions, function))
		return -1;
	of_function = merge_with_unit(decider, &count);
	since = find_default(decider, of_function, count);
	if (match(decider, &decider->calls, function))
		return -1;
	ret_calls->rules = rules;
	for (size_t i = 0; i < decider->nr_matched; i++) {
		const struct kiln_rule *rule = decider->entries[decider->matched[i]].rule;

		if (decider->matched[i] >= since && (!left || rule->force))
			rules[ret_calls->nr_rules++] = rule;
	}
	return 0;
}

const char *kiln_call_rule_callee(const struct kiln_rule *rule)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		if (rule->places[i].kind == KILN_CALL)
			return rule->places[i].glob;
	}
	return NULL;
}

const struct kiln_setting *kiln_calls_find(const struct kiln_calls *calls, const char *callee)
{
	for (size_t i = calls->nr_rules; i--;) {
		const struct kiln_rule *rule = calls->rules[i];

		if (kiln_glob_match(kiln_call_rule_callee(rule), callee))
			return &rule->settings[rule->nr_settings - 1];
	}
	return NULL;
}
