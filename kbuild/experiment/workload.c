// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `kiln experiment count` runs in the guest, as its init: operations of the kernel,
 * many times each, between two readings of the clock, which counts instructions there.
 *
 * For each it prints "kiln-count NAME TIMES NANOSECONDS", or "kiln-count NAME - WHY" where
 * the kernel cannot do it; "kiln-count end" at the end. Each is repeated, and the last one
 * counts: caches of the kernel, such as those of slabs and dentries, are warm then.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REPETITIONS 3
#define NR_POLLED   16
#define BLOCK_BYTES 65536

/* What begin() of an operation leaves for run(). */
static int fds[4], polled[NR_POLLED];
static pid_t child;
static char block[BLOCK_BYTES];

/* ---- the operations; an error ends the program's part of them ---- */

static int do_getppid(void)
{
	return syscall(SYS_getppid) < 0;
}

static int do_open(void)
{
	int fd = open("file", O_RDONLY);

	return fd < 0 || close(fd);
}

static int do_symlink(void)
{
	return symlink("target", "link") || unlink("link");
}

static int do_stat(void)
{
	struct stat status;

	return stat("/w/file", &status);
}

static int begin_file(void)
{
	fds[0] = open("file", O_RDWR);
	return fds[0] < 0 || pwrite(fds[0], block, sizeof(block), 0) != sizeof(block);
}

static int do_pwrite(void)
{
	return pwrite(fds[0], block, 64, 0) != 64 || pread(fds[0], block, 64, 0) != 64;
}

static int do_read_block(void)
{
	return pread(fds[0], block, sizeof(block), 0) != sizeof(block);
}

static int begin_pipe(void)
{
	return pipe(fds);
}

/* A byte into one end and out of the other. */
static int do_byte(void)
{
	return write(fds[1], block, 1) != 1 || read(fds[0], block, 1) != 1;
}

static void end_two(void)
{
	close(fds[0]);
	close(fds[1]);
}

static void end_one(void)
{
	close(fds[0]);
}

/* fds: what the parent reads from, and writes to. */
static int begin_ping(void)
{
	int there[2], back[2];

	if (pipe(there) || pipe(back))
		return 1;
	child = fork();
	if (!child) {
		close(there[1]);
		close(back[0]);
		while (read(there[0], block, 1) == 1 && write(back[1], block, 1) == 1)
			;
		_exit(0);
	}
	close(there[0]);
	close(back[1]);
	fds[0] = back[0];
	fds[1] = there[1];
	return child < 0;
}

static void end_ping(void)
{
	end_two();
	waitpid(child, NULL, 0);
}

static int do_fork(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	return waitpid(pid, NULL, 0) != pid;
}

/* This program again, which ends at once. */
static int do_exec(void)
{
	pid_t pid = vfork();

	if (!pid) {
		execl("/init", "init", "exit", (char *)NULL);
		_exit(1);
	}
	return waitpid(pid, NULL, 0) != pid;
}

static int do_mmap(void)
{
	char *pages =
		mmap(NULL, BLOCK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return 1;
	for (size_t i = 0; i < BLOCK_BYTES; i += 4096)
		((volatile char *)pages)[i] = 1;
	return munmap(pages, BLOCK_BYTES);
}

static int begin_poll(void)
{
	for (int i = 0; i < NR_POLLED; i += 2) {
		if (pipe(polled + i))
			return 1;
	}
	return 0;
}

static int do_poll(void)
{
	struct pollfd list[NR_POLLED];

	for (int i = 0; i < NR_POLLED; i++)
		list[i] = (struct pollfd){.fd = polled[i], .events = i % 2 ? POLLOUT : POLLIN};
	return poll(list, NR_POLLED, 0) != NR_POLLED / 2;
}

static int begin_epoll(void)
{
	fds[0] = epoll_create1(0);
	for (int i = 0; i < NR_POLLED; i += 2) {
		struct epoll_event event = {.events = EPOLLIN};

		if (epoll_ctl(fds[0], EPOLL_CTL_ADD, polled[i], &event))
			return 1;
	}
	fds[1] = polled[1];
	fds[2] = polled[0];
	return 0;
}

static int do_epoll(void)
{
	struct epoll_event events[NR_POLLED];

	return write(fds[1], block, 1) != 1 || epoll_wait(fds[0], events, NR_POLLED, 0) != 1 ||
	       read(fds[2], block, 1) != 1;
}

static int begin_unix(void)
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, fds);
}

static struct sockaddr_in loopback(void)
{
	return (struct sockaddr_in){.sin_family = AF_INET,
				    .sin_port = htons(4242),
				    .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
}

static int begin_loopback(int type)
{
	struct ifreq lo = {.ifr_name = "lo", .ifr_flags = IFF_UP};

	fds[0] = socket(AF_INET, type, 0);
	return fds[0] < 0 || ioctl(fds[0], SIOCSIFFLAGS, &lo);
}

static int begin_udp(void)
{
	struct sockaddr_in address = loopback();

	return begin_loopback(SOCK_DGRAM) ||
	       bind(fds[0], (struct sockaddr *)&address, sizeof(address)) ||
	       connect(fds[0], (struct sockaddr *)&address, sizeof(address));
}

static int do_udp(void)
{
	return send(fds[0], block, 64, 0) != 64 || recv(fds[0], block, 64, 0) != 64;
}

static int begin_tcp(void)
{
	struct sockaddr_in address = loopback();

	if (begin_loopback(SOCK_STREAM) ||
	    bind(fds[0], (struct sockaddr *)&address, sizeof(address)) || listen(fds[0], 1))
		return 1;
	fds[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (connect(fds[1], (struct sockaddr *)&address, sizeof(address)))
		return 1;
	fds[2] = accept(fds[0], NULL, NULL);
	close(fds[0]);
	fds[0] = fds[2];
	return fds[2] < 0;
}

static int do_tcp(void)
{
	return send(fds[1], block, 64, 0) != 64 || recv(fds[0], block, 64, 0) != 64;
}

static int do_futex(void)
{
	static int word;

	return syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int begin_list(void)
{
	mkdir("many", 0755);
	for (int i = 0; i < 64; i++) {
		char name[32];

		snprintf(name, sizeof(name), "many/%d", i);
		close(open(name, O_CREAT | O_WRONLY, 0644));
	}
	return 0;
}

static int do_list(void)
{
	DIR *directory = opendir("many");
	int count = 0;

	while (directory && readdir(directory))
		count++;
	return !directory || closedir(directory) || count != 66;
}

static int do_rename(void)
{
	return rename("file", "renamed") || rename("renamed", "file");
}

static void on_signal(int number)
{
	(void)number;
}

static int begin_signal(void)
{
	return signal(SIGUSR1, on_signal) == SIG_ERR;
}

static int do_signal(void)
{
	return kill(getpid(), SIGUSR1);
}

static const struct operation {
	const char *name;
	int times;
	int (*run)(void);   /* not 0: it failed, and errno says why */
	int (*begin)(void); /* before it; NULL: nothing is to be done */
	void (*end)(void);
} operations[] = {
	{"getppid", 20000, do_getppid, NULL, NULL},
	{"open/close", 4000, do_open, NULL, NULL},
	{"symlink/unlink", 1000, do_symlink, NULL, NULL},
	{"stat", 5000, do_stat, NULL, NULL},
	{"pwrite/pread", 5000, do_pwrite, begin_file, end_one},
	{"pipe", 5000, do_byte, begin_pipe, end_two},
	{"pipe ping-pong", 2000, do_byte, begin_ping, end_ping},
	{"fork/wait", 100, do_fork, NULL, NULL},
	{"exec/wait", 50, do_exec, NULL, NULL},
	{"mmap/touch/munmap", 1000, do_mmap, NULL, NULL},
	{"read 64 KiB", 1000, do_read_block, begin_file, end_one},
	{"readdir", 500, do_list, begin_list, NULL},
	{"rename", 1000, do_rename, NULL, NULL},
	{"poll", 2000, do_poll, begin_poll, NULL},
	{"epoll", 2000, do_epoll, begin_epoll, end_one},
	{"unix stream", 2000, do_byte, begin_unix, end_two},
	{"udp loopback", 1000, do_udp, begin_udp, end_one},
	{"tcp loopback", 1000, do_tcp, begin_tcp, end_two},
	{"futex wake", 10000, do_futex, NULL, NULL},
	{"signal", 5000, do_signal, begin_signal, NULL},
};

/* ---- counting ---- */

static long long now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000ll + time.tv_nsec;
}

/* The time of the last repetition; negative: it failed. */
static long long measure(const struct operation *operation)
{
	long long start = 0;

	for (int repetition = 0; repetition < REPETITIONS; repetition++) {
		start = now();
		for (int i = 0; i < operation->times; i++) {
			if (operation->run())
				return -1;
		}
		start = now() - start;
	}
	return start;
}

static void count(const struct operation *operation)
{
	long long time;

	errno = 0;
	if (operation->begin && operation->begin()) {
		printf("kiln-count\t%s\t-\t%s\n", operation->name, strerror(errno));
		return;
	}
	time = measure(operation);
	if (time < 0)
		printf("kiln-count\t%s\t-\t%s\n", operation->name, strerror(errno));
	else
		printf("kiln-count\t%s\t%d\t%lld\n", operation->name, operation->times, time);
	if (operation->end)
		operation->end();
}

static void prepare(void)
{
	/* What can be missing is told by the operations that need it. */
	mkdir("/proc", 0755);
	mount("proc", "/proc", "proc", 0, NULL);
	mkdir("/w", 0755);
	if (chdir("/w"))
		perror("/w");
	close(open("file", O_CREAT | O_RDWR, 0644));
	setvbuf(stdout, NULL, _IOLBF, 0);
}

int main(int argc, char **argv)
{
	/* The kernel hands words of its command line on. */
	if (argc > 1 && !strcmp(argv[1], "exit"))
		return 0;
	prepare();
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		count(&operations[i]);
	puts("kiln-count\tend");
	fflush(stdout);
	if (getpid() == 1)
		reboot(RB_AUTOBOOT);
	return 0;
}
