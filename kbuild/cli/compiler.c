// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs GCC with the plugin.
 */
#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- finding the plugin ---- */

enum cli_status cli_ask(const char *cc, const char *option, struct kiln_strbuf *sb)
{
	struct cli_words line;
	int status;

	cli_words_init(&line, cc);
	cli_words_add(&line, "%s", option);
	status = cli_run(&line, CLI_TAKE_OUT, sb);
	cli_words_release(&line);
	if (status < 0)
		return CLI_TROUBLE;
	if (status)
		return cli_trouble("'%s %s' failed with exit status %d", cc, option, status);
	kiln_strbuf_truncate(sb, strcspn(sb->data, "\n"));
	return sb->failed ? cli_no_memory() : CLI_OK;
}

/* TARGET-VERSION of the compiler, as the Makefile names its directory. */
static enum cli_status compiler_id(const char *cc, struct kiln_strbuf *ret_id)
{
	enum cli_status status = cli_ask(cc, "-dumpmachine", ret_id);

	if (status != CLI_OK)
		return status;
	kiln_strbuf_adds(ret_id, "-");
	return cli_ask(cc, "-dumpversion", ret_id);
}

enum cli_status cli_target_arch(const char *cc, const struct kiln_arch **ret_arch)
{
	struct kiln_strbuf machine;
	enum cli_status status;

	kiln_strbuf_init(&machine);
	status = cli_ask(cc, "-dumpmachine", &machine);
	kiln_strbuf_truncate(&machine, strcspn(machine.data, "-"));
	if (status == CLI_OK)
		*ret_arch = kiln_arch_find(machine.data);
	kiln_strbuf_release(&machine);
	return status;
}

enum cli_status cli_find_prefix(struct kiln_strbuf *ret_prefix)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
	char *slash;

	if (length < 0 || length == (ssize_t)sizeof(path))
		return cli_trouble("/proc/self/exe does not tell where kiln is installed");
	path[length] = '\0';
	for (int i = 0; i < 2; i++) {
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	}
	kiln_strbuf_adds(ret_prefix, path);
	return ret_prefix->failed ? cli_no_memory() : CLI_OK;
}

/* Where the plugin for the compiler ID may be, below the prefix: built, installed. */
static const char *const directories[] = {"", "/lib/kiln"};

#define NR_DIRECTORIES (sizeof(directories) / sizeof(directories[0]))

/* True when the plugin of directories[INDEX] is there; its path in any case. */
static bool try_directory(size_t index, const char *prefix, const char *id,
			  struct kiln_strbuf *ret_path)
{
	kiln_strbuf_reset(ret_path);
	kiln_strbuf_addf(ret_path, "%s%s/%s/kiln.so", prefix, directories[index], id);
	return !access(ret_path->data, R_OK);
}

static enum cli_status say_missing(const char *cc, const char *prefix, const char *id)
{
	return cli_trouble("there is no plugin for '%s': neither %s%s/%s/kiln.so nor "
			   "%s%s/%s/kiln.so can be read; build it with PLUGIN_CC='%s', or name it "
			   "with --plugin=FILE or KILN_PLUGIN",
			   cc, prefix, directories[0], id, prefix, directories[1], id, cc);
}

static enum cli_status find_by_id(const char *cc, const char *prefix, const char *id,
				  struct kiln_strbuf *ret_path)
{
	for (size_t i = 0; i < NR_DIRECTORIES; i++) {
		if (try_directory(i, prefix, id, ret_path))
			return CLI_OK;
	}
	return ret_path->failed ? cli_no_memory() : say_missing(cc, prefix, id);
}

static enum cli_status look_for_plugin(const char *cc, struct kiln_strbuf *ret_path)
{
	struct kiln_strbuf id, prefix;
	enum cli_status status;

	kiln_strbuf_init(&id);
	kiln_strbuf_init(&prefix);
	status = compiler_id(cc, &id);
	if (status == CLI_OK)
		status = cli_find_prefix(&prefix);
	if (status == CLI_OK)
		status = find_by_id(cc, prefix.data, id.data, ret_path);
	kiln_strbuf_release(&prefix);
	kiln_strbuf_release(&id);
	return status;
}

/* GCC takes a name without a slash for that of a plugin of its own. */
static enum cli_status use_plugin(const char *plugin, struct kiln_strbuf *ret_path)
{
	if (access(plugin, R_OK))
		return cli_trouble("the plugin '%s' cannot be read: %s", plugin, strerror(errno));
	kiln_strbuf_addf(ret_path, "%s%s", strchr(plugin, '/') ? "" : "./", plugin);
	return ret_path->failed ? cli_no_memory() : CLI_OK;
}

enum cli_status cli_find_plugin(const char *cc, const char *plugin, struct kiln_strbuf *ret_path)
{
	if (!plugin)
		plugin = getenv("KILN_PLUGIN");
	if (plugin && *plugin)
		return use_plugin(plugin, ret_path);
	return look_for_plugin(cc, ret_path);
}

/* ---- judging ---- */

static void add_empty_unit(struct cli_words *line)
{
	static const char *const words[] = {"-x", "c", "-S", "-o", "/dev/null", "/dev/null"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		cli_words_add(line, "%s", words[i]);
}

void cli_add_argument(struct kiln_strbuf *sb, const char *plugin, const char *key)
{
	const char *base = strrchr(plugin, '/') + 1;
	const char *dot = strrchr(base, '.');
	int length = (int)(dot ? (size_t)(dot - base) : strlen(base));

	kiln_strbuf_addf(sb, "-fplugin-arg-%.*s-%s", length, base, key);
}

/* VALUE: or NULL. */
static void add_argument(struct cli_words *line, const char *plugin, const char *key,
			 const char *value)
{
	struct kiln_strbuf word;

	kiln_strbuf_init(&word);
	cli_add_argument(&word, plugin, key);
	cli_words_add(line, "%s%s%s", word.data, value ? "=" : "", value ? value : "");
	line->text.failed |= word.failed;
	kiln_strbuf_release(&word);
}

/*
 * Its help is asked for as a sign of life: GCC goes on without a plugin that
 * was built for another GCC, and fails with the same status whether the policy
 * is at fault or the plugin cannot be loaded.
 */
static void add_plugin(struct cli_words *line, const char *plugin, const char *cpu,
		       char *const *names, int count)
{
	cli_words_add(line, "-fplugin=%s", plugin);
	add_argument(line, plugin, "check", NULL);
	add_argument(line, plugin, "help", NULL);
	if (cpu)
		add_argument(line, plugin, "cpu", cpu);
	for (int i = 0; i < count; i++)
		add_argument(line, plugin, "policy", names[i]);
}

static enum cli_status judge_status(const char *cc, const char *plugin, int status, bool alive)
{
	if (status < 0)
		return CLI_TROUBLE;
	if (!alive)
		return cli_trouble("'%s' did not run the plugin %s", cc, plugin);
	if (status > 1)
		return cli_trouble("'%s' failed with exit status %d", cc, status);
	return status ? CLI_BAD_POLICY : CLI_OK;
}

static enum cli_status judge(const char *cc, const char *plugin, const char *cpu,
			     char *const *names, int count)
{
	struct cli_words line;
	struct kiln_strbuf out;
	enum cli_status status;
	int ended;

	cli_words_init(&line, cc);
	add_empty_unit(&line);
	add_plugin(&line, plugin, cpu, names, count);
	kiln_strbuf_init(&out);
	ended = cli_run(&line, CLI_TAKE_OUT, &out);
	status = judge_status(cc, plugin, ended, out.length > 0);
	cli_words_release(&line);
	kiln_strbuf_release(&out);
	return status;
}

enum cli_status cli_judge(const char *cc, const char *plugin, const char *cpu, char *const *names,
			  int count)
{
	struct kiln_strbuf path;
	enum cli_status status;

	if (!cc[strspn(cc, " \t")])
		return cli_trouble("--cc needs the name of a compiler");
	kiln_strbuf_init(&path);
	status = cli_find_plugin(cc, plugin, &path);
	if (status == CLI_OK)
		status = judge(cc, path.data, cpu, names, count);
	kiln_strbuf_release(&path);
	return status;
}

/* ---- does it run at all? ---- */

/* GCC goes on without a plugin for another GCC unless that is strict, and prints no help then. */
bool cli_plugin_runs(const char *cc, const char *plugin, struct kiln_strbuf *ret_why)
{
	struct cli_words line;
	struct kiln_strbuf out;
	bool runs;
	int ended;

	cli_words_init(&line, cc);
	add_empty_unit(&line);
	cli_words_add(&line, "-fplugin=%s", plugin);
	add_argument(&line, plugin, "strict", NULL);
	add_argument(&line, plugin, "help", NULL);
	kiln_strbuf_init(&out);
	ended = cli_run(&line, CLI_TAKE_BOTH, &out);
	runs = !ended && out.length;
	if (!runs)
		kiln_strbuf_addf(ret_why, "%.*s", (int)strcspn(out.data, "\n"), out.data);
	cli_words_release(&line);
	kiln_strbuf_release(&out);
	return runs;
}

/* ---- asking for the cores that GCC knows ---- */

enum cli_status cli_list_cpus(const char *cc, const char *plugin, struct kiln_strbuf *ret_list)
{
	struct kiln_strbuf path;
	struct cli_words line;
	enum cli_status status;
	int ended;

	kiln_strbuf_init(&path);
	status = cli_find_plugin(cc, plugin, &path);
	if (status != CLI_OK) {
		kiln_strbuf_release(&path);
		return status;
	}
	cli_words_init(&line, cc);
	add_empty_unit(&line);
	cli_words_add(&line, "-fplugin=%s", path.data);
	add_argument(&line, path.data, "cpus", NULL);
	ended = cli_run(&line, CLI_TAKE_OUT, ret_list);
	status = judge_status(cc, path.data, ended, ret_list->length > 0);
	cli_words_release(&line);
	kiln_strbuf_release(&path);
	return status;
}
