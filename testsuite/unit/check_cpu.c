// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "kiln/cpu.h"

START_TEST(native)
{
	static const struct {
		const char *flag;
		bool native;
	} table[] = {
		{"-march=native", true},  {"-mcpu=native", true},    {"-mtune=native", true},
		{"-mcpu=native+sve", true}, {"-march=nativex", false}, {"-march=", false},
		{"-march=x86-64", false}, {"-mnative", false},       {"+native", false},
		{"-fmarch=native", false},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		ck_assert_msg(kiln_flag_is_native(table[i].flag) == table[i].native, "%s",
			      table[i].flag);
}
END_TEST

START_TEST(extensions)
{
	ck_assert(kiln_flag_is_extension("+sve"));
	ck_assert(kiln_flag_is_extension("+nosve"));
	ck_assert(!kiln_flag_is_extension("-mcpu=x+sve"));
	ck_assert(!kiln_extension_is_negative("+sve"));
	ck_assert(kiln_extension_is_negative("+nosve"));
	ck_assert(!kiln_extension_is_negative("+n"));
}
END_TEST

/* GCC takes the architecture from -march= even when -mcpu= follows. */
START_TEST(where_extensions_belong)
{
	int arch = kiln_flag_extension_rank("-march=armv8.2-a");
	int cpu = kiln_flag_extension_rank("-mcpu=neoverse-n1");

	ck_assert_int_gt(arch, cpu);
	ck_assert_int_gt(cpu, 0);
	ck_assert_int_eq(kiln_flag_extension_rank("-mtune=neoverse-n1"), 0);
	ck_assert_int_eq(kiln_flag_extension_rank("-march"), 0);
	ck_assert_int_eq(kiln_flag_extension_rank("+sve"), 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("cpu");
	TCase *tcase = tcase_create("cpu");

	tcase_add_test(tcase, native);
	tcase_add_test(tcase, extensions);
	tcase_add_test(tcase, where_extensions_belong);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
