// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x86: what /proc/cpuinfo calls GCC's features.
 */
#include "cpu-x86.h"

#include <stdlib.h>
#include <string.h>

/*
 * Those whose word differs by more than punctuation, or is not always there: most
 * of these Linux 6.12 knows and does not show. CPUID tells that they are lacking.
 */
struct irregular {
	const char *feature;
	const char *word; /* NULL: as the feature */
	bool hidden;      /* that /proc/cpuinfo has not the word says nothing */
	bool vector;      /* of vector registers, though GCC does not count it with SSE2 */
};

/* Sorted by feature. */
static const struct irregular irregulars[] = {
	{"3dnowa", "3dnowext", false, true},
	{"amx-avx512", NULL, true, false},
	{"amx-complex", NULL, true, false},
	{"amx-fp16", NULL, true, false},
	{"amx-fp8", NULL, true, false},
	{"amx-movrs", NULL, true, false},
	{"amx-tf32", NULL, true, false},
	{"amx-transpose", NULL, true, false},
	{"apxf", "apx", true, false},
	{"avx10.1", NULL, true, true},
	{"avx10.1-256", NULL, true, true}, /* GCC 14 and 15: lengths, and not of the CPU */
	{"avx10.1-512", NULL, true, true},
	{"avx10.2", NULL, true, true},
	{"avx10.2-256", NULL, true, true},
	{"avx10.2-512", NULL, true, true},
	{"avx512bmm", NULL, true, true},
	{"avxifma", NULL, true, true},
	{"avxneconvert", NULL, true, true},
	{"avxvnniint16", NULL, true, true},
	{"avxvnniint8", NULL, true, true},
	{"bmi", "bmi1", false, false},
	{"cmpccxadd", NULL, true, false},
	{"crc32", "sse4_2", false, false}, /* comes with SSE4.2 */
	{"evex512", NULL, true, true},     /* GCC 14 and 15: a length */
	{"gfni", "gfni", false, true},
	{"hle", NULL, true, false},
	{"hreset", NULL, true, false},
	{"kl", NULL, true, true},
	{"lzcnt", "abm", false, false},
	{"movrs", NULL, true, false},
	{"mwait", "pni", false, false}, /* GCC's comes with SSE3; a hypervisor hides "monitor" */
	{"pclmul", "pclmulqdq", false, true},
	{"prefetchi", NULL, true, false},
	{"prefetchwt1", NULL, true, false},
	{"prfchw", "3dnowprefetch", false, false},
	{"ptwrite", NULL, true, false},
	{"raoint", NULL, true, false},
	{"rdrnd", "rdrand", false, false},
	{"sahf", "lahf_lm", false, false},
	{"sha", "sha_ni", false, true},
	{"sha512", NULL, true, true},
	{"shstk", "user_shstk", true, false},
	{"sm3", NULL, true, true},
	{"sm4", NULL, true, true},
	{"sse3", "pni", false, true},
	{"sse4", "sse4_2", false, true},
	{"uintr", NULL, true, false},
	{"usermsr", NULL, true, false},
	{"vaes", "vaes", false, true},
	{"vpclmulqdq", "vpclmulqdq", false, true},
	{"widekl", NULL, true, true},
};

#define NR_IRREGULARS (sizeof(irregulars) / sizeof(irregulars[0]))

static int compare_irregular(const void *feature, const void *entry)
{
	return strcmp((const char *)feature, ((const struct irregular *)entry)->feature);
}

static const struct irregular *find_irregular(const char *feature)
{
	return (const struct irregular *)bsearch(feature, irregulars, NR_IRREGULARS,
						 sizeof(irregulars[0]), compare_irregular);
}

static const char *skip_punctuation(const char *text)
{
	return text + strspn(text, "._-");
}

/* "avx512_vbmi2" is "avx512vbmi2", "sse4_1" is "sse4.1". */
static bool is_same_word(const char *word, const char *feature)
{
	for (;;) {
		word = skip_punctuation(word);
		feature = skip_punctuation(feature);
		if (*word != *feature)
			return false;
		if (!*word)
			return true;
		word++;
		feature++;
	}
}

static bool has_word(const struct native_set *words, const char *wanted)
{
	for (size_t i = 0; i < words->count; i++) {
		if (is_same_word(words->words[i], wanted))
			return true;
	}
	return false;
}

/*
 * A CPU without HLE ignores its prefixes, and GCC 12 to 16 cannot take it out of a
 * name: -march=haswell -mno-hle leaves it enabled. So nothing lacks it.
 */
static bool is_harmless(const char *feature)
{
	return !strcmp(feature, "hle");
}

enum native_answer x86_has(const struct native_machine *machine, const char *feature)
{
	const struct irregular *irregular = find_irregular(feature);
	const char *wanted = irregular && irregular->word ? irregular->word : feature;

	if (has_word(&machine->words, wanted))
		return NATIVE_YES;
	if (!irregular || !irregular->hidden)
		return NATIVE_NO;
	return has_word(&machine->lacking, wanted) && !is_harmless(feature) ? NATIVE_NO
									    : NATIVE_UNKNOWN;
}

bool x86_is_vector(const char *feature)
{
	const struct irregular *irregular = find_irregular(feature);

	return irregular && irregular->vector;
}
