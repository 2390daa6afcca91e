// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include <zlib.h>

#include "../../kbuild/cli/diff/diff.h"

/* ---- which functions sites belong to ---- */

#define MAX_CODE  8
#define MAX_SITES 6
#define RANGE     64

static struct diff_symbol symbols[MAX_CODE];
static struct diff_code code[MAX_CODE];
static struct diff_address site_list[MAX_SITES];

static int compare_code(const void *a, const void *b)
{
	return diff_compare_addresses(&((const struct diff_code *)a)->at,
				      &((const struct diff_code *)b)->at);
}

/*
 * The oracle: a site is of what covers it, among the functions that begin last
 * before it; if there are none, of those that begin next, at most 16 bytes behind it.
 */
static bool is_expected(size_t nr_code, size_t nr_sites, size_t index)
{
	const struct diff_code *own = &code[index];

	for (size_t s = 0; s < nr_sites; s++) {
		const struct diff_address *site = &site_list[s];
		int64_t last = -1, next = RANGE * 2;
		bool covered = false;

		for (size_t i = 0; i < nr_code; i++) {
			int64_t value = (int64_t)code[i].at.value;

			if (code[i].at.section != site->section)
				continue;
			if (value <= (int64_t)site->value && value > last)
				last = value;
			if (value > (int64_t)site->value && value < next)
				next = value;
		}
		for (size_t i = 0; i < nr_code; i++)
			covered |= code[i].at.section == site->section &&
				   (int64_t)code[i].at.value == last &&
				   site->value < code[i].at.value + code[i].size;
		if (own->at.section != site->section)
			continue;
		if (covered && (int64_t)own->at.value == last &&
		    site->value < own->at.value + own->size)
			return true;
		if (!covered && (int64_t)own->at.value == next && own->at.value - site->value <= 16)
			return true;
	}
	return false;
}

START_TEST(sites_as_by_looking_at_all)
{
	uint64_t state = 20261201;
	unsigned marked = 0;

	for (unsigned round = 0; round < 20000; round++) {
		size_t nr_code = random_below(&state, MAX_CODE + 1);
		size_t nr_sites = random_below(&state, MAX_SITES + 1);
		struct diff_sites sites = {.sites = site_list, .count = nr_sites};

		memset(symbols, 0, sizeof(symbols));
		for (size_t i = 0; i < nr_code; i++)
			code[i] = (struct diff_code){
				.at = {random_below(&state, 2), random_below(&state, RANGE)},
				.size = random_below(&state, 20),
				.symbol = &symbols[i],
			};
		for (size_t i = 0; i < nr_sites; i++)
			site_list[i] = (struct diff_address){random_below(&state, 2),
							     random_below(&state, RANGE)};
		qsort(code, nr_code, sizeof(*code), compare_code);
		diff_mark_traceable(&sites, code, nr_code, DIFF_B);
		for (size_t i = 0; i < nr_code; i++) {
			bool is = code[i].symbol->sides[DIFF_B].is_traceable;

			ck_assert_msg(is == is_expected(nr_code, nr_sites, i), "round %u", round);
			ck_assert(!code[i].symbol->sides[DIFF_A].is_traceable);
			marked += is;
		}
	}
	ck_assert_uint_gt(marked, 10000);
}
END_TEST

/* ---- the configuration in a kernel ---- */

/* LENGTH bytes of what gzip makes of TEXT, after "IKCFG_ST" and some others. */
static size_t pack(const char *text, unsigned char *buffer, size_t size)
{
	z_stream stream = {.next_in = NULL};

	memset(buffer, 'I', 100);
	memcpy(buffer + 100, "IKCFG_ST", 8);
	ck_assert_int_eq(
		deflateInit2(&stream, 9, Z_DEFLATED, 16 + MAX_WBITS, 9, Z_DEFAULT_STRATEGY), Z_OK);
	stream.next_in = (unsigned char *)(uintptr_t)text;
	stream.avail_in = (unsigned)strlen(text);
	stream.next_out = buffer + 108;
	stream.avail_out = (unsigned)(size - 108);
	ck_assert_int_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
	size = 108 + stream.total_out;
	deflateEnd(&stream);
	return size;
}

START_TEST(config_is_found_whole_or_not)
{
	static const char text[] = "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=\"x\"\n";
	unsigned char buffer[1024];
	size_t size = pack(text, buffer, sizeof(buffer));
	struct kiln_strbuf config;

	for (size_t cut = 0; cut <= size; cut++) {
		kiln_strbuf_init(&config);
		diff_config_find(buffer, cut, &config);
		ck_assert_str_eq(config.data, cut == size ? text : "");
		kiln_strbuf_release(&config);
	}
}
END_TEST

START_TEST(config_that_is_damaged_is_no_crash)
{
	unsigned char buffer[1024];
	size_t size =
		pack("CONFIG_A=y\nCONFIG_B=y\nCONFIG_A=y\nCONFIG_B=y\n", buffer, sizeof(buffer));
	struct kiln_strbuf config;

	for (size_t i = 0; i < size * 8; i++) {
		buffer[i / 8] ^= (unsigned char)(1 << i % 8);
		kiln_strbuf_init(&config);
		diff_config_find(buffer, size, &config);
		ck_assert(!config.failed);
		kiln_strbuf_release(&config);
		buffer[i / 8] ^= (unsigned char)(1 << i % 8);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("diff");
	TCase *tcase = tcase_create("diff");

	tcase_set_timeout(tcase, 60);
	tcase_add_test(tcase, sites_as_by_looking_at_all);
	tcase_add_test(tcase, config_is_found_whole_or_not);
	tcase_add_test(tcase, config_that_is_damaged_is_no_crash);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
