// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs GCC with the plugin, without a shell.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Words with a NUL after each. */
struct command_line {
	struct kiln_strbuf text;
	size_t nr_words;
};

/* ---- command lines ---- */

static void add_word(struct command_line *line, const char *format, ...) KILN_PRINTF(2, 3);

static void add_word(struct command_line *line, const char *format, ...)
{
	char *word = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&word, format, args);
	va_end(args);
	if (length < 0) {
		line->text.failed = true;
		return;
	}
	kiln_strbuf_add(&line->text, word, (size_t)length + 1);
	line->nr_words++;
	free(word);
}

/* Begins LINE with the words of CC. */
static void init_command_line(struct command_line *line, const char *cc)
{
	static const char blanks[] = " \t";

	kiln_strbuf_init(&line->text);
	line->nr_words = 0;
	for (cc += strspn(cc, blanks); *cc; cc += strspn(cc, blanks)) {
		size_t length = strcspn(cc, blanks);

		add_word(line, "%.*s", (int)length, cc);
		cc += length;
	}
}

/* An argv that points into LINE; NULL: out of memory. */
static char **make_argv(const struct command_line *line)
{
	char **argv = (char **)malloc((line->nr_words + 1) * sizeof(*argv));
	char *word = line->text.data;

	if (!argv || line->text.failed) {
		free(argv);
		return NULL;
	}
	for (size_t i = 0; i < line->nr_words; i++) {
		argv[i] = word;
		word += strlen(word) + 1;
	}
	argv[line->nr_words] = NULL;
	return argv;
}

/* ---- running ---- */

/* Starts ARGV with its stdout going to FD. An errno value, or 0. */
static int spawn(char **argv, int fd, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = posix_spawn_file_actions_adddup2(&actions, fd, STDOUT_FILENO);
	if (!error)
		error = posix_spawnp(ret_pid, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* The exit status; negative: it ended in another way. */
static int wait_for(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -1;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Appends what ARGV prints to OUT. Its exit status; negative: trouble, which was said. */
static int run_argv(char **argv, struct kiln_strbuf *out)
{
	int fds[2], status, error;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC)) {
		cli_trouble("no pipe for '%s': %s", argv[0], strerror(errno));
		return -1;
	}
	error = spawn(argv, fds[1], &pid);
	close(fds[1]);
	if (error) {
		close(fds[0]);
		cli_trouble("'%s' cannot be run: %s", argv[0], strerror(error));
		return -1;
	}
	error = kiln_strbuf_read_fd(out, fds[0]) ? errno : 0;
	close(fds[0]);
	status = wait_for(pid);
	if (error)
		cli_trouble("the output of '%s' cannot be read: %s", argv[0], strerror(error));
	else if (status < 0)
		cli_trouble("'%s' did not come to an end by itself", argv[0]);
	return error ? -1 : status;
}

static int run_command_line(const struct command_line *line, struct kiln_strbuf *out)
{
	char **argv = make_argv(line);
	int status;

	if (!argv) {
		cli_no_memory();
		return -1;
	}
	status = run_argv(argv, out);
	free(argv);
	return status;
}

/* ---- finding the plugin ---- */

/* Appends the answer of "CC OPTION", one line, to SB without its end. */
static enum cli_status ask(const char *cc, const char *option, struct kiln_strbuf *sb)
{
	struct command_line line;
	int status;

	init_command_line(&line, cc);
	add_word(&line, "%s", option);
	status = run_command_line(&line, sb);
	kiln_strbuf_release(&line.text);
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
	enum cli_status status = ask(cc, "-dumpmachine", ret_id);

	if (status != CLI_OK)
		return status;
	kiln_strbuf_adds(ret_id, "-");
	return ask(cc, "-dumpversion", ret_id);
}

/* The directory above the one that this executable is in. */
static enum cli_status find_prefix(struct kiln_strbuf *ret_prefix)
{
	char path[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path));
	char *slash;

	if (length < 0 || length == (ssize_t)sizeof(path))
		return cli_trouble("/proc/self/exe does not tell where kiln is installed; "
				   "--plugin=FILE names the plugin");
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
		status = find_prefix(&prefix);
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

static enum cli_status find_plugin(const char *cc, const char *plugin, struct kiln_strbuf *ret_path)
{
	if (!plugin)
		plugin = getenv("KILN_PLUGIN");
	if (plugin && *plugin)
		return use_plugin(plugin, ret_path);
	return look_for_plugin(cc, ret_path);
}

/* ---- judging ---- */

/*
 * The plugin's arguments carry its file name without the suffix. Its help is
 * asked for as a sign of life: GCC goes on without a plugin that was built for
 * another GCC, and fails with the same status whether the policy is at fault
 * or the plugin cannot be loaded.
 */
static void add_plugin(struct command_line *line, const char *plugin, char *const *names, int count)
{
	const char *base = strrchr(plugin, '/') + 1;
	const char *dot = strrchr(base, '.');
	int length = (int)(dot ? (size_t)(dot - base) : strlen(base));

	add_word(line, "-fplugin=%s", plugin);
	add_word(line, "-fplugin-arg-%.*s-check", length, base);
	add_word(line, "-fplugin-arg-%.*s-help", length, base);
	for (int i = 0; i < count; i++)
		add_word(line, "-fplugin-arg-%.*s-policy=%s", length, base, names[i]);
}

static void add_empty_unit(struct command_line *line)
{
	static const char *const words[] = {"-x", "c", "-S", "-o", "/dev/null", "/dev/null"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		add_word(line, "%s", words[i]);
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

static enum cli_status judge(const char *cc, const char *plugin, char *const *names, int count)
{
	struct command_line line;
	struct kiln_strbuf out;
	enum cli_status status;
	int ended;

	init_command_line(&line, cc);
	add_empty_unit(&line);
	add_plugin(&line, plugin, names, count);
	kiln_strbuf_init(&out);
	ended = run_command_line(&line, &out);
	status = judge_status(cc, plugin, ended, out.length > 0);
	kiln_strbuf_release(&line.text);
	kiln_strbuf_release(&out);
	return status;
}

enum cli_status cli_judge(const char *cc, const char *plugin, char *const *names, int count)
{
	struct kiln_strbuf path;
	enum cli_status status;

	if (!cc[strspn(cc, " \t")])
		return cli_trouble("--cc needs the name of a compiler");
	kiln_strbuf_init(&path);
	status = find_plugin(cc, plugin, &path);
	if (status == CLI_OK)
		status = judge(cc, path.data, names, count);
	kiln_strbuf_release(&path);
	return status;
}
