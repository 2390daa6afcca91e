// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A compiler that is asked the same thing twice answers from a file: what options
 * mean, `kiln native` asks a hundred times a run, the tests some thousand times.
 *
 * A link to this program has the compiler's name, and stands in PATH before the
 * compiler. $KILN_ANSWERS is the directory of the answers. Asked for anything else than
 * what an option means (or with the processor in the answer, as with native), it just
 * runs the compiler.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kiln/sha256.h"
#include "kiln/strbuf.h"

static void give_up(const char *what)
{
	fprintf(stderr, "remember: %s: %s\n", what, strerror(errno));
	_exit(98);
}

/* The second of that name in PATH: the first is this program. */
static char *find_compiler(const char *name, struct stat *ret_stat)
{
	static char path[PATH_MAX];
	struct stat self;

	if (stat("/proc/self/exe", &self))
		give_up("/proc/self/exe");
	for (const char *at = getenv("PATH"); at && *at; at += strcspn(at, ":"), at += *at == ':') {
		snprintf(path, sizeof(path), "%.*s/%s", (int)strcspn(at, ":"), at, name);
		if (!access(path, X_OK) && !stat(path, ret_stat) && ret_stat->st_ino != self.st_ino)
			return path;
	}
	errno = ENOENT;
	give_up(name);
	return NULL;
}

static bool is_question(char **argv)
{
	bool asks = false;

	for (char **word = argv + 1; *word; word++) {
		if (strstr(*word, "native") || strstr(*word, "-fplugin") || **word == '@')
			return false;
		asks |= !strcmp(*word, "--help=target") || !strcmp(*word, "--version") ||
			!strcmp(*word, "-dumpmachine") || !strcmp(*word, "/dev/null");
	}
	return asks;
}

/* What the answer depends on. */
static void name_answer(const char *compiler, const struct stat *about, char **argv,
			char ret_digest[KILN_SHA256_SIZE])
{
	static const char *const variables[] = {"LC_ALL", "LANG", "COLUMNS", "GCC_COLORS",
						"GCC_EXEC_PREFIX", "COMPILER_PATH"};
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	kiln_strbuf_addf(&sb, "%s %lld %lld", compiler, (long long)about->st_mtime,
			 (long long)about->st_size);
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++) {
		const char *value = getenv(variables[i]);

		kiln_strbuf_addf(&sb, "\n%s", value ? value : "");
	}
	for (char **word = argv + 1; *word; word++)
		kiln_strbuf_addf(&sb, "\n%s", *word);
	if (sb.failed)
		give_up("question");
	kiln_sha256(sb.data, sb.length, ret_digest);
	kiln_strbuf_release(&sb);
}

/* Runs the compiler, and puts into ANSWER: its exit status, how much it wrote where, and that. */
static void ask(const char *compiler, char **argv, struct kiln_strbuf *answer)
{
	struct kiln_strbuf text[2];
	int fds[2], status;
	pid_t child;

	for (int i = 0; i < 2; i++) {
		kiln_strbuf_init(&text[i]);
		fds[i] = memfd_create("answer", MFD_CLOEXEC);
		if (fds[i] < 0)
			give_up("memfd_create");
	}
	child = fork();
	if (!child) {
		if (dup2(fds[0], STDOUT_FILENO) < 0 || dup2(fds[1], STDERR_FILENO) < 0)
			give_up("dup2");
		execv(compiler, argv);
		give_up(compiler);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
		give_up(compiler);
	for (int i = 0; i < 2; i++) {
		if (lseek(fds[i], 0, SEEK_SET) || kiln_strbuf_read_fd(&text[i], fds[i]))
			give_up("answer");
		close(fds[i]);
	}
	kiln_strbuf_addf(answer, "%d %zu\n", WEXITSTATUS(status), text[0].length);
	for (int i = 0; i < 2; i++) {
		kiln_strbuf_add(answer, text[i].data, text[i].length);
		kiln_strbuf_release(&text[i]);
	}
}

/* Whole or not at all: other tests ask at the same time. */
static void keep(const char *path, const struct kiln_strbuf *answer)
{
	struct kiln_strbuf scratch;
	int fd;

	kiln_strbuf_init(&scratch);
	kiln_strbuf_addf(&scratch, "%s.%d", path, (int)getpid());
	fd = open(scratch.data, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (answer->failed || fd < 0 || kiln_strbuf_write_fd(answer, fd) || close(fd) ||
	    rename(scratch.data, path))
		give_up(path);
	kiln_strbuf_release(&scratch);
}

static void write_all(int fd, const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(fd, text, length);

		if (written < 0)
			give_up("answer");
		text += written;
		length -= (size_t)written;
	}
}

int main(int argc, char **argv)
{
	const char *name = strrchr(argv[0], '/');
	const char *directory = getenv("KILN_ANSWERS");
	char digest[KILN_SHA256_SIZE];
	struct kiln_strbuf answer, path;
	size_t out, begin;
	struct stat about;
	int fd, status;

	(void)argc;
	/* The compiler looks for its parts from there. */
	argv[0] = find_compiler(name ? name + 1 : argv[0], &about);
	if (!directory || !is_question(argv)) {
		execv(argv[0], argv);
		give_up(argv[0]);
	}
	name_answer(argv[0], &about, argv, digest);
	kiln_strbuf_init(&path);
	kiln_strbuf_addf(&path, "%s/%s", directory, digest);
	kiln_strbuf_init(&answer);
	fd = open(path.data, O_RDONLY | O_CLOEXEC);
	if (fd < 0) {
		ask(argv[0], argv, &answer);
		keep(path.data, &answer);
	} else if (kiln_strbuf_read_fd(&answer, fd)) {
		give_up(path.data);
	}
	if (sscanf(answer.data, "%d %zu", &status, &out) != 2)
		give_up(path.data);
	begin = strcspn(answer.data, "\n") + 1;
	write_all(STDOUT_FILENO, answer.data + begin, out);
	write_all(STDERR_FILENO, answer.data + begin + out, answer.length - begin - out);
	return status;
}
