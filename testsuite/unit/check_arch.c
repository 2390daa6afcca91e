// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "kiln/arch.h"

START_TEST(names_are_sorted_and_known)
{
	const char *const *names = kiln_arch_names();

	for (size_t i = 0; names[i]; i++) {
		const struct kiln_arch *arch = kiln_arch_find(names[i]);

		ck_assert_msg(arch != NULL, "%s", names[i]);
		ck_assert_msg(kiln_arch_matches(arch, names[i]), "%s", names[i]);
		if (i)
			ck_assert_msg(strcmp(names[i - 1], names[i]) < 0, "%s", names[i]);
	}
}
END_TEST

/* A name that a target answers to but that is not listed would be refused in a policy. */
START_TEST(every_name_is_listed)
{
	const char *const *names = kiln_arch_names();

	for (size_t i = 0; names[i]; i++) {
		const struct kiln_arch *arch = kiln_arch_find(names[i]);

		for (size_t k = 0; arch->names[k]; k++) {
			size_t n = 0;

			while (names[n] && strcmp(names[n], arch->names[k]) != 0)
				n++;
			ck_assert_msg(names[n] != NULL, "%s", arch->names[k]);
		}
	}
}
END_TEST

START_TEST(names_and_patterns)
{
	static const struct {
		const char *arch;
		const char *first; /* GCC's name */
		const char *pattern;
		bool matches;
	} table[] = {
		{"aarch64", "aarch64", "arm64", true},
		{"arm64", "aarch64", "aarch64", true},
		{"arm64", "aarch64", "arm", false},
		{"arm", "arm", "arm64", false},
		{"x86", "x86_64", "x86", true},
		{"x86_64", "x86_64", "x86", true},
		{"x86_64", "x86_64", "i?86", false},
		{"i386", "i386", "x86", true},
		{"i686", "i386", "i?86", true},
		{"i386", "i386", "x86_64", false},
		{"riscv", "riscv64", "riscv", true},
		{"powerpc64", "powerpc64le", "powerpc*", true},
		{"s390", "s390x", "*", true},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		const struct kiln_arch *arch = kiln_arch_find(table[i].arch);

		ck_assert_msg(arch != NULL, "%s", table[i].arch);
		ck_assert_str_eq(arch->names[0], table[i].first);
		ck_assert_msg(kiln_arch_matches(arch, table[i].pattern) == table[i].matches,
			      "%s on %s", table[i].pattern, table[i].arch);
	}
}
END_TEST

START_TEST(unknown_names)
{
	static const char *const names[] = {"", "aarch46", "AARCH64", "x86-64", "arm6", NULL};

	for (size_t i = 0; names[i]; i++)
		ck_assert_msg(!kiln_arch_find(names[i]), "%s", names[i]);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("arch");
	TCase *tcase = tcase_create("arch");

	tcase_add_test(tcase, names_are_sorted_and_known);
	tcase_add_test(tcase, every_name_is_listed);
	tcase_add_test(tcase, names_and_patterns);
	tcase_add_test(tcase, unknown_names);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
