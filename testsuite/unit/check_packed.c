// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "alloc.h"
#include "kiln/packed.h"

#define POLICY "all -fx\n"

/* The least that has the section. */
static const struct image {
	Elf64_Ehdr header;
	Elf64_Shdr sections[3];
	char names[32];
	char policy[sizeof(POLICY)];
} good = {
	.header = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
		.e_shoff = offsetof(struct image, sections),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 1,
	},
	.sections = {
		{.sh_type = SHT_NULL},
		{.sh_name = 1, .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct image, names), .sh_size = 32},
		{.sh_name = 11, .sh_type = SHT_PROGBITS, .sh_offset = offsetof(struct image, policy),
		 .sh_size = sizeof(POLICY) - 1},
	},
	.names = "\0.shstrtab\0" KILN_PACKED_SECTION,
	.policy = POLICY,
};

/* A file in memory: the disk may be slow. */
static char file[32];
static int fd = -1;
static struct kiln_strbuf text;

static void make_file(void)
{
	fd = memfd_create("check_packed", 0);
	ck_assert_int_ge(fd, 0);
	snprintf(file, sizeof(file), "/proc/self/fd/%d", fd);
	kiln_strbuf_init(&text);
}

static void remove_file(void)
{
	close(fd);
	kiln_strbuf_release(&text);
}

/* Of a file with these bytes. */
static enum kiln_packed read_bytes(const void *bytes, size_t size)
{
	ck_assert_int_eq(ftruncate(fd, 0), 0);
	ck_assert_int_eq(pwrite(fd, bytes, size, 0), (ssize_t)size);
	kiln_strbuf_reset(&text);
	return kiln_packed_read(file, &text);
}

START_TEST(found)
{
	struct image other = good;

	ck_assert_int_eq(read_bytes(&good, sizeof(good)), KILN_PACKED_FOUND);
	ck_assert_str_eq(text.data, POLICY);
	other.sections[2].sh_size = 0;
	ck_assert_int_eq(read_bytes(&other, sizeof(other)), KILN_PACKED_FOUND);
	ck_assert_uint_eq(text.length, 0);
}
END_TEST

START_TEST(none)
{
	struct image other = good;

	other.names[12] = 'K';
	ck_assert_int_eq(read_bytes(&other, sizeof(other)), KILN_PACKED_NONE);
	ck_assert_int_eq(kiln_packed_read("/proc/self/exe", &text), KILN_PACKED_NONE);
}
END_TEST

START_TEST(bad)
{
	ck_assert_int_eq(kiln_packed_read("/tmp/kiln-no-such-file", &text), KILN_PACKED_BAD);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(kiln_packed_read("/tmp", &text), KILN_PACKED_BAD);
	ck_assert_int_eq(errno, EISDIR);
	ck_assert_int_eq(read_bytes("int x;\n", 7), KILN_PACKED_BAD);
	for (size_t size = 0; size < offsetof(struct image, policy) + strlen(POLICY); size++) {
		ck_assert_int_eq(read_bytes(&good, size), KILN_PACKED_BAD);
		ck_assert_int_eq(errno, 0);
	}
}
END_TEST

/* No byte of the headers, whatever it says, does more than have the file refused or misread. */
START_TEST(any_bytes)
{
	uint64_t seed = 1;

	for (int i = 0; i < 5000; i++) {
		struct image other = good;
		unsigned char *bytes = (unsigned char *)&other;

		for (unsigned left = 1 + random_below(&seed, 4); left; left--)
			bytes[random_below(&seed, sizeof(other))] = (unsigned char)random_below(&seed, 256);
		read_bytes(&other, sizeof(other));
		ck_assert_uint_le(text.length, sizeof(other));
	}
}
END_TEST

START_TEST(no_memory)
{
	ck_assert_int_eq(read_bytes(&good, sizeof(good)), KILN_PACKED_FOUND);
	for (unsigned long n = 1;; n++) {
		enum kiln_packed result;
		bool failed;

		kiln_strbuf_release(&text);
		alloc_fail_at(n);
		result = kiln_packed_read(file, &text);
		failed = alloc_failed();
		alloc_stop();
		if (!failed)
			break;
		ck_assert_int_eq(result, KILN_PACKED_BAD);
		ck_assert_int_eq(errno, ENOMEM);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("packed");
	TCase *tcase = tcase_create("packed");

	tcase_add_checked_fixture(tcase, make_file, remove_file);
	tcase_add_test(tcase, found);
	tcase_add_test(tcase, none);
	tcase_add_test(tcase, bad);
	tcase_add_test(tcase, any_bytes);
	tcase_add_test(tcase, no_memory);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
