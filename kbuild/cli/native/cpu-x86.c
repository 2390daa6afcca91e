// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86: "gcc -Q --help=target" says which features an -march= name promises, and
 * what a flag turns on. The driver says what -march=native is.
 *
 * The flags of a policy hold as if they came last, after the kernel's own
 * -mno-sse -mno-mmx -mno-avx, while the driver puts what -march=native stands
 * for first. -maes at the end would bring SSE2 back, so that no feature that
 * works on vector registers is ever written as a positive flag.
 */
#include "cpu-x86.h"

#include <stdlib.h>
#include <string.h>

#include "kiln/nearest.h"

/* ---- asking GCC ---- */

/* "  -mavx2      [enabled]": what is not a negation ("-mno-sse4") or takes a value. */
static void take_line(const char *line, size_t length, struct native_set *ret_features)
{
	static const char start[] = "  -m", end[] = "[enabled]", negative[] = "  -mno-";
	size_t begin = sizeof(start) - 1;
	size_t name = strcspn(line + begin, " \t\n");

	if (length < begin + sizeof(end) || memcmp(line, start, begin))
		return;
	if (memcmp(line + length - (sizeof(end) - 1), end, sizeof(end) - 1))
		return;
	if (memcmp(line, negative, sizeof(negative) - 1))
		native_set_add(ret_features, line + begin, name);
}

int x86_enabled(const struct native_job *job, const struct cli_words *flags,
		struct native_set *ret_features)
{
	struct cli_words words;
	struct kiln_strbuf out;
	int tried;

	cli_words_init(&words, "");
	cli_words_add_all(&words, flags);
	cli_words_add(&words, "-mtune=generic");
	cli_words_add(&words, "-Q");
	cli_words_add(&words, "--help=target");
	kiln_strbuf_init(&out);
	tried = native_try(job, &words, CLI_TAKE_OUT_ONLY, &out);
	for (const char *line = out.data; tried > 0 && *line;) {
		size_t length = strcspn(line, "\n");

		take_line(line, length, ret_features);
		line += length + (line[length] == '\n');
	}
	kiln_strbuf_release(&out);
	cli_words_release(&words);
	if (!ret_features->failed)
		return tried;
	cli_no_memory();
	return -1;
}

static int enabled_by(const struct native_job *job, const char *flags,
		      struct native_set *ret_features)
{
	struct cli_words words;
	int tried;

	cli_words_init(&words, flags);
	tried = x86_enabled(job, &words, ret_features);
	cli_words_release(&words);
	return tried;
}

static int knows(const struct native_job *job, const char *cpu)
{
	return native_takes(job, "-march=", cpu);
}

/* "-march=i386", line by line */
static void split_names(const char *text, struct cli_words *names)
{
	static const char start[] = "-march=", native[] = "native\n";

	for (; *text; text += strcspn(text, "\n"), text += *text == '\n') {
		if (strncmp(text, start, sizeof(start) - 1))
			continue;
		text += sizeof(start) - 1;
		if (strncmp(text, native, sizeof(native) - 1))
			cli_words_add(names, "%.*s", (int)strcspn(text, "\n"), text);
	}
}

enum cli_status x86_list(const struct native_job *job, struct cli_words *ret_names)
{
	struct kiln_strbuf out;
	struct cli_words words;
	int tried;

	cli_words_init(&words, "--completion=-march=");
	kiln_strbuf_init(&out);
	tried = native_try(job, &words, CLI_TAKE_OUT_ONLY, &out);
	if (tried > 0)
		split_names(out.data, ret_names);
	kiln_strbuf_release(&out);
	cli_words_release(&words);
	if (tried < 0)
		return CLI_TROUBLE;
	return tried ? CLI_OK
		     : cli_trouble("'%s --completion=-march=' does not list its CPUs", job->cc);
}

/* ---- the state ---- */

bool x86_skip_prefix(const char *text, const char *prefix, const char **ret_rest)
{
	size_t length = strlen(prefix);

	if (strncmp(text, prefix, length))
		return false;
	*ret_rest = text + length;
	return true;
}

static const char baseline_flags[] = "-march=x86-64";
static const char kernel_flags[] = "-march=x86-64 -mno-sse -mno-mmx -mno-sse2 -mno-3dnow -mno-avx";

static enum cli_status init(struct x86 *x, const struct native_job *job, struct native_lock *lock)
{
	struct native_set left;
	int tried;

	*x = (struct x86){.job = job, .lock = lock};
	kiln_strbuf_init(&x->name);
	kiln_strbuf_init(&x->tune);
	cli_words_init(&x->params, "");
	cli_words_init(&x->names, "");
	native_set_init(&left);
	tried = enabled_by(job, baseline_flags, &x->baseline);
	native_set_add_all(&x->vectors, &x->baseline);
	if (tried > 0)
		tried = enabled_by(job, kernel_flags, &left);
	native_set_subtract(&x->vectors, &left);
	native_set_release(&left);
	if (tried < 0)
		return CLI_TROUBLE;
	if (!tried)
		return cli_trouble("'%s' does not take %s", job->cc, kernel_flags);
	/* What is denied would be denied by nobody. */
	return x->vectors.count ? CLI_OK
				: cli_trouble("'%s -Q --help=target' does not tell what is enabled",
					      job->cc);
}

static void release(struct x86 *x)
{
	for (size_t i = 0; i < x->nr_candidates; i++)
		native_set_release(&x->candidates[i].features);
	free(x->candidates);
	cli_words_release(&x->names);
	cli_words_release(&x->params);
	kiln_strbuf_release(&x->name);
	kiln_strbuf_release(&x->tune);
	native_set_release(&x->baseline);
	native_set_release(&x->vectors);
	native_set_release(&x->promised);
	native_set_release(&x->has);
	native_set_release(&x->all);
	native_set_release(&x->ordinary);
}

int x86_features_of(const struct x86 *x, const struct cli_words *flags,
		    struct native_set *ret_features)
{
	int tried = x86_enabled(x->job, flags, ret_features);

	native_set_subtract(ret_features, &x->baseline);
	return tried;
}

int x86_promised_by(const struct x86 *x, const char *name, struct native_set *ret_features)
{
	struct cli_words flags;
	int tried;

	cli_words_init(&flags, "");
	cli_words_add(&flags, "-march=%s", name);
	tried = x86_features_of(x, &flags, ret_features);
	cli_words_release(&flags);
	return tried;
}

void x86_set_string(struct kiln_strbuf *sb, const char *text)
{
	struct kiln_strbuf copy;

	kiln_strbuf_init(&copy);
	kiln_strbuf_adds(&copy, text);
	kiln_strbuf_release(sb);
	*sb = copy;
}

enum cli_status x86_take_name(struct x86 *x, const char *name, const char *why)
{
	int tried;

	x86_set_string(&x->name, name);
	x->why = why;
	native_set_release(&x->promised);
	tried = x86_promised_by(x, name, &x->promised);
	if (tried < 0)
		return CLI_TROUBLE;
	return tried ? CLI_OK : cli_trouble("'%s' does not take -march=%s", x->job->cc, name);
}

int x86_tunes(const struct native_job *job, const char *name)
{
	struct kiln_strbuf out;
	struct cli_words words;
	int tried;

	cli_words_init(&words, "-S -o /dev/null -xc /dev/null -Werror");
	cli_words_add(&words, "-mtune=%s", name);
	kiln_strbuf_init(&out);
	tried = native_try(job, &words, CLI_TAKE_OUT_ONLY, &out);
	kiln_strbuf_release(&out);
	cli_words_release(&words);
	return tried;
}

/* Tunes for NAME if GCC can: it cannot for a level like x86-64-v3. */
static enum cli_status take_tune(struct x86 *x, const char *name, const char *why)
{
	int taken = x86_tunes(x->job, name);

	x86_set_string(&x->tune, taken > 0 ? name : "generic");
	x->why_tune = taken > 0 ? why : "the name is of no CPU in particular";
	return taken < 0 ? CLI_TROUBLE : CLI_OK;
}

bool x86_is_denied(const struct x86 *x, const char *feature)
{
	for (size_t i = 0; i < x->job->denials.count; i++) {
		const char *flag = x->job->denials.list[i].flag;

		if (!strncmp(flag, "-mno-", 5) && !strcmp(flag + 5, feature))
			return true;
	}
	return false;
}

int x86_is_ordinary(const struct x86 *x, const char *feature)
{
	struct native_set with;
	struct cli_words flags;
	int tried;

	if (x86_is_vector(feature) || native_set_has(&x->baseline, feature))
		return 0;
	native_set_init(&with);
	cli_words_init(&flags, kernel_flags);
	cli_words_add(&flags, "-m%s", feature);
	tried = x86_enabled(x->job, &flags, &with);
	cli_words_release(&flags);
	for (size_t i = 0; tried > 0 && i < x->vectors.count; i++) {
		if (native_set_has(&with, x->vectors.words[i]))
			tried = 0;
	}
	native_set_release(&with);
	return tried;
}

/* ---- a recorded machine, by its features ---- */

static enum cli_status resolve_recorded(struct x86 *x)
{
	const struct candidate *best;
	enum cli_status status = x86_find_best(x, NULL, &best);

	if (status == CLI_OK)
		status = x86_take_name(x, best->name, "chosen by features");
	if (status == CLI_OK)
		status = take_tune(x, best->name, "chosen by features");
	if (status != CLI_OK)
		return status;
	if (x->job->machine.nr_types > 1) {
		x86_set_string(&x->tune, "generic");
		x->why_tune = "several core types";
	}
	native_set_add_all(&x->has, &x->promised);
	for (size_t i = 0; i < x->all.count; i++) {
		if (x86_has(&x->job->machine, x->all.words[i]) == NATIVE_YES)
			native_set_add_string(&x->has, x->all.words[i]);
	}
	native_set_subtract(&x->has, &x->baseline);
	return CLI_OK;
}

/* ---- a name ---- */

static void add_list(struct kiln_strbuf *sb, const struct native_set *set, const char *separator)
{
	for (size_t i = 0; i < set->count; i++)
		kiln_strbuf_addf(sb, "%s%s", i ? separator : "", set->words[i]);
}

static enum cli_status refuse_name(struct x86 *x, const struct native_set *lacking)
{
	const struct candidate *best;
	struct kiln_strbuf list, drop;

	if (x86_find_best(x, NULL, &best) != CLI_OK)
		return CLI_TROUBLE;
	kiln_strbuf_init(&list);
	kiln_strbuf_init(&drop);
	add_list(&list, lacking, " ");
	add_list(&drop, lacking, ",");
	cli_trouble("'%s' promises what the machine of '%s' lacks: %s; it has all of '%s', and "
		    "--drop=%s takes them out",
		    x->name.data, native_record(x->job), list.data, best->name, drop.data);
	kiln_strbuf_release(&list);
	kiln_strbuf_release(&drop);
	return CLI_TROUBLE;
}

static enum cli_status check_name(struct x86 *x)
{
	enum cli_status status = CLI_OK;
	struct native_set lacking;

	native_set_init(&lacking);
	for (size_t i = 0; i < x->promised.count; i++) {
		if (x86_has(&x->job->machine, x->promised.words[i]) == NATIVE_NO)
			native_set_add_string(&lacking, x->promised.words[i]);
	}
	native_set_subtract(&lacking, &x->job->drop);
	if (lacking.count)
		status = refuse_name(x, &lacking);
	native_set_release(&lacking);
	return status;
}

static enum cli_status resolve_named(struct x86 *x)
{
	enum cli_status status = x86_take_name(x, x->job->cpu.data, "by --cpu");

	native_set_add_all(&x->has, &x->promised);
	if (status == CLI_OK)
		status = take_tune(x, x->job->cpu.data, "by --cpu");
	if (status == CLI_OK && x->job->has_machine)
		status = check_name(x);
	return status;
}

/* ---- the flags ---- */

static enum cli_status drop_features(struct x86 *x)
{
	const struct native_set *drop = &x->job->drop;

	for (size_t i = 0; i < drop->count; i++) {
		const char *nearest;

		if (native_set_has(&x->has, drop->words[i]))
			continue;
		nearest = kiln_nearest(drop->words[i], native_set_list(&x->has));
		return cli_trouble(
			"'%s' cannot be dropped: it is not among the CPU's features%s%s%s",
			drop->words[i], nearest ? "; did you mean '" : "", nearest ? nearest : "",
			nearest ? "'?" : "");
	}
	native_set_subtract(&x->has, drop);
	return CLI_OK;
}

/* The flags as they come together, in the order of the lock. */
struct flags {
	struct cli_words words;
	struct native_set on;     /* what they enable beyond the baseline */
	struct native_set extra;  /* positive flags */
	struct native_set denied; /* the denials' flags that were needed */
};

static enum cli_status ask_again(const struct x86 *x, struct flags *flags)
{
	int tried;

	native_set_release(&flags->on);
	tried = x86_features_of(x, &flags->words, &flags->on);
	if (tried == 0)
		cli_trouble("'%s' refuses the flags for '%s'", x->job->cc, x->name.data);
	return tried > 0 ? CLI_OK : CLI_TROUBLE;
}

/* What the CPU has beyond its name, on ordinary registers. */
static enum cli_status find_extra(const struct x86 *x, struct flags *flags)
{
	for (size_t i = 0; i < x->has.count; i++) {
		const char *feature = x->has.words[i];
		int ordinary;

		if (native_set_has(&x->promised, feature))
			continue;
		ordinary = x86_is_ordinary(x, feature);
		if (ordinary < 0)
			return CLI_TROUBLE;
		if (!ordinary)
			continue;
		native_set_add_string(&flags->extra, feature);
		cli_words_add(&flags->words, "-m%s", feature);
	}
	return ask_again(x, flags);
}

static enum cli_status find_denied(const struct x86 *x, struct flags *flags)
{
	for (size_t i = 0; i < x->job->denials.count; i++) {
		const char *flag = x->job->denials.list[i].flag, *feature;

		if (!x86_skip_prefix(flag, "-mno-", &feature) ||
		    !native_set_has(&flags->on, feature))
			continue;
		native_set_add_string(&flags->denied, flag);
		native_set_remove(&flags->extra, feature);
		cli_words_add(&flags->words, "%s", flag);
		if (ask_again(x, flags) != CLI_OK)
			return CLI_TROUBLE;
	}
	return CLI_OK;
}

static void write_extra(const struct x86 *x, const struct flags *flags)
{
	for (size_t i = 0; i < flags->extra.count; i++)
		native_lock_rule(x->lock, "beyond the name", "-m%s", flags->extra.words[i]);
}

/* In the order of the policy `deny`. */
static void write_denied(const struct x86 *x, const struct flags *flags)
{
	for (size_t i = 0; i < x->job->denials.count; i++) {
		const char *flag = x->job->denials.list[i].flag;

		if (native_set_has(&flags->denied, flag))
			native_lock_rule(x->lock, "denied", "%s", flag);
	}
}

/*
 * What the name promises, or an extra flag brings (-mabm: popcnt), and neither the CPU
 * has nor a denial took away with others.
 */
static enum cli_status write_missing(const struct x86 *x, struct flags *flags)
{
	enum cli_status status = CLI_OK;
	struct native_set missing;

	native_set_init(&missing);
	native_set_add_all(&missing, &flags->on);
	native_set_subtract(&missing, &x->has);
	native_set_subtract(&missing, &x->job->drop);
	for (size_t i = 0; status == CLI_OK && i < missing.count; i++) {
		if (!native_set_has(&flags->on, missing.words[i]))
			continue;
		native_lock_rule(x->lock, "missing", "-mno-%s", missing.words[i]);
		cli_words_add(&flags->words, "-mno-%s", missing.words[i]);
		status = ask_again(x, flags);
	}
	if (missing.failed)
		status = cli_no_memory();
	native_set_release(&missing);
	return status;
}

static void write_dropped(const struct x86 *x)
{
	for (size_t i = 0; i < x->job->drop.count; i++)
		native_lock_rule(x->lock, "dropped", "-mno-%s", x->job->drop.words[i]);
}

static enum cli_status write_march(struct x86 *x, struct flags *flags)
{
	enum cli_status status;

	cli_words_add(&flags->words, "-march=%s", x->name.data);
	native_lock_rule(x->lock, x->why, "-march=%s", x->name.data);
	status = find_extra(x, flags);
	if (status == CLI_OK)
		status = find_denied(x, flags);
	if (status != CLI_OK)
		return status;
	write_extra(x, flags);
	write_denied(x, flags);
	status = write_missing(x, flags);
	write_dropped(x);
	native_lock_denied(x->lock, &flags->denied);
	return status;
}

static void write_mtune(struct x86 *x)
{
	const char *param = NULL;

	native_lock_rule(x->lock, x->why_tune, "-mtune=%s", x->tune.data);
	while ((param = native_next_word(&x->params, param)))
		native_lock_rule(x->lock, NULL, "--param=%s", param);
}

/* What a kernel may use: all the CPU has, vectors too, without what is denied. */
static enum cli_status find_features(const struct x86 *x)
{
	struct cli_words words;
	int tried;

	cli_words_init(&words, "");
	cli_words_add(&words, "-march=%s", x->name.data);
	for (size_t i = 0; i < x->has.count; i++)
		cli_words_add(&words, "-m%s", x->has.words[i]);
	for (size_t i = 0; i < x->job->denials.count; i++) {
		const char *flag = x->job->denials.list[i].flag, *feature;

		if (x86_skip_prefix(flag, "-mno-", &feature) && native_set_has(&x->has, feature))
			cli_words_add(&words, "%s", flag);
	}
	tried = x86_enabled(x->job, &words, &x->lock->features);
	cli_words_release(&words);
	native_set_subtract(&x->lock->features, &x->baseline);
	native_set_intersect(&x->lock->features, &x->has);
	if (tried == 0)
		cli_trouble("'%s' refuses the features of '%s'", x->job->cc, x->name.data);
	return tried > 0 ? CLI_OK : CLI_TROUBLE;
}

/* ---- the lock ---- */

static const char *const keys[] = {
	[X86_VENDOR] = "vendor_id",  [X86_FAMILY] = "cpu family",     [X86_MODEL] = "model",
	[X86_STEPPING] = "stepping", [X86_MODEL_NAME] = "model name", NULL,
};

static const char *or_unknown(const char *value)
{
	return value ? value : "unknown";
}

static void say_machine(const struct x86 *x)
{
	const struct native_machine *machine = &x->job->machine;

	if (machine->nr_types > 1)
		native_lock_say(x->lock, "%zu core types; what all of them have counts",
				machine->nr_types);
	for (size_t i = 0; i < machine->nr_types; i++) {
		char *const *values = machine->types[i].values;

		native_lock_say(x->lock, "CPU: %s, family %s, model %s, stepping %s: %s",
				or_unknown(values[X86_VENDOR]), or_unknown(values[X86_FAMILY]),
				or_unknown(values[X86_MODEL]), or_unknown(values[X86_STEPPING]),
				or_unknown(values[X86_MODEL_NAME]));
	}
}

/* "GenuineIntel" and its like: as in NAME of CPU_SUP_NAME. */
static void take_vendor(const struct x86 *x)
{
	static const char *const vendors[][2] = {
		{"AuthenticAMD", "amd"},   {"CentaurHauls", "centaur"}, {"GenuineIntel", "intel"},
		{"HygonGenuine", "hygon"}, {"Shanghai", "zhaoxin"},
	};
	const char *id;

	if (!x->job->has_machine || !x->job->machine.types[0].values[X86_VENDOR])
		return;
	id = x->job->machine.types[0].values[X86_VENDOR];
	for (size_t i = 0; i < sizeof(vendors) / sizeof(vendors[0]); i++) {
		if (!strcmp(id, vendors[i][0]))
			kiln_strbuf_adds(&x->lock->vendor, vendors[i][1]);
	}
}

static void say_missing(const struct x86 *x)
{
	struct native_set missing;

	native_set_init(&missing);
	native_set_add_all(&missing, &x->promised);
	native_set_subtract(&missing, &x->has);
	native_set_subtract(&missing, &x->job->drop);
	native_lock_list(x->lock, "The name promises, and the CPU lacks", &missing);
	native_set_release(&missing);
}

static enum cli_status write_lock(struct x86 *x)
{
	enum cli_status status = drop_features(x);
	struct flags flags = {.on = {NULL, 0, 0, false}};

	if (status != CLI_OK)
		return status;
	native_lock_list(x->lock, "It has", &x->has);
	say_missing(x);
	native_lock_list(x->lock, "Dropped", &x->job->drop);
	cli_words_init(&flags.words, "");
	if (native_wants_march(x->job))
		status = write_march(x, &flags);
	if (native_wants_mtune(x->job))
		write_mtune(x);
	cli_words_release(&flags.words);
	native_set_release(&flags.on);
	native_set_release(&flags.extra);
	native_set_release(&flags.denied);
	kiln_strbuf_adds(&x->lock->name, x->name.data);
	return status == CLI_OK ? find_features(x) : status;
}

static enum cli_status resolve(const struct native_job *job, struct native_lock *lock)
{
	enum cli_status status;
	struct x86 x;

	status = init(&x, job, lock);
	say_machine(&x);
	take_vendor(&x);
	if (status == CLI_OK && job->cpu.length)
		status = resolve_named(&x);
	else if (status == CLI_OK && native_is_here(job))
		status = x86_resolve_here(&x);
	else if (status == CLI_OK)
		status = resolve_recorded(&x);
	if (status == CLI_OK)
		status = write_lock(&x);
	release(&x);
	return status;
}

/* Only what some name promises can be missing: other flags are no features. */
static enum cli_status uses(const struct native_job *job, const struct cli_words *flags,
			    struct native_set *ret_features)
{
	enum cli_status status;
	struct x86 x;
	int tried = 1;

	status = init(&x, job, NULL);
	if (status == CLI_OK)
		status = x86_read_names(&x);
	if (status == CLI_OK)
		tried = x86_features_of(&x, flags, ret_features);
	if (status == CLI_OK && tried <= 0)
		status = tried < 0 ? CLI_TROUBLE : cli_trouble("'%s' refuses the flags", job->cc);
	native_set_intersect(ret_features, &x.all);
	release(&x);
	return status;
}

const struct native_arch native_x86 = {
	.pattern = "x86",
	.keys = keys,
	.words_key = "flags",
	.cpu_flag = "-march=",
	.native_flags = "-march=native -mtune=native",
	.has = x86_has,
	.read_cpuid = native_cpuid_read,
	.knows = knows,
	.list = x86_list,
	.resolve = resolve,
	.uses = uses,
};
