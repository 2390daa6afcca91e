// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "alloc.h"
#include "kiln/builtin.h"
#include "kiln/policy.h"

/* Takes the place of the generated table. */
#define BUILTIN(name, text)                  \
	{                                    \
		name, text, sizeof(text) - 1 \
	}
const struct kiln_builtin kiln_builtins[] = {
	BUILTIN("base", "all -fbase\nfunc f keep\n"),
	BUILTIN("broken", "all\n"),
	BUILTIN("filed", "include ./other.policy\n"),
	BUILTIN("loop-a", "include loop-b\nall -fa\n"),
	BUILTIN("loop-b", "include loop-a\nall -fb\n"),
	BUILTIN("point-1.2", "func p keep\n"),
	BUILTIN("points", "include point-1.2\n"),
	BUILTIN("upper", "include base\nall -fupper\n"),
	{NULL, NULL, 0},
};

static struct messages messages;

/* ---- a policy as text ---- */

static char dumped[1 << 16];

__attribute__((format(printf, 1, 2))) static void dump(const char *format, ...)
{
	size_t length = strlen(dumped);
	va_list args;

	va_start(args, format);
	vsnprintf(dumped + length, sizeof(dumped) - length, format, args);
	va_end(args);
}

static void dump_rule(const struct kiln_rule *rule)
{
	dump("%s:%u:%s%s", rule->path, rule->line, rule->unit_scope ? " unit" : "",
	     rule->force ? " force" : "");
	for (unsigned i = 0; i < rule->nr_places; i++) {
		const struct kiln_place *place = &rule->places[i];

		dump(" %u:%s", place->column, kiln_place_name(place->kind));
		if (place->glob)
			dump("=%s", place->glob);
	}
	for (unsigned i = 0; i < rule->nr_settings; i++) {
		const struct kiln_setting *setting = &rule->settings[i];

		if (setting->rule != rule || !setting->flag != (setting->what != KILN_FLAG))
			ck_abort_msg("line %u", rule->line);
		dump(" %u:%s%s", setting->column, setting->optional ? "?" : "",
		     setting->flag ? setting->flag : kiln_what_name(setting->what));
	}
	dump("\n");
}

static const char *dump_policy(const struct kiln_policy *policy)
{
	dumped[0] = '\0';
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++)
		dump_rule(kiln_policy_rule(policy, i));
	return dumped;
}

static bool same_string(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_rule(const struct kiln_rule *a, const struct kiln_rule *b)
{
	bool same = a->force == b->force && a->unit_scope == b->unit_scope &&
		    a->nr_places == b->nr_places && a->nr_settings == b->nr_settings;

	for (unsigned i = 0; same && i < a->nr_places; i++)
		same = a->places[i].kind == b->places[i].kind &&
		       same_string(a->places[i].glob, b->places[i].glob);
	for (unsigned i = 0; same && i < a->nr_settings; i++)
		same = a->settings[i].what == b->settings[i].what &&
		       a->settings[i].optional == b->settings[i].optional &&
		       same_string(a->settings[i].flag, b->settings[i].flag);
	return same;
}

/* What is written of a policy is read as the same one. */
static void check_written(const struct kiln_policy *policy)
{
	struct kiln_policy *again = kiln_policy_new();
	struct kiln_strbuf text;

	kiln_strbuf_init(&text);
	kiln_policy_write(policy, &text);
	ck_assert(!text.failed);
	messages_init(&messages);
	kiln_policy_load_text(again, "w", text.data, text.length, &messages.sink);
	ck_assert_msg(!messages.length, "«%s»: %s", text.data, messages.text);
	ck_assert_uint_eq(kiln_policy_nr_rules(again), kiln_policy_nr_rules(policy));
	for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++)
		ck_assert_msg(same_rule(kiln_policy_rule(policy, i), kiln_policy_rule(again, i)),
			      "rule %zu of «%s»", i, text.data);
	kiln_strbuf_release(&text);
	kiln_policy_free(again);
}

/* Reads LENGTH bytes of text as "p": the rules are then in dumped, the rest in messages. */
static int load_bytes(const char *text, size_t length)
{
	struct kiln_policy *policy = kiln_policy_new();
	char *copy = (char *)malloc(length ? length : 1);
	int result;

	/* A copy without a NUL behind it, so that ASan sees who reads too far. */
	memcpy(copy, text, length);
	messages_init(&messages);
	ck_assert_ptr_nonnull(policy);
	result = kiln_policy_load_text(policy, "p", copy, length, &messages.sink);
	free(copy);
	dump_policy(policy);
	ck_assert_int_eq(result, messages.errors ? -1 : 0);
	if (!result)
		check_written(policy);
	kiln_policy_free(policy);
	return result;
}

static int load_string(const char *text)
{
	return load_bytes(text, strlen(text));
}

static void check_accepted(const char *text, const char *rules)
{
	load_string(text);
	ck_assert_msg(!messages.length, "«%s»: %s", text, messages.text);
	ck_assert_msg(strcmp(dumped, rules) == 0, "«%s»: %s", text, dumped);
}

static void check_refused(const char *text, const char *faults)
{
	load_string(text);
	ck_assert_msg(strcmp(messages.text, faults) == 0, "«%s»:\n%snot\n%s", text, messages.text,
		      faults);
	ck_assert_msg(!*dumped, "«%s»: %s", text, dumped);
}

/* ---- the language ---- */

START_TEST(accepted)
{
	static const struct {
		const char *text;
		const char *rules;
	} table[] = {
		{"", ""},
		{"\n\n  \t\n", ""},
		{"# all -fx", ""},
		{"all -fx", "p:1: unit 1:all 5:-fx\n"},
		{"\n all\t-fx # why\n#\nfunc f keep",
		 "p:2: unit 2:all 6:-fx\np:4: 1:func=f 8:keep\n"},
		{"all -fx#y", "p:1: unit 1:all 5:-fx#y\n"},
		{"all -fx\r\nfunc f keep\r\n", "p:1: unit 1:all 5:-fx\np:2: 1:func=f 8:keep\n"},
		{"all -fx\r", "p:1: unit 1:all 5:-fx\n"},
		{"on aarch64 -mcpu=x", "p:1: unit 1:on=aarch64 12:-mcpu=x\n"},
		{"on aarch64 -mcpu=native +nosve ?+lse",
		 "p:1: unit 1:on=aarch64 12:-mcpu=native 25:+nosve 32:?+lse\n"},
		{"on arm64 on a* all keep", "p:1: unit 1:on=arm64 10:on=a* 16:all 20:keep\n"},
		{"file net/** func tcp_* --param=a=1",
		 "p:1: 1:file=net/** 13:func=tcp_* 24:--param=a=1\n"},
		{"file /out/of/tree/*.c keep", "p:1: unit 1:file=/out/of/tree/*.c 23:keep\n"},
		{"file a.b/.c/..d/e keep", "p:1: unit 1:file=a.b/.c/..d/e 19:keep\n"},
		{"section .text leave", "p:1: 1:section=.text 15:leave\n"},
		{"all --param a=1 keep", "p:1: unit 1:all 5:--param=a=1 17:keep\n"},
		{"all ?--param \t a=1", "p:1: unit 1:all 5:?--param=a=1\n"},
		{"all ?-fx \"-f y\"", "p:1: unit 1:all 5:?-fx 10:-f y\n"},
		{"func a call b inline", "p:1: 1:func=a 8:call=b 15:inline\n"},
		{"func a file f call b noinline", "p:1: 1:func=a 8:file=f 15:call=b 22:noinline\n"},
		{"all force -fx keep", "p:1: unit force 1:all 11:-fx 15:keep\n"},
		{"all default leave keep noinline inline",
		 "p:1: unit 1:all 5:default 13:leave 19:keep 24:noinline 33:inline\n"},
		{"file \"a b\" keep", "p:1: unit 1:file=a b 12:keep\n"},
		{"file a\" \"b\"\"c keep", "p:1: unit 1:file=a bc 15:keep\n"},
		{"func \"a\\\"b\\\\\\\\c\" keep", "p:1: 1:func=a\"b\\\\c 18:keep\n"},
		{"func a\\\\b\"c\" keep", "p:1: 1:func=a\\\\bc 14:keep\n"},
		{"func \"\\*\" keep", "p:1: 1:func=\\* 11:keep\n"},
		{"func \"#a\" keep", "p:1: 1:func=#a 11:keep\n"},
		{"func \"-a\" keep", "p:1: 1:func=-a 11:keep\n"},
		{"func keep keep", "p:1: 1:func=keep 11:keep\n"},
		{"\"func\" f \"keep\"", "p:1: 1:func=f 10:keep\n"},
		{"func \xc3\xa4\xe4 keep", "p:1: 1:func=\xc3\xa4\xe4 10:keep\n"},
		{"all -fprofile-use -fauto-profile -fno-plt", "p:1: unit 1:all 5:-fprofile-use "
							      "19:-fauto-profile 34:-fno-plt\n"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		check_accepted(table[i].text, table[i].rules);
}
END_TEST

#define PLACES "all, on, file, func, section or call"
#define WHATS  "a GCC flag, default, leave, keep, noinline or inline was expected"

START_TEST(refused)
{
	static const struct {
		const char *text;
		const char *faults; /* without "p:1:" and " error: " */
	} table[] = {
		{"fnuc f keep", "1|unknown word 'fnuc'; did you mean 'func'?"},
		{"function f keep", "1|unknown word 'function'; did you mean 'func'?"},
		{"all kepe", "5|unknown word 'kepe'; did you mean 'keep'?"},
		{"xyzzy", "1|unknown word 'xyzzy'; a rule begins with a place: " PLACES},
		{"all xyzzy plugh", "5|unknown word 'xyzzy'; a place, " WHATS},
		{"all xyzzy keep plugh", "5|unknown word 'xyzzy'; a place, " WHATS "\n"
					 "16|unknown word 'plugh'; a place, " WHATS},
		{"all ?keep", "5|unknown word '?keep'; did you mean 'keep'?"},
		{"all \"\"", "5|unknown word ''; a place, " WHATS},
		{"file", "1|'file' needs a pattern after it"},
		{"on # arm64", "1|'on' needs a pattern after it"},
		{"func -fx", "6|'func' needs a pattern after it, not the flag '-fx'"},
		{"func -g", "6|'func' needs a pattern after it, not the flag '-g'\n"
			    "6|'-g' chooses debug information, which is given for a whole build"},
		{"all --param -g",
		 "5|'--param' needs NAME=VALUE after it\n"
		 "13|'-g' chooses debug information, which is given for a whole build"},
		{"func f", "6|the rule says where but not what: " WHATS},
		{"all", "1|the rule says where but not what: " WHATS},
		{"all force", "5|'force' needs a setting after it"},
		{"force", "1|a rule begins with a place: " PLACES},
		{"keep", "1|a rule begins with a place: " PLACES},
		{"-fx func f", "1|a rule begins with a place: " PLACES},
		{"force keep", "1|a rule begins with a place: " PLACES},
		{"all keep func f",
		 "10|place 'func' stands after a setting; a rule says where before it "
		 "says what"},
		{"all force func f keep",
		 "11|place 'func' stands after 'force', which belongs to the "
		 "settings"},
		{"all keep force", "10|'force' stands before the settings of a rule"},
		{"all force leave",
		 "11|'leave' cannot be forced; 'force' is for what holds in spite of "
		 "'leave'"},
		{"all force default",
		 "11|'default' cannot be forced; 'force' is for what holds in spite "
		 "of 'leave'"},
		{"call f inline", "1|'call' needs a 'func' in the same rule"},
		{"func f call g keep", "15|'call' takes only 'inline' and 'noinline'"},
		{"func f call g -fx inline", "15|'call' takes only 'inline' and 'noinline'"},
		{"call g -mx", "8|'call' takes only 'inline' and 'noinline'\n"
			       "1|'call' needs a 'func' in the same rule"},
		{"all include x", "5|'include' stands at the beginning of a line\n"
				  "13|unknown word 'x'; a place, " WHATS},
		{"on aarch46 keep",
		 "4|no known architecture matches 'aarch46'; did you mean 'aarch64'?"},
		{"on qqqqqqqq keep",
		 "4|no known architecture matches 'qqqqqqqq'; the names are those of "
		 "GCC and of the kernel, like 'x86_64' and 'arm64'"},
		{"func \"a keep", "6|the quote that begins here is not closed in this line"},
		{"func a\"b\"c\" keep", "11|the quote that begins here is not closed in this line"},
		{"\"all", "1|the quote that begins here is not closed in this line"},
		{"func \"a\\\" keep", "6|the quote that begins here is not closed in this line"},
		{"all --param \"a=1", "13|the quote that begins here is not closed in this line"},
		{"func \"\" keep", "6|bad pattern '': the pattern is empty"},
		{"func ab[c keep", "8|bad pattern 'ab[c': the set is not closed by ']'"},
		{"func \"ab[c\" keep", "9|bad pattern 'ab[c': the set is not closed by ']'"},
		{"func \"a\\\\\\\\b\"\"[c\" keep",
		 "15|bad pattern 'a\\\\b[c': the set is not closed by ']'"},
		{"func a\\ keep", "7|bad pattern 'a\\': a backslash at the end stands for nothing"},
		{"func a[xz-a] keep", "9|bad pattern 'a[xz-a]': the range runs backwards"},
		{"func a/b keep",
		 "7|pattern 'a/b' can never match, because no function's name has a '/'; "
		 "the place 'file' takes paths"},
		{"file ./a keep",
		 "6|pattern './a' can never match: paths are relative to the kernel tree "
		 "and have no '.', '..' or empty component"},
		{"file a/../b keep",
		 "8|pattern 'a/../b' can never match: paths are relative to the kernel "
		 "tree and have no '.', '..' or empty component"},
		{"file \"a\"//b keep",
		 "10|pattern 'a//b' can never match: paths are relative to the kernel "
		 "tree and have no '.', '..' or empty component"},
		{"file a/. keep",
		 "8|pattern 'a/.' can never match: paths are relative to the kernel tree "
		 "and have no '.', '..' or empty component"},
		{"file drivers/net/ keep",
		 "17|pattern 'drivers/net/' can never match, because no path ends "
		 "in '/'; did you mean 'drivers/net/**'?"},
		{"func f -march=x",
		 "8|'-march=x' holds for a whole unit and cannot be given for single "
		 "functions, because inline functions of headers are built for another "
		 "target then and could not be inlined"},
		{"section s ?-mx",
		 "11|'-mx' holds for a whole unit and cannot be given for single "
		 "functions, because inline functions of headers are built for another "
		 "target then and could not be inlined"},
		{"all --param", "5|'--param' needs NAME=VALUE after it"},
		{"all --param -fx", "5|'--param' needs NAME=VALUE after it"},
		{"all --param a", "5|'--param=a' is incomplete: it is written --param=NAME=VALUE"},
		{"all --param=", "5|'--param=' is incomplete: it is written --param=NAME=VALUE"},
		{"all --param==1",
		 "5|'--param==1' is incomplete: it is written --param=NAME=VALUE"},
		{"all --param=a=",
		 "5|'--param=a=' is incomplete: it is written --param=NAME=VALUE"},
		{"include",
		 "1|'include' needs the name of a file or of a built-in policy after it"},
		{"include a b", "11|'include' takes one name, and nothing after it"},
		{"include \"a", "9|the quote that begins here is not closed in this line"},
		{"include a \"b", "11|the quote that begins here is not closed in this line"},
		{"include bsae", "9|no built-in policy is called 'bsae'; did you mean 'base'?"},
		{"include qqqqqq",
		 "9|no built-in policy is called 'qqqqqq'; the name of a file has a '/' or "
		 "a '.' in it"},
		{"include ./qq", "9|policy './qq' cannot be read: No such file or directory"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char faults[2048] = "", copy[2048], *save = copy, *line;

		snprintf(copy, sizeof(copy), "%s", table[i].faults);
		while ((line = strsep(&save, "\n"))) {
			char *text = strchr(line, '|');

			snprintf(faults + strlen(faults), sizeof(faults) - strlen(faults),
				 "p:1:%.*s: error: %s\n", (int)(text - line), line, text + 1);
		}
		check_refused(table[i].text, faults);
	}
}
END_TEST

/* Only the family matters here: every fault ends in a reason that names it. */
START_TEST(flags_that_generate_no_code)
{
	static const struct {
		const char *flag;
		const char *reason;
	} table[] = {
		{"-DX=1", "preprocessor"},
		{"-UX", "preprocessor"},
		{"-Iinclude", "preprocessor"},
		{"-include", "preprocessor"},
		{"-isystem", "preprocessor"},
		{"-Wp,-MD", "preprocessor"},
		{"-MMD", "preprocessor"},
		{"-O2", "-Q --help=optimizers"},
		{"-O", "optimization level"},
		{"-Ofast", "optimization level"},
		{"-Wall", "diagnostics"},
		{"-w", "diagnostics"},
		{"-Wno-unused", "diagnostics"},
		{"-pedantic-errors", "diagnostics"},
		{"-fdiagnostics-color", "diagnostics"},
		{"-fno-diagnostics-show-caret", "diagnostics"},
		{"-std=gnu11", "language"},
		{"-ansi", "language"},
		{"-x", "language"},
		{"-g", "debug"},
		{"-ggdb3", "debug"},
		{"-lgcc", "linker"},
		{"-L.", "linker"},
		{"-Wl,-z", "linker"},
		{"-Wa,-x", "assembler"},
		{"-o", "driver"},
		{"-c", "driver"},
		{"-S", "driver"},
		{"-E", "driver"},
		{"-fsyntax-only", "driver"},
		{"-pipe", "driver"},
		{"-fplugin=x.so", "plugins"},
		{"-fplugin-arg-x-y", "plugins"},
		{"-fdump-tree-all", "reports"},
		{"-fopt-info-inline", "reports"},
		{"-ffile-prefix-map=a=b", "file names"},
		{"-fmacro-prefix-map=a=b", "file names"},
		{"-fdebug-prefix-map=a=b", "file names"},
		{"-m16", "another machine"},
		{"-m32", "another machine"},
		{"-m64", "another machine"},
		{"-msse2avx", "assembler"},
		{"-mx32", "another machine"},
		{"-miamcu", "another machine"},
		{"-mabi=ms", "another machine"},
		{"-mbig-endian", "another machine"},
		{"-mlittle-endian", "another machine"},
		{"+", "no extension"},
		{"+no", "no extension"},
		{"+sve+sve2", "no extension"},
		{"+noSVE", "no extension"},
		{"-pg", "every function"},
		{"-", "not a code generation flag"},
		{"--", "not a code generation flag"},
		{"-f", "not a code generation flag"},
		{"-m", "not a code generation flag"},
		{"--params=1", "not a code generation flag"},
		{"-Qn", "not a code generation flag"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char text[128], begin[128];

		snprintf(text, sizeof(text), "all ?%s", table[i].flag);
		snprintf(begin, sizeof(begin), "p:1:5: error: '%s' ", table[i].flag);
		load_string(text);
		ck_assert_msg(messages.errors == 1, "%s: %s", text, messages.text);
		ck_assert_msg(strncmp(messages.text, begin, strlen(begin)) == 0, "%s: %s", text,
			      messages.text);
		ck_assert_msg(strstr(messages.text, table[i].reason), "%s: %s", text,
			      messages.text);
	}
}
END_TEST

/* One run shows every mistake, and what is right can still be read. */
START_TEST(goes_on_after_faults)
{
	load_string("all -fa\nfnuc\nfunc f[ call g keep -O2\nall -fb\nfile a/\nfunc f keep");
	ck_assert_str_eq(messages.text,
			 "p:2:1: error: unknown word 'fnuc'; did you mean 'func'?\n"
			 "p:3:7: error: bad pattern 'f[': the set is not closed by ']'\n"
			 "p:3:16: error: 'call' takes only 'inline' and 'noinline'\n"
			 "p:3:21: error: 'call' takes only 'inline' and 'noinline'\n"
			 "p:5:7: error: pattern 'a/' can never match, because no path ends in '/'; "
			 "did you mean 'a/**'?\n");
	ck_assert_str_eq(dumped, "p:1: unit 1:all 5:-fa\np:4: unit 1:all 5:-fb\n"
				 "p:6: 1:func=f 8:keep\n");
}
END_TEST

START_TEST(nul_bytes)
{
	static const char text[] = "all -fa\nall\0-fb\n\0\nfunc f keep\nall \"-f\0";

	load_bytes(text, sizeof(text) - 1);
	ck_assert_str_eq(messages.text,
			 "p:2:4: error: a NUL byte stands in the line, and a policy is text\n"
			 "p:3:1: error: a NUL byte stands in the line, and a policy is text\n"
			 "p:5:8: error: a NUL byte stands in the line, and a policy is text\n");
	ck_assert_str_eq(dumped, "p:1: unit 1:all 5:-fa\np:4: 1:func=f 8:keep\n");
}
END_TEST

/* No byte, wherever it stands, may do more than be refused. */
START_TEST(any_bytes)
{
	static const char alphabet[] = "all func f file * [ ] \\ \" - ? # \n\r\t / . -fx keep call";
	uint64_t seed = (uint64_t)_i + 1;
	char text[200];

	for (int i = 0; i < 4000; i++) {
		size_t length = random_below(&seed, sizeof(text));

		for (size_t k = 0; k < length; k++)
			text[k] = random_below(&seed, 8)
					  ? alphabet[random_below(&seed, sizeof(alphabet) - 1)]
					  : (char)random_below(&seed, 256);
		load_bytes(text, length);
	}
}
END_TEST

/* Words in any order: a rule that is accepted obeys the grammar. */
START_TEST(any_words)
{
	static const char *const words[] = {"all",    "on arm64", "file a",   "func f", "section s",
					    "call g", "force",    "-fx",      "-mx",    "default",
					    "leave",  "keep",     "noinline", "inline"};
	uint64_t seed = (uint64_t)_i + 1;
	unsigned nr_good = 0;

	for (int i = 0; i < 10000; i++) {
		unsigned places = 0, whats = 0, of_call = 0, force = 0;
		bool has_func = false, has_call = false, function_scope = false;
		bool good = true;
		char text[256] = "";

		for (unsigned left = random_below(&seed, 6); left; left--) {
			unsigned w = random_below(&seed, 14);

			strcat(strcat(text, words[w]), " ");
			if (w <= 5) {
				good &= !force && !whats;
				places++;
				has_func |= w == 3;
				has_call |= w == 5;
				function_scope |= w >= 3;
			} else if (w == 6) {
				good &= places && !whats;
				force++;
			} else {
				good &= places && !(w == 8 && function_scope);
				good &= !(force && (w == 9 || w == 10));
				of_call += w == 12 || w == 13;
				whats++;
			}
		}
		good &= !has_call || (has_func && of_call == whats);
		if (*text)
			good &= whats > 0;
		ck_assert_msg((load_string(text) == 0) == good, "«%s»: %s", text, messages.text);
		ck_assert_int_eq(*dumped != '\0', good && *text);
		nr_good += good;
	}
	ck_assert_uint_gt(nr_good, 500);
}
END_TEST

/* Words that are something else without their quotes. */
START_TEST(written)
{
	static const char text[] = "file \"a b\".c func \"-x\" func \"+y\" func \"?-z\" force keep # c\n"
				   "section \"#s\" section \"a\\\"b\" section a\\\\b -fx=#y \"-fz=a b\"\n"
				   "all\t--param a=1   ?-fw\nfunc a\\* keep\n";
	static const char first[] = "include base\nall \"?-fx\"\t-fy\n";
	struct kiln_policy *policy = kiln_policy_new();
	struct kiln_strbuf sb;
	char digest[KILN_SHA256_SIZE];
	int result;

	ck_assert_msg(!load_string(text), "%s", messages.text);
	messages_init(&messages);
	ck_assert_int_eq(kiln_policy_load_text(policy, "p", first, strlen(first), &messages.sink), 0);
	kiln_strbuf_init(&sb);
	kiln_policy_write(policy, &sb);
	ck_assert_str_eq(sb.data, "all -fbase\nfunc f keep\nall ?-fx -fy\n");
	kiln_strbuf_release(&sb);
	ck_assert_int_eq(kiln_policy_digest(policy, digest), 0);
	/* printf 'all -fbase\nfunc f keep\nall ?-fx -fy\n' | sha256sum */
	ck_assert_str_eq(digest, "c252edd8efc9cf33820ab2ea178e595ebf1b4baa8e23e598112311ef857ce2e4");
	alloc_fail_from(1);
	result = kiln_policy_digest(policy, digest);
	alloc_stop();
	ck_assert_int_eq(result, -1);
	kiln_policy_free(policy);
}
END_TEST

/* ---- sizes ---- */

START_TEST(ten_thousand_rules)
{
	const size_t count = 10000;
	char *text = (char *)malloc(count * 64), *end = text;
	struct kiln_policy *policy = kiln_policy_new();

	messages_init(&messages);
	for (size_t i = 0; i < count; i++)
		end += sprintf(end, "func f%zu --param p%zu=%zu keep\n", i, i % 7, i);
	ck_assert_int_eq(
		kiln_policy_load_text(policy, "p", text, (size_t)(end - text), &messages.sink), 0);
	free(text);
	ck_assert_uint_eq(kiln_policy_nr_rules(policy), count);
	for (size_t i = 0; i < count; i++) {
		const struct kiln_rule *rule = kiln_policy_rule(policy, i);
		char expected[64];

		snprintf(expected, sizeof(expected), "--param=p%zu=%zu", i % 7, i);
		ck_assert_str_eq(rule->settings[0].flag, expected);
		ck_assert_ptr_eq(rule->settings[1].rule, rule);
		ck_assert_uint_eq(rule->line, i + 1);
	}
	kiln_policy_free(policy);
}
END_TEST

/* A line of 1 MiB each: one word, many words, blanks, a comment, an open quote, a pattern. */
START_TEST(long_lines)
{
	static const struct {
		const char *begin;
		const char *repeated;
		const char *fault; /* the message begins so; NULL: none */
	} table[] = {
		{"all -f", "x", NULL},
		{"all", " -fx", NULL},
		{"all keep", " ", NULL},
		{"#", "all ", NULL},
		{"func \"", "a", "p:1:6: error: the quote"},
		{"", "x", "p:1:1: error: unknown word 'xxx"},
		{"all", " x", "p:1:5: error: unknown word 'x'"},
		{"func ", "a", "p:1:4102: error: bad pattern"},
		{"func ", "[", "p:1:6: error: bad pattern"},
		{"file ", "a/", "p:1:4102: error: bad pattern"},
		{"include ", "x", "p:1:9: error: no built-in policy"},
		{"include ", "/", "p:1:9: error: policy"},
		{"all --param ", "x", "p:1:5: error: '--param=x"},
	};
	size_t size = 1 << 20;
	char *text = (char *)malloc(size);
	size_t length;

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t step = strlen(table[i].repeated);

		length = strlen(table[i].begin);
		memcpy(text, table[i].begin, length);
		for (; length + step <= size; length += step)
			memcpy(text + length, table[i].repeated, step);
		load_bytes(text, length);
		if (!table[i].fault)
			ck_assert_msg(!messages.length, "%s: %s", table[i].begin, messages.text);
		else
			ck_assert_msg(
				strncmp(messages.text, table[i].fault, strlen(table[i].fault)) == 0,
				"%s: %.200s", table[i].begin, messages.text);
		ck_assert_uint_le(messages.errors, 1);
	}
	free(text);
}
END_TEST

START_TEST(columns_in_long_lines)
{
	const size_t blanks = 1 << 20;
	char *text = (char *)malloc(blanks + 16), expected[128];

	memset(text, ' ', blanks);
	memcpy(text + blanks, "all kepe", 8);
	load_bytes(text, blanks + 8);
	snprintf(expected, sizeof(expected),
		 "p:1:%zu: error: unknown word 'kepe'; did you mean 'keep'?\n", blanks + 5);
	ck_assert_str_eq(messages.text, expected);
	free(text);
}
END_TEST

/* ---- files ---- */

static char directory[64];

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static void enter_directory(void)
{
	strcpy(directory, "/tmp/kiln-policy-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	ck_assert_int_eq(chdir(directory), 0);
	ck_assert_int_eq(mkdir("sub", 0777), 0);
}

static void remove_directory(void)
{
	nftw(directory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	fputs(text, file);
	fclose(file);
}

/* Reads the policy NAME; the rules are then in dumped, the files' names behind them. */
static int load_file(const char *name)
{
	struct kiln_policy *policy = kiln_policy_new();
	int result;

	messages_init(&messages);
	result = kiln_policy_load(policy, name, &messages.sink);
	dump_policy(policy);
	for (size_t i = 0; i < kiln_policy_nr_files(policy); i++)
		dump("[%s]", kiln_policy_file(policy, i));
	ck_assert_int_eq(result, messages.errors ? -1 : 0);
	kiln_policy_free(policy);
	return result;
}

static void check_file(const char *name, const char *rules, const char *faults)
{
	load_file(name);
	ck_assert_str_eq(messages.text, faults);
	ck_assert_str_eq(dumped, rules);
}

START_TEST(includes)
{
	char absolute[128], text[256], rules[512];

	put("a.policy", "all -fa\ninclude sub/b.policy # here\nall -fz\n");
	put("sub/b.policy", "all -fb\ninclude ./c.policy\ninclude upper\ninclude ../d.policy");
	put("sub/c.policy", "");
	put("d.policy", "func d keep");
	check_file("a.policy",
		   "a.policy:1: unit 1:all 5:-fa\n"
		   "sub/b.policy:1: unit 1:all 5:-fb\n"
		   "<built-in base>:1: unit 1:all 5:-fbase\n"
		   "<built-in base>:2: 1:func=f 8:keep\n"
		   "<built-in upper>:2: unit 1:all 5:-fupper\n"
		   "sub/../d.policy:1: 1:func=d 8:keep\n"
		   "a.policy:3: unit 1:all 5:-fz\n"
		   "[a.policy][sub/b.policy][sub/./c.policy][sub/../d.policy]",
		   "");
	snprintf(absolute, sizeof(absolute), "%s/d.policy", directory);
	snprintf(text, sizeof(text), "include %s\ninclude \"sub/e f.policy\"\n", absolute);
	snprintf(rules, sizeof(rules),
		 "%s:1: 1:func=d 8:keep\n[./sub/../a.policy][%s][./sub/../sub/e f.policy]",
		 absolute, absolute);
	put("a.policy", text);
	put("sub/e f.policy", "");
	check_file("./sub/../a.policy", rules, "");
}
END_TEST

START_TEST(builtin_by_name)
{
	check_file("base",
		   "<built-in base>:1: unit 1:all 5:-fbase\n<built-in base>:2: 1:func=f 8:keep\n",
		   "");
	check_file("bsae", "",
		   "-:0:0: error: no built-in policy is called 'bsae'; did you mean 'base'?\n");
	check_file("broken", "",
		   "<built-in broken>:1:1: error: the rule says where but not what: " WHATS "\n");
	check_file("filed", "",
		   "<built-in filed>:1:9: error: a built-in policy lies in no directory and "
		   "cannot include a file\n");
	check_file("loop-a",
		   "<built-in loop-b>:2: unit 1:all 5:-fb\n<built-in loop-a>:2: unit 1:all 5:-fa\n",
		   "<built-in loop-b>:1:9: error: policy '<built-in loop-a>' includes itself\n");
}
END_TEST

START_TEST(builtin_with_a_point)
{
	put("point-1.2", "func file keep\n");
	put("a.policy", "include point-1.2\ninclude ./point-1.2\n");
	check_file("point-1.2", "<built-in point-1.2>:1: 1:func=p 8:keep\n", "");
	check_file("points", "<built-in point-1.2>:1: 1:func=p 8:keep\n", "");
	check_file("./point-1.2", "./point-1.2:1: 1:func=file 11:keep\n[./point-1.2]", "");
	check_file("a.policy",
		   "<built-in point-1.2>:1: 1:func=p 8:keep\n"
		   "./point-1.2:1: 1:func=file 11:keep\n[a.policy][./point-1.2]",
		   "");
	check_file("point-1.3", "",
		   "point-1.3:0:0: error: policy 'point-1.3' cannot be read: "
		   "No such file or directory\n");
	ck_assert(!kiln_policy_names_file("point-1.2"));
	ck_assert(kiln_policy_names_file("./point-1.2"));
	ck_assert(kiln_policy_names_file("point-1.3"));
	ck_assert(!kiln_policy_names_file("point-1"));
}
END_TEST

START_TEST(cycles)
{
	put("self.policy", "all -fa\ninclude self.policy\nall -fb\n");
	check_file(
		"self.policy",
		"self.policy:1: unit 1:all 5:-fa\nself.policy:3: unit 1:all 5:-fb\n[self.policy]",
		"self.policy:2:9: error: policy 'self.policy' includes itself\n");
	put("one.policy", "include two.policy\n");
	put("two.policy", "include sub/../one.policy\n");
	check_file("one.policy", "[one.policy][two.policy]",
		   "two.policy:1:9: error: policy 'sub/../one.policy' includes itself\n");
	ck_assert_int_eq(symlink("../linked.policy", "sub/other-name.policy"), 0);
	put("linked.policy", "include sub/other-name.policy\n");
	check_file("linked.policy", "[linked.policy]",
		   "linked.policy:1:9: error: policy 'sub/other-name.policy' includes itself\n");
}
END_TEST

START_TEST(twice_in_sequence)
{
	put("a.policy", "include b.policy\ninclude b.policy\ninclude base\ninclude base\n");
	put("b.policy", "all -fb\n");
	ck_assert_int_eq(load_file("a.policy"), 0);
	ck_assert_ptr_nonnull(strstr(dumped, "b.policy:1: unit 1:all 5:-fb\n"
					     "b.policy:1: unit 1:all 5:-fb\n<built-in base>:1"));
}
END_TEST

/* The named file is level 1; level 32 can be read, level 33 not. */
START_TEST(depth)
{
	char name[32], text[64];

	for (int i = 1; i <= 33; i++) {
		snprintf(name, sizeof(name), "%d.policy", i);
		snprintf(text, sizeof(text), "include %d.policy\n", i + 1);
		put(name, i < 33 ? text : "all -fx\n");
	}
	ck_assert_int_eq(load_file("2.policy"), 0);
	ck_assert_int_eq(load_file("1.policy"), -1);
	ck_assert_str_eq(messages.text,
			 "32.policy:1:9: error: policies include each other more than 32 "
			 "levels deep\n");
}
END_TEST

static void make_socket(const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	strcpy(address.sun_path, name);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	close(fd);
}

START_TEST(what_is_not_a_file)
{
	static const struct {
		const char *name;
		const char *reason;
	} table[] = {
		{"missing.policy", "No such file or directory"},
		{"dangling.policy", "No such file or directory"},
		{"plain.policy/x.policy", "Not a directory"},
		{"circle.policy", "Too many levels of symbolic links"},
		{"./sub", "it is a directory"},
		{"fifo.policy", "it is a FIFO"},
		{"socket.policy", "it is a socket"},
		{"/dev/zero", "it is a character device"},
		{"/dev/full", "it is a character device"},
		{"/dev/tty", "it is a character device"},
	};
	char faults[256], line[64];

	ck_assert_int_eq(symlink("nowhere", "dangling.policy"), 0);
	ck_assert_int_eq(symlink("circle.policy", "circle.policy"), 0);
	ck_assert_int_eq(mkfifo("fifo.policy", 0666), 0);
	make_socket("socket.policy");
	put("plain.policy", "");
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		snprintf(faults, sizeof(faults), "%s:0:0: error: policy '%s' cannot be read: %s\n",
			 table[i].name, table[i].name, table[i].reason);
		check_file(table[i].name, "", faults);
		snprintf(line, sizeof(line), "all -fx\ninclude %s\n", table[i].name);
		put("outer.policy", line);
		snprintf(faults, sizeof(faults),
			 "outer.policy:2:9: error: policy '%s' cannot be read: %s\n", table[i].name,
			 table[i].reason);
		check_file("outer.policy", "outer.policy:1: unit 1:all 5:-fx\n[outer.policy]",
			   faults);
	}
}
END_TEST

START_TEST(nothing_is_a_policy)
{
	put("empty.policy", "");
	check_file("empty.policy", "[empty.policy]", "");
	check_file("/dev/null", "[/dev/null]", "");
	put("a.policy", "include /dev/null\ninclude /dev/null\nall -fx");
	check_file("a.policy", "a.policy:3: unit 1:all 5:-fx\n[a.policy][/dev/null][/dev/null]",
		   "");
	/* A file of /proc has no size, but text. */
	ck_assert_int_eq(load_file("/proc/self/status"), -1);
	ck_assert_uint_gt(messages.errors, 5);
}
END_TEST

START_TEST(no_sink)
{
	struct kiln_policy *policy = kiln_policy_new();

	ck_assert_int_eq(kiln_policy_load_text(policy, "p", "fnuc\nall -fx", 12, NULL), -1);
	ck_assert_int_eq(kiln_policy_load(policy, "missing.policy", NULL), -1);
	ck_assert_int_eq(kiln_policy_load(policy, "base", NULL), 0);
	ck_assert_uint_eq(kiln_policy_nr_rules(policy), 3);
	kiln_policy_free(policy);
	kiln_policy_free(NULL);
}
END_TEST

/* ---- no memory ---- */

/* Loads NAME while the Nth allocation (and all later ones, if EVERY) fails. */
static bool load_failing(const char *name, unsigned long n, bool every)
{
	struct kiln_policy *policy;
	int result = -1;
	bool failed;

	messages_init(&messages);
	if (every)
		alloc_fail_from(n);
	else
		alloc_fail_at(n);
	policy = kiln_policy_new();
	if (policy)
		result = kiln_policy_load(policy, name, &messages.sink);
	failed = alloc_failed();
	alloc_stop();
	ck_assert_msg(!failed || result == -1, "allocation %lu", n);
	if (policy && result) {
		ck_assert_uint_gt(messages.errors, 0);
		for (size_t i = 0; i < kiln_policy_nr_rules(policy); i++)
			dump_rule(kiln_policy_rule(policy, i));
	}
	kiln_policy_free(policy);
	return failed;
}

START_TEST(every_allocation_fails)
{
	unsigned long n = 1;
	FILE *file = fopen("a.policy", "w");

	fputs("file \"a b\" func f --param a=1\ninclude upper\ninclude b.policy\n", file);
	for (int i = 0; i < 300; i++)
		fprintf(file, "func f%d file \"q %d\" --param x=%d -fa keep\n", i, i, i);
	fputs("all", file);
	for (int i = 0; i < 100; i++)
		fputs(" file a", file);
	for (int i = 0; i < 100; i++)
		fputs(" -fx", file);
	fclose(file);
	put("b.policy", "func g keep\n");
	ck_assert_int_eq(load_file("a.policy"), 0);
	while (load_failing("a.policy", n, _i))
		n++;
	ck_assert_uint_gt(n, 15);
}
END_TEST

/* The suggestions need memory too; without it the fault is still told. */
START_TEST(faults_without_memory)
{
	put("a.policy", "fnuc f\non aarch46 keep\ninclude bsae\nfunc \"a[\" keep\n");
	for (unsigned long n = 1; load_failing("a.policy", n, _i); n++)
		;
	ck_assert_uint_eq(messages.errors, 4);
}
END_TEST

START_TEST(memory_is_reported_once)
{
	struct kiln_policy *policy = kiln_policy_new();
	char *text = (char *)malloc(64 * 2000), *end = text;
	int result;

	for (int i = 0; i < 2000; i++)
		end += sprintf(end, "func f%d keep\n", i);
	messages_init(&messages);
	alloc_fail_from(6);
	result = kiln_policy_load_text(policy, "p", text, (size_t)(end - text), &messages.sink);
	alloc_stop();
	ck_assert_int_eq(result, -1);
	ck_assert_msg(messages.errors == 1, "%s", messages.text);
	ck_assert_ptr_nonnull(strstr(messages.text, ":0: error: out of memory\n"));
	kiln_policy_free(policy);
	free(text);
}
END_TEST

/* ---- keys of flags ---- */

START_TEST(flag_keys)
{
	static const struct {
		const char *a;
		const char *b;
		bool same;
	} table[] = {
		{"-fx", "-fx", true},
		{"-fx", "-fno-x", true},
		{"-fx=1", "-fno-x", true},
		{"-fx=1", "-fx=2", true},
		{"-fx", "-fxy", false},
		{"-fno-x", "-fno-xy", false},
		{"-fx", "-mx", false},
		{"-fnoxax", "-fax", false},
		{"-mx", "-mno-x", true},
		{"-march=a", "-march=b", true},
		{"-march=a", "-mtune=a", false},
		{"+sve", "+nosve", true},
		{"+sve", "+sve2", false},
		{"+sve", "-msve", false},
		{"+nosve", "-fno-sve", false},
		{"-fnon-call-exceptions", "-fn-call-exceptions", false},
		{"--param=a=1", "--param=a=2", true},
		{"--param=a=1", "--param=ab=1", false},
		{"--param=a=1", "-fa=1", false},
		{"--param=no-a=1", "--param=a=1", false},
		{"-Xa=1", "-Xa=2", true},
		{"-Xa", "-Xb", false},
		{"--paramx=1", "--param=x=1", false},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		ck_assert_msg(kiln_flag_same_key(table[i].a, table[i].b) == table[i].same, "%s %s",
			      table[i].a, table[i].b);
		ck_assert_msg(kiln_flag_same_key(table[i].b, table[i].a) == table[i].same, "%s %s",
			      table[i].b, table[i].a);
	}
}
END_TEST

/* What `native` stands for holds in its place, with the rule's own places. */
START_TEST(resolved_cpu)
{
	static const char cpu_text[] = "on x86 -march=znver3\non x86 -mno-pku ?-mx\non x86 -mtune=znver3 "
				       "--param=p=1\nfile a.c ?+crypto\nfunc f keep\n";
	static const char policy_text[] = "file fs/** -fa -march=native -fb\nall -mtune=native\n"
				   "on arm64 -mcpu=native+x\nall -march=x -mno-native\n";
	struct kiln_policy *cpu = kiln_policy_new(), *policy = kiln_policy_new();

	messages_init(&messages);
	ck_assert_int_eq(kiln_policy_load_text(cpu, "c", cpu_text, strlen(cpu_text), &messages.sink), 0);
	ck_assert_int_eq(kiln_policy_load_text(policy, "b", "all -march=native\n", 18, &messages.sink),
			 0);
	ck_assert_int_eq(kiln_policy_set_cpu(policy, cpu), 0);
	ck_assert_int_eq(kiln_policy_load_text(policy, "p", policy_text, strlen(policy_text), &messages.sink), 0);
	ck_assert_str_eq(dump_policy(policy),
			 "b:1: unit 1:all 5:-march=native\n"
			 "p:1: unit 1:file=fs/** 12:-fa 16:-march=znver3 16:-mno-pku 16:?-mx 30:-fb\n"
			 "p:2: unit 1:all 5:-mtune=znver3 5:--param=p=1\n"
			 "p:3: unit 1:on=arm64 10:-march=znver3 10:-mno-pku 10:?-mx 10:-mtune=znver3 "
			 "10:--param=p=1\n"
			 "p:4: unit 1:all 5:-march=x 14:-mno-native\n");
	kiln_policy_free(policy);
	kiln_policy_free(cpu);
}
END_TEST

START_TEST(cpu_that_says_nothing)
{
	struct kiln_policy *cpu = kiln_policy_new(), *policy = kiln_policy_new();

	messages_init(&messages);
	ck_assert_int_eq(kiln_policy_load_text(cpu, "c", "all -march=x\n", 13, &messages.sink), 0);
	ck_assert_int_eq(kiln_policy_set_cpu(policy, cpu), 0);
	ck_assert_int_eq(kiln_policy_load_text(policy, "p", "all -mtune=native\n", 18, &messages.sink),
			 -1);
	ck_assert_str_eq(messages.text, "p:1:5: error: the file that resolves the CPU says nothing of "
					"'-mtune=native'\n");
	kiln_policy_free(policy);
	kiln_policy_free(cpu);
}
END_TEST

START_TEST(names_of_words)
{
	ck_assert_str_eq(kiln_what_name(KILN_FLAG), "flag");
	ck_assert_str_eq(kiln_what_name(KILN_DEFAULT), "default");
	ck_assert_str_eq(kiln_what_name(KILN_INLINE), "inline");
	ck_assert_str_eq(kiln_place_name(KILN_ALL), "all");
	ck_assert_str_eq(kiln_place_name(KILN_CALL), "call");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("policy");
	TCase *text = tcase_create("text"), *files = tcase_create("files");

	tcase_set_timeout(text, 60);
	tcase_add_test(text, accepted);
	tcase_add_test(text, refused);
	tcase_add_test(text, flags_that_generate_no_code);
	tcase_add_test(text, goes_on_after_faults);
	tcase_add_test(text, nul_bytes);
	tcase_add_loop_test(text, any_bytes, 0, 4);
	tcase_add_loop_test(text, any_words, 0, 4);
	tcase_add_test(text, written);
	tcase_add_test(text, ten_thousand_rules);
	tcase_add_test(text, long_lines);
	tcase_add_test(text, columns_in_long_lines);
	tcase_add_test(text, flag_keys);
	tcase_add_test(text, names_of_words);
	tcase_add_test(text, resolved_cpu);
	tcase_add_test(text, cpu_that_says_nothing);
	suite_add_tcase(suite, text);

	tcase_set_timeout(files, 60);
	tcase_add_checked_fixture(files, enter_directory, remove_directory);
	tcase_add_test(files, includes);
	tcase_add_test(files, builtin_by_name);
	tcase_add_test(files, builtin_with_a_point);
	tcase_add_test(files, cycles);
	tcase_add_test(files, twice_in_sequence);
	tcase_add_test(files, depth);
	tcase_add_test(files, what_is_not_a_file);
	tcase_add_test(files, nothing_is_a_policy);
	tcase_add_test(files, no_sink);
	tcase_add_loop_test(files, every_allocation_fails, 0, 2);
	tcase_add_loop_test(files, faults_without_memory, 0, 2);
	tcase_add_test(files, memory_is_reported_once);
	suite_add_tcase(suite, files);
	return run_suite(suite);
}
