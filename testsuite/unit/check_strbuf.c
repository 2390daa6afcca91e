// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "alloc.h"
#include "kiln/strbuf.h"

/* What holds after every operation. */
static void check_invariants(const struct kiln_strbuf *sb)
{
	ck_assert_ptr_nonnull(sb->data);
	ck_assert_int_eq(sb->data[sb->length], '\0');
	if (sb->capacity)
		ck_assert_uint_lt(sb->length, sb->capacity);
	else
		ck_assert_uint_eq(sb->length, 0);
	if (sb->failed)
		ck_assert_uint_eq(sb->length, 0);
}

START_TEST(empty_buffer)
{
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	check_invariants(&sb);
	kiln_strbuf_reset(&sb);
	kiln_strbuf_truncate(&sb, 0);
	kiln_strbuf_add(&sb, "x", 0);
	kiln_strbuf_adds(&sb, "");
	kiln_strbuf_addf(&sb, "%s", "");
	check_invariants(&sb);
	ck_assert_str_eq(sb.data, "");
	kiln_strbuf_release(&sb);
	kiln_strbuf_release(&sb);
	kiln_strbuf_release(NULL);
	check_invariants(&sb);
}
END_TEST

/* Random operations, the same done to an array. */
START_TEST(same_as_an_array)
{
	static char expected[1 << 20];
	uint64_t seed = (uint64_t)_i + 1;
	struct kiln_strbuf sb;
	size_t length = 0;
	char bytes[300];

	kiln_strbuf_init(&sb);
	for (int step = 0; step < 2000; step++) {
		size_t count = random_below(&seed, sizeof(bytes));
		unsigned what = random_below(&seed, 6);

		for (size_t i = 0; i < count; i++)
			bytes[i] = (char)random_below(&seed, 256);
		if (what <= 2) {
			kiln_strbuf_add(&sb, bytes, count);
			memcpy(expected + length, bytes, count);
			length += count;
		} else if (what == 3) {
			kiln_strbuf_addf(&sb, "%*d|", (int)count, -(int)count);
			length +=
				(size_t)sprintf(expected + length, "%*d|", (int)count, -(int)count);
		} else if (what == 4) {
			kiln_strbuf_truncate(&sb, count * 64);
			length = count * 64 < length ? count * 64 : length;
		} else if (count < 4) {
			kiln_strbuf_reset(&sb);
			length = 0;
		}
		check_invariants(&sb);
		ck_assert_uint_eq(sb.length, length);
		ck_assert_int_eq(memcmp(sb.data, expected, length), 0);
	}
	kiln_strbuf_release(&sb);
}
END_TEST

START_TEST(failure_sticks_until_reset)
{
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	kiln_strbuf_adds(&sb, "kept");
	alloc_fail_at(1);
	for (int i = 0; i < 100 && !sb.failed; i++)
		kiln_strbuf_addf(&sb, "%d some text", i);
	alloc_stop();
	ck_assert(sb.failed);
	check_invariants(&sb);
	kiln_strbuf_adds(&sb, "x");
	kiln_strbuf_addf(&sb, "%d", 1);
	kiln_strbuf_truncate(&sb, 0);
	ck_assert(sb.failed);
	ck_assert_str_eq(sb.data, "");
	kiln_strbuf_reset(&sb);
	ck_assert(!sb.failed);
	kiln_strbuf_adds(&sb, "again");
	ck_assert_str_eq(sb.data, "again");
	kiln_strbuf_release(&sb);
}
END_TEST

START_TEST(first_allocation_fails)
{
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	alloc_fail_at(1);
	kiln_strbuf_adds(&sb, "x");
	alloc_stop();
	ck_assert(sb.failed);
	check_invariants(&sb);
	kiln_strbuf_release(&sb);
	ck_assert(!sb.failed);
}
END_TEST

START_TEST(absurd_size_fails)
{
	struct kiln_strbuf sb;

	kiln_strbuf_init(&sb);
	kiln_strbuf_add(&sb, "x", SIZE_MAX - 1);
	ck_assert(sb.failed);
	kiln_strbuf_release(&sb);
}
END_TEST

/* A temporary file of COUNT bytes, open at its beginning. */
static int new_file(size_t count)
{
	char name[] = "/tmp/kiln-strbuf-XXXXXX";
	static char bytes[32000];
	int fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	unlink(name);
	for (size_t i = 0; i < count; i++)
		bytes[i] = (char)(i * 31);
	ck_assert_int_eq(pwrite(fd, bytes, count, 0), (ssize_t)count);
	return fd;
}

START_TEST(reads_files_of_any_size)
{
	static const size_t sizes[] = {0, 1, 63, 64, 4095, 4096, 4097, 8191, 8192, 30000};
	struct kiln_strbuf sb;
	int fd = new_file(sizes[_i]);
	bool same = true;

	kiln_strbuf_init(&sb);
	kiln_strbuf_adds(&sb, "head");
	ck_assert_int_eq(kiln_strbuf_read_fd(&sb, fd), 0);
	check_invariants(&sb);
	ck_assert_uint_eq(sb.length, 4 + sizes[_i]);
	ck_assert_int_eq(memcmp(sb.data, "head", 4), 0);
	for (size_t i = 0; i < sizes[_i]; i++)
		same &= sb.data[4 + i] == (char)(i * 31);
	ck_assert(same);
	close(fd);
	kiln_strbuf_release(&sb);
}
END_TEST

/* /proc says that its files are empty, and a pipe has no size at all. */
START_TEST(size_is_only_a_hint)
{
	struct kiln_strbuf sb;
	int fd = open("/proc/self/status", O_RDONLY);
	static char bytes[60000];
	int ends[2];

	kiln_strbuf_init(&sb);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(kiln_strbuf_read_fd(&sb, fd), 0);
	ck_assert_ptr_nonnull(strstr(sb.data, "Name:"));
	close(fd);
	kiln_strbuf_reset(&sb);
	ck_assert_int_eq(pipe(ends), 0);
	memset(bytes, 'p', sizeof(bytes));
	ck_assert_int_eq(write(ends[1], bytes, sizeof(bytes)), sizeof(bytes));
	close(ends[1]);
	ck_assert_int_eq(kiln_strbuf_read_fd(&sb, ends[0]), 0);
	close(ends[0]);
	check_invariants(&sb);
	ck_assert_uint_eq(sb.length, sizeof(bytes));
	ck_assert_uint_eq(strspn(sb.data, "p"), sizeof(bytes));
	kiln_strbuf_release(&sb);
}
END_TEST

/* A pipe takes it in parts. */
START_TEST(written)
{
	static char bytes[200000];
	struct kiln_strbuf sb, back;
	int ends[2];
	pid_t pid;

	memset(bytes, 'w', sizeof(bytes));
	kiln_strbuf_init(&sb);
	kiln_strbuf_init(&back);
	kiln_strbuf_add(&sb, bytes, sizeof(bytes));
	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	if (!pid)
		_exit(kiln_strbuf_write_fd(&sb, ends[1]) != 0);
	close(ends[1]);
	ck_assert_int_eq(kiln_strbuf_read_fd(&back, ends[0]), 0);
	close(ends[0]);
	ck_assert_uint_eq(back.length, sizeof(bytes));
	ck_assert_int_eq(memcmp(back.data, bytes, sizeof(bytes)), 0);
	kiln_strbuf_release(&back);
	errno = 0;
	ck_assert_int_eq(kiln_strbuf_write_fd(&sb, -1), -1);
	ck_assert_int_eq(errno, EBADF);
	kiln_strbuf_release(&sb);
}
END_TEST

START_TEST(unreadable_leaves_the_text)
{
	struct kiln_strbuf sb;
	int fd = open("/", O_RDONLY | O_DIRECTORY);

	kiln_strbuf_init(&sb);
	kiln_strbuf_adds(&sb, "text");
	errno = 0;
	ck_assert_int_eq(kiln_strbuf_read_fd(&sb, fd), -1);
	ck_assert_int_eq(errno, EISDIR);
	ck_assert_str_eq(sb.data, "text");
	close(fd);
	errno = 0;
	ck_assert_int_eq(kiln_strbuf_read_fd(&sb, -1), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_str_eq(sb.data, "text");
	kiln_strbuf_release(&sb);
}
END_TEST

START_TEST(reading_without_memory)
{
	struct kiln_strbuf sb;
	int fd = new_file(100);

	kiln_strbuf_init(&sb);
	alloc_fail_at(1);
	ck_assert_int_eq(kiln_strbuf_read_fd(&sb, fd), -1);
	ck_assert_int_eq(errno, ENOMEM);
	alloc_stop();
	ck_assert(sb.failed);
	close(fd);
	kiln_strbuf_release(&sb);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("strbuf");
	TCase *tcase = tcase_create("strbuf");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, empty_buffer);
	tcase_add_loop_test(tcase, same_as_an_array, 0, 8);
	tcase_add_test(tcase, failure_sticks_until_reset);
	tcase_add_test(tcase, first_allocation_fails);
	tcase_add_test(tcase, absurd_size_fails);
	tcase_add_loop_test(tcase, reads_files_of_any_size, 0, 10);
	tcase_add_test(tcase, size_is_only_a_hint);
	tcase_add_test(tcase, unreadable_leaves_the_text);
	tcase_add_test(tcase, written);
	tcase_add_test(tcase, reading_without_memory);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
