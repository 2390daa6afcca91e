// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "alloc.h"
#include "kiln/decide.h"
#include "kiln/glob.h"

static struct messages messages;

/* ---- the oracle: every rule is tried, in order, as the header tells it ---- */

#define MAX_FLAGS 400

struct expected {
	const struct kiln_setting *flags[MAX_FLAGS];
	size_t nr_flags;
	const struct kiln_setting *keep;
	const struct kiln_setting *noinline;
	const struct kiln_setting *inlined;
	const struct kiln_setting *leave;
};

static bool file_matches(const char *glob, const char *file)
{
	return file && kiln_glob_match(glob, file);
}

/* FUNCTION is NULL when the unit itself is asked about. */
static bool place_holds(const struct kiln_place *place, const struct kiln_unit *unit,
			const struct kiln_function *function)
{
	switch (place->kind) {
	case KILN_ALL:
		return true;
	case KILN_ON:
		return unit->arch && kiln_arch_matches(unit->arch, place->glob);
	case KILN_FILE:
		return file_matches(place->glob, unit->source) ||
		       file_matches(place->glob, unit->object) ||
		       (function && file_matches(place->glob, function->file));
	case KILN_FUNC:
		return function && kiln_glob_match(place->glob, function->name);
	case KILN_SECTION:
		return function && function->section &&
		       kiln_glob_match(place->glob, function->section);
	case KILN_CALL:
		return false;
	}
	return false;
}

static bool rule_holds(const struct kiln_rule *rule, const struct kiln_unit *unit,
		       const struct kiln_function *function)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		if (!place_holds(&rule->places[i], unit, function))
			return false;
	}
	return true;
}

static void apply_flag(struct expected *e, const struct kiln_setting *setting)
{
	size_t kept = 0;

	/* A GCC that does not know an optional flag goes by the one before it. */
	for (size_t i = 0; i < e->nr_flags; i++) {
		if (setting->optional || !kiln_flag_same_key(e->flags[i]->flag, setting->flag))
			e->flags[kept++] = e->flags[i];
	}
	e->nr_flags = kept;
	ck_assert_uint_lt(e->nr_flags, MAX_FLAGS);
	e->flags[e->nr_flags++] = setting;
}

static void apply(struct expected *e, const struct kiln_setting *setting)
{
	switch (setting->what) {
	case KILN_FLAG:
		apply_flag(e, setting);
		break;
	case KILN_DEFAULT:
		memset(e, 0, sizeof(*e));
		break;
	case KILN_LEAVE:
		e->leave = setting;
		break;
	case KILN_KEEP:
		e->keep = setting;
		e->inlined = NULL;
		break;
	case KILN_NOINLINE:
		e->noinline = setting;
		e->inlined = NULL;
		break;
	case KILN_INLINE:
		e->inlined = setting;
		e->keep = NULL;
		e->noinline = NULL;
		break;
	}
}

static void evaluate(struct expected *e, const struct kiln_policy *policy,
		     const struct kiln_unit *unit, const struct kiln_function *function, bool left)
{
	/* The first time finds out whether anything is left alone, the second time obeys. */
	for (int pass = 0; pass < 2; pass++) {
		memset(e, 0, sizeof(*e));
		for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
			const struct kiln_rule *rule = kiln_policy_rule(policy, i);

			if (!rule_holds(rule, unit, function))
				continue;
			for (unsigned s = 0; s < rule->nr_settings; s++) {
				const struct kiln_setting *setting = &rule->settings[s];
				bool holds = rule->force || setting->what == KILN_KEEP ||
					     setting->what == KILN_DEFAULT ||
					     setting->what == KILN_LEAVE;

				if (setting->what == KILN_KEEP && function && function->is_copied &&
				    !rule->force)
					continue;
				if (pass == 0 || !left || holds)
					apply(e, setting);
			}
		}
		left |= e->leave != NULL;
	}
}

static bool is_expected(const struct kiln_verdict *verdict, const struct expected *e)
{
	if (verdict->nr_flags != e->nr_flags || verdict->keep != e->keep ||
	    verdict->noinline != e->noinline || verdict->inlined != e->inlined ||
	    verdict->leave != e->leave)
		return false;
	for (size_t i = 0; i < e->nr_flags; i++) {
		if (verdict->flags[i] != e->flags[i])
			return false;
	}
	return true;
}

static bool same_content(const struct kiln_verdict *a, const struct kiln_verdict *b)
{
	if (a->nr_flags != b->nr_flags || a->keep != b->keep || a->noinline != b->noinline ||
	    a->inlined != b->inlined || a->leave != b->leave)
		return false;
	for (size_t i = 0; i < a->nr_flags; i++) {
		if (a->flags[i] != b->flags[i])
			return false;
	}
	return true;
}

/* ---- policies by chance ---- */

static const char *const sources[] = {"fs/open.c", "net/ipv4/tcp.c", "kernel/sched/build_policy.c",
				      "/out/of/tree.c", NULL};
static const char *const objects[] = {"fs/open.o", "net/ipv4/tcp.o", "kernel/sched/bp.o", NULL,
				      NULL};
static const char *const archs[] = {"x86_64", "aarch64", "i386", NULL};
static const char *const names[] = {"tcp_ack", "tcp_rcv", "do_open", "list_add", "f", "do_f"};
static const char *const files[] = {"include/linux/list.h", "net/ipv4/tcp.c", "kernel/sched/rt.c",
				    "fs/open.c", NULL};
static const char *const sections[] = {".text.hot", ".noinstr.text", ".init.text", NULL, NULL,
				       NULL};

static const char *const places[] = {
	"all",
	"all",
	"on x86",
	"on a*",
	"on x86_64",
	"file fs/open.c",
	"file fs/*.c",
	"file **",
	"file net/**",
	"file include/linux/list.h",
	"file include/**",
	"file kernel/sched/rt.c",
	"file kernel/sched/*",
	"file fs/open.o",
	"file /out/**",
	"func tcp_ack",
	"func tcp_*",
	"func do_open",
	"func do_?",
	"func f",
	"func *",
	"func list_add",
	"func no_such",
	"section .text.hot",
	"section .*.text",
	"section .init.text",
	"file [fn]*/**",
	"func [!t]*",
};
static const char *const whats[] = {
	"-fa",
	"-fno-a",
	"-fb=1",
	"-fb=2",
	"-fb",
	"--param=p=1",
	"--param=p=2",
	"--param q=3",
	"-fc",
	"-fc=1",
	"-fd -fe",
	"-fe=2 -fd=3",
	"default",
	"leave",
	"keep",
	"noinline",
	"inline",
	"keep noinline",
	"inline keep",
	"noinline inline",
	"-fa keep -fa=9",
	"?-fa=3",
	"?-fno-b ?-fb=5",
	"default -fz",
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void add_rule(char *text, uint64_t *seed)
{
	unsigned nr_places = 1 + random_below(seed, 3) / 2 + random_below(seed, 2);
	const char *what = whats[random_below(seed, COUNT(whats))];
	bool call = random_below(seed, 12) == 0;
	bool force =
		!strstr(what, "default") && !strstr(what, "leave") && random_below(seed, 4) == 0;

	for (unsigned i = 0; i < nr_places; i++)
		strcat(strcat(text, places[random_below(seed, COUNT(places))]), " ");
	if (call) {
		strcat(text, "func do_open call f inline\n");
		return;
	}
	strcat(text, force ? "force " : "");
	strcat(strcat(text, what), "\n");
}

static struct kiln_policy *read_policy(const char *text)
{
	struct kiln_policy *policy = kiln_policy_new();

	messages_init(&messages);
	ck_assert_msg(kiln_policy_load_text(policy, "p", text, strlen(text), &messages.sink) == 0,
		      "%s%s", text, messages.text);
	return policy;
}

#define NR_QUESTIONS 24

static void random_function(struct kiln_function *function, uint64_t *seed)
{
	function->name = names[random_below(seed, COUNT(names))];
	function->file = files[random_below(seed, COUNT(files))];
	function->section = sections[random_below(seed, COUNT(sections))];
	function->is_copied = random_below(seed, 3) == 0;
}

/* Copies, so that an answer cannot depend on where a string lies. */
static struct kiln_function copy_function(const struct kiln_function *function, char storage[3][64])
{
	struct kiln_function copy = {storage[0], NULL, NULL, function->is_copied};

	strcpy(storage[0], function->name);
	if (function->file)
		copy.file = strcpy(storage[1], function->file);
	if (function->section)
		copy.section = strcpy(storage[2], function->section);
	return copy;
}

static const struct kiln_verdict *ask(struct kiln_decider *decider,
				      const struct kiln_function *function, bool left)
{
	return left ? kiln_decider_left(decider, function)
		    : kiln_decider_function(decider, function);
}

static bool has_setting(const struct kiln_rule *rule, enum kiln_what what)
{
	for (unsigned i = 0; i < rule->nr_settings; i++) {
		if (rule->settings[i].what == what)
			return true;
	}
	return false;
}

/* The `call` rules that hold for FUNCTION are those that hold one by one. */
static void check_calls(struct kiln_decider *decider, const struct kiln_policy *policy,
			const struct kiln_unit *unit, const struct kiln_function *function, bool left)
{
	size_t since = 0, count = 0;
	struct kiln_calls calls;

	ck_assert_int_eq(kiln_decider_calls(decider, function, left, &calls), 0);
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);

		if (has_setting(rule, KILN_DEFAULT) &&
		    (kiln_rule_holds(rule, unit, function) || kiln_rule_holds(rule, unit, NULL)))
			since = i;
	}
	for (size_t i = since; i < kiln_policy_nr_rules(policy); i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);

		if (kiln_call_rule_callee(rule) && kiln_rule_holds(rule, unit, function) &&
		    (!left || rule->force)) {
			ck_assert_uint_lt(count, calls.nr_rules);
			ck_assert_ptr_eq(calls.rules[count++], rule);
		}
	}
	ck_assert_uint_eq(calls.nr_rules, count);
}

struct answers {
	const struct kiln_verdict *list[NR_QUESTIONS * 2 + 1];
	size_t count;
};

/* Equal answers, and only they, are one object with one number. An assertion each is slow. */
static void check_interned(const struct answers *answers)
{
	for (size_t a = 0; a < answers->count; a++) {
		for (size_t b = 0; b < a; b++) {
			const struct kiln_verdict *one = answers->list[a],
						  *other = answers->list[b];
			bool same = same_content(one, other);

			if (same != (one == other) || same != (one->number == other->number))
				ck_abort_msg("numbers %u and %u", one->number, other->number);
		}
	}
}

static void check_decider(const char *text, const struct kiln_unit *unit, uint64_t *seed)
{
	struct kiln_policy *policy = read_policy(text);
	struct kiln_decider *decider = kiln_decider_new(policy, unit);
	struct answers answers = {.count = 0};
	struct expected e;
	bool other_than_unit = false;

	ck_assert_ptr_nonnull(decider);
	evaluate(&e, policy, unit, NULL, false);
	answers.list[answers.count++] = kiln_decider_unit(decider);
	ck_assert_msg(is_expected(answers.list[0], &e), "%s", text);
	ck_assert_uint_eq(answers.list[0]->number, 0);
	for (int i = 0; i < NR_QUESTIONS; i++) {
		bool left = random_below(seed, 4) == 0;
		struct kiln_function function, copy;
		const struct kiln_verdict *verdict, *again;
		char storage[3][64];

		random_function(&function, seed);
		copy = copy_function(&function, storage);
		verdict = ask(decider, &copy, left);
		memset(storage, 'x', sizeof(storage));
		evaluate(&e, policy, unit, &function, left);
		ck_assert_msg(is_expected(verdict, &e), "%s%s in %s (%s) of %s%s", text,
			      function.name, function.file, function.section, unit->source,
			      left ? ", left" : "");
		other_than_unit |= !left && verdict != answers.list[0];
		answers.list[answers.count++] = verdict;
		copy = copy_function(&function, storage);
		alloc_fail_from(1);
		again = ask(decider, &copy, left);
		ck_assert_uint_eq(alloc_stop(), 0);
		ck_assert_ptr_eq(again, verdict);
		check_calls(decider, policy, unit, &function, left);
	}
	check_interned(&answers);
	if (other_than_unit)
		ck_assert(kiln_decider_has_function_rules(decider));
	kiln_decider_free(decider);
	kiln_policy_free(policy);
}

START_TEST(same_as_trying_every_rule)
{
	uint64_t seed = (uint64_t)_i * 7919 + 1;

	for (int i = 0; i < 1000; i++) {
		char text[4096] = "";
		unsigned which = random_below(&seed, COUNT(sources));
		const char *arch = archs[random_below(&seed, COUNT(archs))];
		struct kiln_unit unit = {arch ? kiln_arch_find(arch) : NULL, sources[which],
					 objects[which]};

		for (unsigned left = random_below(&seed, 14); left; left--)
			add_rule(text, &seed);
		check_decider(text, &unit, &seed);
	}
}
END_TEST

/* ---- what the header promises, in words ---- */

static const struct kiln_unit tcp = {NULL, "net/ipv4/tcp.c", "net/ipv4/tcp.o"};

/* A verdict as text: its flags, then the lines of the rest. */
static const char *verdict_text(const struct kiln_verdict *v)
{
	static char text[1024];
	size_t n = 0;

	ck_assert_ptr_nonnull(v);
	text[0] = '\0';
	for (size_t i = 0; i < v->nr_flags; i++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s ", v->flags[i]->flag);
	if (v->keep)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "keep:%u ", v->keep->rule->line);
	if (v->noinline)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "noinline:%u ",
				      v->noinline->rule->line);
	if (v->inlined)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "inline:%u ",
				      v->inlined->rule->line);
	if (v->leave)
		snprintf(text + n, sizeof(text) - n, "leave:%u ", v->leave->rule->line);
	return text;
}

START_TEST(verdicts_in_words)
{
	static const struct {
		const char *policy;
		const char *unit;
		const char *function; /* of tcp_ack in include/net/tcp.h, section .text.hot */
		const char *left;
	} table[] = {
		{"", "", "", ""},
		{"all -fa\nall -fno-a -fb\n", "-fno-a -fb ", "-fno-a -fb ", ""},
		{"all -fa -fb\nfunc tcp_* -fa=1\n", "-fa -fb ", "-fb -fa=1 ", ""},
		{"all -fa=1\nall ?-fa=2\n", "-fa=1 -fa=2 ", "-fa=1 -fa=2 ", ""},
		{"all ?-fa=1\nall -fa=2\n", "-fa=2 ", "-fa=2 ", ""},
		{"all -fa=1\nall ?-fa=2\nall -fa=3 ?-fa=4\n", "-fa=3 -fa=4 ", "-fa=3 -fa=4 ", ""},
		{"all -fa\nfunc tcp_ack default\nfunc tcp_ack -fb\n", "-fa ", "-fb ", ""},
		{"all keep\nfunc tcp_ack inline\n", "keep:1 ", "inline:2 ", "keep:1 "},
		{"all inline\nfunc tcp_ack noinline\n", "inline:1 ", "noinline:2 ", ""},
		{"func tcp_ack keep\nfunc tcp_ack noinline\n", "", "keep:1 noinline:2 ", "keep:1 "},
		{"func tcp_ack keep\nall inline\nall noinline\n", "noinline:3 ", "noinline:3 ",
		 "keep:1 "},
		{"all leave\nall -fa\nfunc tcp_ack force -fb\nall keep inline\n", "keep:4 leave:1 ",
		 "-fb keep:4 leave:1 ", "-fb keep:4 leave:1 "},
		{"all force -fa=1\nall -fa=2\nall leave\n", "-fa=1 leave:3 ", "-fa=1 leave:3 ",
		 "-fa=1 leave:3 "},
		{"all leave\nall default\nall -fa\n", "-fa ", "-fa ", ""},
		{"all keep\nall default\nall leave\n", "leave:3 ", "leave:3 ", "leave:3 "},
		{"file include/net/tcp.h -fa\nfile net/** -fb\n", "-fb ", "-fa -fb ", ""},
		{"file net/ipv4/tcp.o -fa\n", "-fa ", "-fa ", ""},
		{"section .text.hot -fa\nsection .text.* -fb\nsection .init.text -fc\n", "",
		 "-fa -fb ", ""},
		{"file fs/** func tcp_ack -fa\nfile include/** func tcp_ack -fb\n", "", "-fb ", ""},
		{"on x86_64 -fa\non * -fb\n", "", "", ""},
		{"func tcp_ack call tcp_rcv inline\n", "", "", ""},
	};
	const struct kiln_function function = {
		.name = "tcp_ack", .file = "include/net/tcp.h", .section = ".text.hot"};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct kiln_policy *policy = read_policy(table[i].policy);
		struct kiln_decider *decider = kiln_decider_new(policy, &tcp);

		ck_assert_str_eq(verdict_text(kiln_decider_unit(decider)), table[i].unit);
		ck_assert_str_eq(verdict_text(kiln_decider_function(decider, &function)),
				 table[i].function);
		ck_assert_str_eq(verdict_text(kiln_decider_left(decider, &function)),
				 table[i].left);
		kiln_decider_free(decider);
		kiln_policy_free(policy);
	}
}
END_TEST

/* The same function, wherever it is asked about, file by file and to and fro. */
START_TEST(file_is_compared_not_its_address)
{
	struct kiln_policy *policy =
		read_policy("file a.h -fa\nfile [b].h -fb\nfile tcp.h func f -fc\n");
	struct kiln_decider *decider = kiln_decider_new(policy, &tcp);
	char file[8] = "a.h";
	const struct kiln_function in_file = {.name = "f", .file = file}, nowhere = {.name = "f"};

	ck_assert_str_eq(verdict_text(kiln_decider_function(decider, &in_file)), "-fa ");
	strcpy(file, "b.h");
	ck_assert_str_eq(verdict_text(kiln_decider_function(decider, &in_file)), "-fb ");
	ck_assert_str_eq(verdict_text(kiln_decider_function(decider, &nowhere)), "");
	strcpy(file, "tcp.h");
	ck_assert_str_eq(verdict_text(kiln_decider_function(decider, &in_file)), "-fc ");
	kiln_decider_free(decider);
	kiln_policy_free(policy);
	kiln_decider_free(NULL);
}
END_TEST

START_TEST(nothing_for_functions)
{
	struct kiln_policy *policy = read_policy("all -fa\nfile net/** -fb\non x86 -fc\n"
						 "on x86 func f keep\nfunc f call g inline\n");
	struct kiln_decider *decider = kiln_decider_new(policy, &tcp);

	ck_assert(!kiln_decider_has_function_rules(decider));
	ck_assert_uint_eq(kiln_decider_nr_call_rules(decider), 1);
	kiln_decider_free(decider);
	kiln_policy_free(policy);
}
END_TEST

START_TEST(keep_of_a_copied_function)
{
	static const struct {
		const char *policy;
		const char *own, *copied; /* of f */
	} table[] = {
		{"func f keep\n", "keep:1 ", ""},
		{"func f force keep\n", "keep:1 ", "keep:1 "},
		{"all keep\n", "keep:1 ", ""},
		{"func f force keep\nfunc * keep\n", "keep:2 ", "keep:1 "},
		{"func f inline\nfunc * keep\n", "keep:2 ", "inline:1 "},
		{"func f keep -fa\nfunc * noinline\n", "-fa keep:1 noinline:2 ", "-fa noinline:2 "},
	};
	const struct kiln_function own = {.name = "f"}, copied = {.name = "f", .is_copied = true};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct kiln_policy *policy = read_policy(table[i].policy);
		struct kiln_decider *decider = kiln_decider_new(policy, &tcp);

		ck_assert(kiln_decider_has_function_rules(decider));
		ck_assert_str_eq(verdict_text(kiln_decider_function(decider, &own)), table[i].own);
		ck_assert_str_eq(verdict_text(kiln_decider_function(decider, &copied)),
				 table[i].copied);
		kiln_decider_free(decider);
		kiln_policy_free(policy);
	}
}
END_TEST

/* So many rules and flags that a quadratic step would show. */
START_TEST(many_rules)
{
	const unsigned count = 20000;
	char *text = (char *)malloc(count * 3 * 48), *end = text;
	struct kiln_policy *policy;
	struct kiln_decider *decider;
	char name[32];

	for (unsigned i = 0; i < count; i++)
		end += sprintf(end, "func f%u keep\nall -fflag%u\nfile d%u/** -fx%u\n", i, i, i, i);
	policy = read_policy(text);
	free(text);
	decider = kiln_decider_new(policy, &tcp);
	ck_assert_uint_eq(kiln_decider_unit(decider)->nr_flags, count);
	for (unsigned i = 0; i < 200; i++) {
		struct kiln_function function = {.name = name, .file = "include/linux/list.h"};
		const struct kiln_verdict *verdict;

		snprintf(name, sizeof(name), "f%u", i * 3);
		verdict = kiln_decider_function(decider, &function);
		ck_assert_uint_eq(verdict->keep->rule->line, i * 9 + 1);
		ck_assert_uint_eq(verdict->number, i + 1);
		for (unsigned k = 0; k < 50; k++)
			ck_assert_ptr_eq(kiln_decider_function(decider, &function), verdict);
	}
	kiln_decider_free(decider);
	kiln_policy_free(policy);
}
END_TEST

/* ---- no memory ---- */

#define NR_ASKED 40

/* Asks everything, and what fails once more; no assertion here, since they allocate. */
static bool ask_all(struct kiln_decider *decider, const struct kiln_function *functions,
		    const struct kiln_verdict **verdicts)
{
	bool failed = false;

	for (int i = 0; i < NR_ASKED; i++) {
		bool left = i % 5 == 4;

		verdicts[i] = ask(decider, &functions[i], left);
		if (verdicts[i])
			continue;
		failed = true;
		verdicts[i] = ask(decider, &functions[i], left);
	}
	return failed;
}

START_TEST(every_allocation_fails)
{
	static struct expected expected[NR_ASKED];
	struct kiln_function functions[NR_ASKED];
	struct kiln_policy *policy;
	uint64_t seed = 5;
	char text[1 << 14] = "all -fq -fr\n";
	unsigned long n = 1;
	bool failed = true;

	for (int i = 0; i < 150; i++)
		add_rule(text, &seed);
	policy = read_policy(text);
	for (int i = 0; i < NR_ASKED; i++) {
		random_function(&functions[i], &seed);
		evaluate(&expected[i], policy, &tcp, &functions[i], i % 5 == 4);
	}
	for (; failed; n++) {
		struct kiln_decider *decider;
		const struct kiln_verdict *verdicts[NR_ASKED];
		bool reported;

		alloc_fail_at(n);
		decider = kiln_decider_new(policy, &tcp);
		reported = !decider || ask_all(decider, functions, verdicts);
		failed = alloc_failed();
		alloc_stop();
		ck_assert_int_eq(reported, failed);
		for (int i = 0; decider && i < NR_ASKED; i++)
			ck_assert(verdicts[i] && is_expected(verdicts[i], &expected[i]));
		kiln_decider_free(decider);
	}
	ck_assert_uint_gt(n, 8);
	kiln_policy_free(policy);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("decide");
	TCase *tcase = tcase_create("decide");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, same_as_trying_every_rule, 0, 6);
	tcase_add_test(tcase, verdicts_in_words);
	tcase_add_test(tcase, file_is_compared_not_its_address);
	tcase_add_test(tcase, nothing_for_functions);
	tcase_add_test(tcase, keep_of_a_copied_function);
	tcase_add_test(tcase, many_rules);
	tcase_add_test(tcase, every_allocation_fails);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
