// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs programs, compilers mostly, without a shell.
 */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* ---- command lines ---- */

void cli_words_add(struct cli_words *words, const char *format, ...)
{
	char *word = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&word, format, args);
	va_end(args);
	if (length < 0) {
		words->text.failed = true;
		return;
	}
	kiln_strbuf_add(&words->text, word, (size_t)length + 1);
	words->count++;
	free(word);
}

void cli_words_add_all(struct cli_words *words, const struct cli_words *more)
{
	kiln_strbuf_add(&words->text, more->text.data, more->text.length);
	words->text.failed |= more->text.failed;
	words->count += more->count;
}

void cli_words_init(struct cli_words *words, const char *command)
{
	static const char blanks[] = " \t";

	kiln_strbuf_init(&words->text);
	words->count = 0;
	for (command += strspn(command, blanks); *command; command += strspn(command, blanks)) {
		size_t length = strcspn(command, blanks);

		cli_words_add(words, "%.*s", (int)length, command);
		command += length;
	}
}

void cli_words_release(struct cli_words *words)
{
	kiln_strbuf_release(&words->text);
	words->count = 0;
}

/* An argv that points into WORDS; NULL: out of memory. */
static char **make_argv(const struct cli_words *words)
{
	char **argv = (char **)malloc((words->count + 1) * sizeof(*argv));
	char *word = words->text.data;

	if (!argv || words->text.failed) {
		free(argv);
		return NULL;
	}
	for (size_t i = 0; i < words->count; i++) {
		argv[i] = word;
		word += strlen(word) + 1;
	}
	argv[words->count] = NULL;
	return argv;
}

/* ---- running ---- */

/* What becomes of the streams when FD is the one that is read. An errno value, or 0. */
static int redirect(posix_spawn_file_actions_t *actions, enum cli_take take, int fd)
{
	int error = posix_spawn_file_actions_adddup2(actions, fd, STDOUT_FILENO);

	if (!error && take == CLI_TAKE_BOTH)
		error = posix_spawn_file_actions_adddup2(actions, fd, STDERR_FILENO);
	if (!error && take == CLI_TAKE_OUT_ONLY)
		error = posix_spawn_file_actions_addopen(actions, STDERR_FILENO, "/dev/null",
							 O_WRONLY, 0);
	return error;
}

/* Starts ARGV with its output going to FD. An errno value, or 0. */
static int spawn(char **argv, enum cli_take take, int fd, pid_t *ret_pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);

	if (error)
		return error;
	error = redirect(&actions, take, fd);
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

static int run_argv(char **argv, enum cli_take take, struct kiln_strbuf *out)
{
	int fds[2], status, error;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC)) {
		cli_trouble("no pipe for '%s': %s", argv[0], strerror(errno));
		return -1;
	}
	error = spawn(argv, take, fds[1], &pid);
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

int cli_run(const struct cli_words *words, enum cli_take take, struct kiln_strbuf *out)
{
	char **argv = make_argv(words);
	int status;

	if (!argv) {
		cli_no_memory();
		return -1;
	}
	status = run_argv(argv, take, out);
	free(argv);
	return status;
}

/* ---- in place of this program ---- */

/* The keyboard's signals go to the program that runs; this one tells how it ended. */
static void heed_signals(bool heeded, struct sigaction *actions)
{
	static const int signals[] = {SIGINT, SIGQUIT};
	const struct sigaction ignored = {.sa_handler = SIG_IGN};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], heeded ? &actions[i] : &ignored, heeded ? NULL : &actions[i]);
}

/* Starts ARGV with the signals as they were before. An errno value, or 0. */
static int spawn_with_signals(char **argv, const struct sigaction *actions, pid_t *ret_pid)
{
	posix_spawnattr_t attributes;
	sigset_t defaults;
	int error = posix_spawnattr_init(&attributes);

	if (error)
		return error;
	sigemptyset(&defaults);
	if (actions[0].sa_handler == SIG_DFL)
		sigaddset(&defaults, SIGINT);
	if (actions[1].sa_handler == SIG_DFL)
		sigaddset(&defaults, SIGQUIT);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(ret_pid, argv[0], NULL, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	return error;
}

enum cli_status cli_run_through(const struct cli_words *words, int *ret_status)
{
	char **argv = make_argv(words);
	struct sigaction actions[2];
	int error;
	pid_t pid;

	if (!argv)
		return cli_no_memory();
	fflush(NULL);
	heed_signals(false, actions);
	error = spawn_with_signals(argv, actions, &pid);
	if (!error)
		*ret_status = wait_for(pid);
	heed_signals(true, actions);
	if (error)
		cli_trouble("'%s' cannot be run: %s", argv[0], strerror(error));
	free(argv);
	return error ? CLI_TROUBLE : CLI_OK;
}

const char *cli_program_path(const char *name)
{
	return strchr(name, '/') ? "" : getenv("PATH");
}

bool cli_find_next_program(const char **path, const char *name, char *ret_path, size_t size)
{
	char whole[PATH_MAX], found[PATH_MAX];

	while (*path) {
		const char *at = *path;
		int length = (int)strcspn(at, ":");

		*path = at[length] ? at + length + 1 : NULL;
		if (snprintf(whole, sizeof(whole), "%.*s%s%s", length, at, length ? "/" : "", name) >=
		    (int)sizeof(whole))
			continue;
		if (!access(whole, X_OK) && realpath(whole, found))
			return snprintf(ret_path, size, "%s", found) < (int)size;
	}
	return false;
}

bool cli_find_program(const char *name, char *ret_path, size_t size)
{
	const char *path = cli_program_path(name);

	return cli_find_next_program(&path, name, ret_path, size);
}
