// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A policy's CPU in rustc's words. GCC's flags say what is meant; which CPUs and
 * features rustc knows, and what a CPU has, it is asked.
 *
 * The kernel's own flags for Rust code come before these. They turn vector
 * registers off, and with them all that a CPU's name brings in and that builds
 * on them; so no vector feature is turned on here, and what a policy denies is
 * turned off where the CPU has it.
 */
#include "rust.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kiln/cpu.h"

static const struct rust_arch *const arches[] = {&rust_aarch64, &rust_x86};

#define NR_ARCHES (sizeof(arches) / sizeof(arches[0]))

/* One feature that a setting turns on or off. */
struct request {
	const char *word; /* as the policy spells it */
	int word_length;
	const char *name; /* GCC's, in the word */
	int length;
	bool on;
	bool optional; /* nothing is said when rustc does not know it */
	const struct kiln_setting *setting;
};

/* What is being made, and from what. */
struct rust {
	const struct rust_arch *arch;
	const struct kiln_verdict *unit;
	const char *rustc;
	struct kiln_strbuf known; /* rustc's lists of CPUs and features */
	struct kiln_strbuf has;   /* what it tells of the CPU */
	const struct kiln_setting *cpu, *level;
	struct kiln_strbuf cpu_name, tune_name; /* rustc's; "": none */
	struct request *requests;
	size_t nr_requests, capacity;
	bool no_memory;
};

/* ---- messages ---- */

static void say(const struct kiln_setting *setting, const char *word, int length,
		const char *reason)
{
	fprintf(stderr, "%s:%u:%u: warning: '%.*s' is left out of Rust's flags: %s\n",
		setting->rule->path, setting->rule->line, setting->column, length, word, reason);
}

static void say_flag(const struct kiln_setting *setting, const char *reason)
{
	say(setting, setting->flag, (int)strlen(setting->flag), reason);
}

static void say_unless_optional(const struct kiln_setting *setting, const char *reason)
{
	if (!setting->optional)
		say_flag(setting, reason);
}

/* ---- words ---- */

static bool equals(const char *string, const char *text, int length)
{
	return strncmp(string, text, (size_t)length) == 0 && !string[length];
}

/* What comes after "OPTION=" in FLAG; NULL: it is another flag. */
static const char *value_of(const char *flag, const char *option)
{
	size_t length = option ? strlen(option) : 0;

	if (!option || strncmp(flag, option, length) || flag[length] != '=')
		return NULL;
	return flag + length + 1;
}

/* The next of LIST's words, which a SEPARATOR ends; false: there is none. */
static bool next_word(const char **list, char separator, const char **ret_word, int *ret_length)
{
	const char separators[] = {separator, '\0'};

	if (!**list)
		return false;
	*ret_word = *list;
	*ret_length = (int)strcspn(*list, separators);
	*list += *ret_length;
	*list += **list == separator;
	return true;
}

/* ---- asking rustc ---- */

static const char cpus_header[] = "Available CPUs for this target:";
static const char features_header[] = "Features supported by rustc for this target:";

/* Is NAME the first word of one of the lines, which begin with blanks, after HEADER? */
static bool lists(const struct rust *rust, const char *header, const char *name, int length)
{
	const char *line = strstr(rust->known.data, header);

	while (line && (line = strchr(line, '\n')) && *++line == ' ') {
		line += strspn(line, " ");
		if (!strncmp(line, name, (size_t)length) && strchr(" \n", line[length]))
			return true;
	}
	return false;
}

/* Does the CPU have what rustc calls NAME? */
static bool cpu_has(const struct rust *rust, const char *name, int length)
{
	struct kiln_strbuf line;
	bool has;

	kiln_strbuf_init(&line);
	kiln_strbuf_addf(&line, "target_feature=\"%.*s\"\n", length, name);
	has = !line.failed && strstr(rust->has.data, line.data);
	kiln_strbuf_release(&line);
	return has;
}

static enum cli_status run_rustc(const struct rust *rust, struct cli_words *words,
				 struct kiln_strbuf *ret_out)
{
	int status = cli_run(words, CLI_TAKE_OUT, ret_out);

	cli_words_release(words);
	if (status < 0) {
		cli_note("rustc tells which CPUs and features it knows; install it, or name it "
			 "with --rustc=RUSTC or RUSTC");
		return CLI_TROUBLE;
	}
	if (status)
		return cli_trouble("'%s' failed with exit status %d", rust->rustc, status);
	return ret_out->failed ? cli_no_memory() : CLI_OK;
}

static enum cli_status ask_known(struct rust *rust)
{
	struct cli_words words;
	enum cli_status status;

	cli_words_init(&words, rust->rustc);
	cli_words_add(&words, "--target=%s", rust->arch->target);
	cli_words_add(&words, "--print=target-cpus");
	cli_words_add(&words, "--print=target-features");
	status = run_rustc(rust, &words, &rust->known);
	if (status != CLI_OK)
		return status;
	if (!strstr(rust->known.data, cpus_header) || !strstr(rust->known.data, features_header))
		return cli_trouble("'%s' does not list CPUs and features as rustc does",
				   rust->rustc);
	return CLI_OK;
}

/* Not all features are stable, and rustc tells of the others only when it may use them. */
static enum cli_status ask_cpu(struct rust *rust)
{
	struct cli_words words;

	if (!rust->cpu_name.length)
		return CLI_OK;
	if (setenv("RUSTC_BOOTSTRAP", "1", 1))
		return cli_no_memory();
	cli_words_init(&words, rust->rustc);
	cli_words_add(&words, "--target=%s", rust->arch->cpu_target);
	cli_words_add(&words, "-Ctarget-cpu=%s", rust->cpu_name.data);
	cli_words_add(&words, "--print=cfg");
	return run_rustc(rust, &words, &rust->has);
}

/* ---- the CPU ---- */

static const char unknown_cpu[] = "rustc does not know this CPU";
static const char native_cpu[] =
	"it would be another CPU on each machine that builds; 'kiln native' names this one";

/*
 * rustc's name of the CPU in VALUE, before its extensions. Of "BIG.LITTLE" the
 * little core is taken, which the other one can do no less than. False: rustc
 * does not know it.
 */
static bool find_cpu(const struct rust *rust, const char *value, struct kiln_strbuf *ret_name)
{
	int length = (int)strcspn(value, "+");
	const char *dot = (const char *)memchr(value, '.', (size_t)length);

	if (dot) {
		length -= (int)(dot + 1 - value);
		value = dot + 1;
	}
	for (const struct rust_cpu *cpu = rust->arch->cpus; cpu->gcc; cpu++) {
		if (!equals(cpu->gcc, value, length))
			continue;
		value = cpu->rustc;
		length = (int)strlen(value);
		break;
	}
	if (!lists(rust, cpus_header, value, length))
		return false;
	kiln_strbuf_reset(ret_name);
	kiln_strbuf_addf(ret_name, "%.*s", length, value);
	return true;
}

static void take_cpu(struct rust *rust, const struct kiln_setting *setting, const char *value,
		     struct kiln_strbuf *ret_name)
{
	if (kiln_flag_is_native(setting->flag))
		say_flag(setting, native_cpu);
	else if (!find_cpu(rust, value, ret_name))
		say_unless_optional(setting, unknown_cpu);
}

static const struct rust_level *find_level(const struct rust_arch *arch, const char *name,
					   int length)
{
	for (const struct rust_level *level = arch->levels; level->name; level++) {
		if (equals(level->name, name, length))
			return level;
	}
	return NULL;
}

/* Of one that is not known, rustc is told nothing: not even the features of -mcpu=. */
static void take_level(struct rust *rust, const struct kiln_setting *setting, const char *value)
{
	rust->level = setting;
	if (kiln_flag_is_native(setting->flag))
		say_flag(setting, native_cpu);
	else if (!find_level(rust->arch, value, (int)strcspn(value, "+")))
		say_unless_optional(setting, "kiln does not know what it has");
}

/* Optional settings come after others of their kind, and win if they are known. */
static void take_names(struct rust *rust)
{
	for (size_t i = 0; i < rust->unit->nr_flags; i++) {
		const struct kiln_setting *setting = rust->unit->flags[i];
		const char *cpu = value_of(setting->flag, rust->arch->cpu_flag);
		const char *level = value_of(setting->flag, rust->arch->level_flag);
		const char *tune = value_of(setting->flag, "-mtune");

		if (cpu) {
			take_cpu(rust, setting, cpu, &rust->cpu_name);
			rust->cpu = setting;
		} else if (level) {
			take_level(rust, setting, level);
		} else if (tune) {
			take_cpu(rust, setting, tune, &rust->tune_name);
		}
	}
	/* As in GCC, -march= leaves -mcpu= nothing but the tuning. */
	if (!rust->level)
		return;
	if (!rust->tune_name.length)
		kiln_strbuf_adds(&rust->tune_name, rust->cpu_name.data);
	kiln_strbuf_reset(&rust->cpu_name);
	rust->cpu = NULL;
}

/* ---- features ---- */

static bool make_room(struct rust *rust)
{
	size_t capacity = rust->capacity ? rust->capacity * 2 : 32;
	struct request *requests;

	if (rust->nr_requests < rust->capacity)
		return true;
	requests = (struct request *)realloc(rust->requests, capacity * sizeof(*requests));
	if (!requests) {
		rust->no_memory = true;
		return false;
	}
	rust->requests = requests;
	rust->capacity = capacity;
	return true;
}

/* PREFIX: what comes before the name in WORD, of one that turns on and one that does not. */
static void ask_for(struct rust *rust, const struct kiln_setting *setting, const char *word,
		    int length, const char *prefix, const char *no_prefix)
{
	size_t no_length = strlen(no_prefix);
	bool off = strncmp(word, no_prefix, no_length) == 0;
	int skip = (int)(off ? no_length : strlen(prefix));

	if (make_room(rust))
		rust->requests[rust->nr_requests++] = (struct request){
			word, length, word + skip, length - skip, !off, setting->optional, setting,
		};
}

static void ask_for_list(struct rust *rust, const struct kiln_setting *setting, const char *list,
			 char separator, const char *prefix, const char *no_prefix)
{
	const char *word;
	int length;

	while (next_word(&list, separator, &word, &length))
		ask_for(rust, setting, word, length, prefix, no_prefix);
}

/* What a level brings in is not spelled out, so that nothing is lost when rustc has it not. */
static void ask_for_level(struct rust *rust, const char *name, int length)
{
	const struct rust_level *level = find_level(rust->arch, name, length);
	size_t first;

	if (!level)
		return;
	if (level->below)
		ask_for_level(rust, level->below, (int)strlen(level->below));
	first = rust->nr_requests;
	ask_for_list(rust, rust->level, level->features, ',', "", "-");
	for (; first < rust->nr_requests; first++)
		rust->requests[first].optional = true;
}

/* "+aes+nosve" at the end of a value. */
static void ask_for_extensions(struct rust *rust, const struct kiln_setting *setting)
{
	const char *plus = strchr(setting->flag, '+');

	if (rust->arch->has_extensions && plus)
		ask_for_list(rust, setting, plus + 1, '+', "", "no");
}

static void ask_for_setting(struct rust *rust, const struct kiln_setting *setting)
{
	const char *flag = setting->flag;
	int length = (int)strlen(flag);

	if (rust->arch->has_extensions && kiln_flag_is_extension(flag))
		ask_for(rust, setting, flag, length, "+", "+no");
	else if (!rust->arch->has_extensions && strncmp(flag, "-m", 2) == 0 && !strchr(flag, '='))
		ask_for(rust, setting, flag, length, "-m", "-mno-");
	else if (!value_of(flag, rust->arch->cpu_flag) && !value_of(flag, "-mtune") &&
		 !value_of(flag, rust->arch->level_flag) && !cli_rust_loss(flag))
		say_unless_optional(setting, "rustc has nothing like it");
}

static void take_features(struct rust *rust)
{
	const char *value;

	if (rust->level) {
		value = value_of(rust->level->flag, rust->arch->level_flag);
		ask_for_level(rust, value, (int)strcspn(value, "+"));
		ask_for_extensions(rust, rust->level);
	} else if (rust->cpu) {
		ask_for_extensions(rust, rust->cpu);
	}
	for (size_t i = 0; i < rust->unit->nr_flags; i++)
		ask_for_setting(rust, rust->unit->flags[i]);
}

static const struct rust_feature *find_feature(const struct rust_arch *arch, const char *name,
					       int length)
{
	size_t low = 0, high = arch->nr_features;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *gcc = arch->features[middle].gcc;
		int order = strncmp(gcc, name, (size_t)length);

		if (!order && !gcc[length])
			return &arch->features[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* What FEATURE is a part of, or NULL. */
static const char *within(const struct rust_feature *feature)
{
	return feature ? feature->within : NULL;
}

static bool has_vectors(const struct rust_arch *arch, const struct request *request)
{
	const struct rust_feature *feature = find_feature(arch, request->name, request->length);

	if (equals(arch->vectors, request->name, request->length))
		return true;
	for (const char *whole = within(feature); whole; whole = within(feature)) {
		if (!strcmp(whole, arch->vectors))
			return true;
		feature = find_feature(arch, whole, (int)strlen(whole));
	}
	return false;
}

/* The last request for what GCC calls NAME, or NULL. */
static const struct request *find_request(const struct rust *rust, const char *name, int length)
{
	for (size_t i = rust->nr_requests; i--;) {
		const struct request *request = &rust->requests[i];

		if (request->length == length && !strncmp(request->name, name, (size_t)length))
			return request;
	}
	return NULL;
}

/* Is more turned off, of which FEATURE is a part? */
static bool goes_with_more(const struct rust *rust, const struct rust_feature *feature)
{
	for (const char *whole = within(feature); whole; whole = within(feature)) {
		const struct request *request = find_request(rust, whole, (int)strlen(whole));

		if (request && !request->on)
			return true;
		feature = find_feature(rust->arch, whole, (int)strlen(whole));
	}
	return false;
}

/* Is there something to turn off? */
static bool is_there(const struct rust *rust, const struct rust_feature *feature, const char *name,
		     int length)
{
	if (goes_with_more(rust, feature))
		return false;
	if (feature && feature->sign && cpu_has(rust, feature->sign, (int)strlen(feature->sign)))
		return true;
	return cpu_has(rust, name, length);
}

/* Two of GCC's features may be one of rustc's. */
static void add_feature(struct kiln_strbuf *ret, bool on, const char *name, int length)
{
	const char *list = ret->data, *item;
	int item_length;

	while (next_word(&list, ',', &item, &item_length)) {
		if (item_length == length + 1 && !strncmp(item + 1, name, (size_t)length) &&
		    (*item == '+') == on)
			return;
	}
	kiln_strbuf_addf(ret, "%s%c%.*s", ret->length ? "," : "", on ? '+' : '-', length, name);
}

static void add_name(const struct rust *rust, const struct request *request,
		     const struct rust_feature *feature, const char *name, int length,
		     struct kiln_strbuf *ret)
{
	if (lists(rust, features_header, name, length)) {
		bool is_news = request->on ? !cpu_has(rust, name, length)
					   : is_there(rust, feature, name, length);

		if (is_news)
			add_feature(ret, request->on, name, length);
	} else if (!request->optional) {
		say(request->setting, request->word, request->word_length,
		    "rustc knows no such feature");
	}
}

static void add_request(const struct rust *rust, const struct request *request,
			struct kiln_strbuf *ret)
{
	const struct rust_feature *feature;
	const char *names, *name;
	int length;

	feature = find_feature(rust->arch, request->name, request->length);
	names = feature ? feature->rustc : NULL;
	if (!names)
		add_name(rust, request, feature, request->name, request->length, ret);
	while (names && next_word(&names, ',', &name, &length))
		add_name(rust, request, feature, name, length, ret);
}

static void add_features(const struct rust *rust, struct kiln_strbuf *ret)
{
	for (size_t i = 0; i < rust->nr_requests; i++) {
		const struct request *request = &rust->requests[i];

		if (find_request(rust, request->name, request->length) != request)
			continue;
		if (!request->on || !has_vectors(rust->arch, request))
			add_request(rust, request, ret);
		else if (!rust->arch->vectors_are_usual)
			say(request->setting, request->word, request->word_length,
			    "a kernel's Rust code has no vector registers");
	}
}

/* ---- all of it ---- */

static void add_word(struct kiln_strbuf *ret, const char *option, const char *value)
{
	if (*value)
		kiln_strbuf_addf(ret, "%s%s%s", ret->length ? " " : "", option, value);
}

static void add_flags(const struct rust *rust, struct kiln_strbuf *ret)
{
	struct kiln_strbuf features;

	kiln_strbuf_init(&features);
	add_features(rust, &features);
	add_word(ret, "-Ctarget-cpu=", rust->cpu_name.data);
	add_word(ret, "-Ctarget-feature=", features.data);
	add_word(ret, "-Ztune-cpu=", rust->tune_name.data);
	ret->failed |= features.failed;
	kiln_strbuf_release(&features);
}

static enum cli_status make_flags(struct rust *rust, struct kiln_strbuf *ret)
{
	enum cli_status status = ask_known(rust);

	if (status != CLI_OK)
		return status;
	take_names(rust);
	take_features(rust);
	if (rust->no_memory || rust->cpu_name.failed || rust->tune_name.failed)
		return cli_no_memory();
	status = ask_cpu(rust);
	if (status != CLI_OK)
		return status;
	add_flags(rust, ret);
	return ret->failed ? cli_no_memory() : CLI_OK;
}

static const struct rust_arch *find_arch(const struct kiln_arch *arch)
{
	for (size_t i = 0; arch && i < NR_ARCHES; i++) {
		if (!strcmp(arches[i]->name, arch->names[0]))
			return arches[i];
	}
	return NULL;
}

static bool concerns_rust(const struct kiln_verdict *unit)
{
	for (size_t i = 0; i < unit->nr_flags; i++) {
		if (!cli_rust_loss(unit->flags[i]->flag))
			return true;
	}
	return false;
}

static const char *choose_rustc(const char *rustc)
{
	if (!rustc)
		rustc = getenv("RUSTC");
	return rustc && rustc[strspn(rustc, " \t")] ? rustc : "rustc";
}

const char *cli_rust_loss(const char *flag)
{
	if (kiln_flag_is_extension(flag) || strncmp(flag, "-m", 2) == 0)
		return NULL;
	return "rustc has no counterpart";
}

static enum cli_status flags_of_unit(const struct kiln_verdict *unit, const struct kiln_arch *arch,
				     const char *rustc, struct kiln_strbuf *ret)
{
	struct rust rust = {.arch = find_arch(arch), .unit = unit, .rustc = choose_rustc(rustc)};
	enum cli_status status;

	if (!rust.arch)
		return cli_trouble("Rust's flags are known for x86_64 and aarch64 alone");
	if (!concerns_rust(unit))
		return CLI_OK;
	kiln_strbuf_init(&rust.known);
	kiln_strbuf_init(&rust.has);
	kiln_strbuf_init(&rust.cpu_name);
	kiln_strbuf_init(&rust.tune_name);
	status = make_flags(&rust, ret);
	free(rust.requests);
	kiln_strbuf_release(&rust.tune_name);
	kiln_strbuf_release(&rust.cpu_name);
	kiln_strbuf_release(&rust.has);
	kiln_strbuf_release(&rust.known);
	return status;
}

/* A unit without a name is one that only `all` and `on` hold for. */
enum cli_status cli_rust_flags(const struct kiln_policy *policy, const struct kiln_arch *arch,
			       const char *rustc, struct kiln_strbuf *ret)
{
	const struct kiln_unit unit = {.arch = arch};
	struct kiln_decider *decider = kiln_decider_new(policy, &unit);
	enum cli_status status;

	if (!decider)
		return cli_no_memory();
	status = flags_of_unit(kiln_decider_unit(decider), arch, rustc, ret);
	kiln_decider_free(decider);
	return status;
}
