// SPDX-License-Identifier: GPL-2.0-or-later
#include "suite.h"

#include "kiln/sha256.h"

static char digest[KILN_SHA256_SIZE];

static const char *hash(const char *text, size_t length)
{
	kiln_sha256(text, length, digest);
	return digest;
}

/* The examples of FIPS 180-2, appendix B, and the empty message. */
START_TEST(published)
{
	static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	char *million = (char *)malloc(1000000);

	ck_assert_str_eq(hash("", 0),
			 "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	ck_assert_str_eq(hash("abc", 3),
			 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	ck_assert_str_eq(hash(two_blocks, sizeof(two_blocks) - 1),
			 "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
	memset(million, 'a', 1000000);
	ck_assert_str_eq(hash(million, 1000000),
			 "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
	free(million);
}
END_TEST

/* Of so many a's, by coreutils: where the padding does or does not need a block of its own. */
START_TEST(padding)
{
	static const struct {
		size_t length;
		const char *digest;
	} table[] = {
		{55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
		{56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
		{63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
		{64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
		{119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
		{120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
	};
	char text[128];

	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		ck_assert_str_eq(hash(text, table[i].length), table[i].digest);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sha256");
	TCase *tcase = tcase_create("sha256");

	tcase_add_test(tcase, published);
	tcase_add_test(tcase, padding);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
