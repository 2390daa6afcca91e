// SPDX-License-Identifier: GPL-2.0-or-later
#include "flags.h"

#include <string.h>

#include "kiln/cpu.h"
#include "kiln/policy.h"

#include "banned.h"

#define ASSEMBLER   "is for the assembler, which sees whole files"
#define DEBUG       "chooses debug information, which is given for a whole build"
#define DIAGNOSTICS "is about diagnostics and changes no code"
#define DRIVER      "tells the compiler driver what to do and changes no code"
#define DUMP        "makes the compiler write reports and changes no code"
#define LANGUAGE    "chooses the language and changes no code by itself"
#define LEVEL                                                                                  \
	"is an optimization level, which resets other options and cannot be given per place; " \
	"name the flags that it implies instead (gcc -Q --help=optimizers lists them)"
#define LINKER "is for the linker, which sees whole programs"
#define MACHINE                                                               \
	"chooses another machine, which the driver, the assembler and the "   \
	"linker must know too; give it on the command line"
#define PATHS        "changes file names in the output and no code"
#define PLUGIN       "loads plugins and changes no code by itself"
#define POSITION                                                               \
	"is settled before the compiler loads a plugin, because the driver and " \
	"the linker depend on it; give it on the command line"
#define PREPROCESSOR "is for the preprocessor, which has read the file before any place is known"
#define PROFILING    "adds calls to every function and is given for a whole build"

/*
 * Flags that are not code generation flags, by how they begin: sorted, so that
 * the last match is the longest. "-fNAME" stands for "-fno-NAME" too.
 */
static const struct family {
	const char *prefix;
	const char *fault;
} families[] = {
	{"-A", PREPROCESSOR},
	{"-B", DRIVER},
	{"-C", PREPROCESSOR},
	{"-D", PREPROCESSOR},
	{"-E", DRIVER},
	{"-H", PREPROCESSOR},
	{"-I", PREPROCESSOR},
	{"-L", LINKER},
	{"-M", PREPROCESSOR},
	{"-O", LEVEL},
	{"-P", PREPROCESSOR},
	{"-S", DRIVER},
	{"-T", LINKER},
	{"-U", PREPROCESSOR},
	{"-W", DIAGNOSTICS},
	{"-Wa,", ASSEMBLER},
	{"-Wl,", LINKER},
	{"-Wp,", PREPROCESSOR},
	{"-Xassembler", ASSEMBLER},
	{"-Xlinker", LINKER},
	{"-Xpreprocessor", PREPROCESSOR},
	{"-ansi", LANGUAGE},
	{"-c", DRIVER},
	{"-d", DUMP},
	{"-fPIC", POSITION},
	{"-fPIE", POSITION},
	{"-fcanon-prefix-map", PATHS},
	{"-fdebug-prefix-map", PATHS},
	{"-fdiagnostics-", DIAGNOSTICS},
	{"-fdump-", DUMP},
	{"-ffile-prefix-map", PATHS},
	{"-flto", POSITION},
	{"-fmacro-prefix-map", PATHS},
	{"-fopt-info", DUMP},
	{"-fpic", POSITION},
	{"-fpie", POSITION},
	{"-fplugin", PLUGIN},
	{"-fprofile-prefix-map", PATHS},
	{"-fsyntax-only", DRIVER},
	{"-g", DEBUG},
	{"-i", PREPROCESSOR},
	{"-l", LINKER},
	{"-m16", MACHINE},
	{"-m32", MACHINE},
	{"-m64", MACHINE},
	{"-mabi", MACHINE},
	{"-mbig-endian", MACHINE},
	{"-miamcu", MACHINE},
	{"-mlittle-endian", MACHINE},
	{"-msse2avx", ASSEMBLER},
	{"-mx32", MACHINE},
	{"-nostdinc", PREPROCESSOR},
	{"-nostdlib", LINKER},
	{"-o", DRIVER},
	{"-p", PROFILING},
	{"-pedantic", DIAGNOSTICS},
	{"-pie", LINKER},
	{"-pipe", DRIVER},
	{"-r", LINKER},
	{"-save-temps", DRIVER},
	{"-shared", LINKER},
	{"-static", LINKER},
	{"-std", LANGUAGE},
	{"-undef", PREPROCESSOR},
	{"-v", DRIVER},
	{"-w", DIAGNOSTICS},
	{"-x", LANGUAGE},
};

static bool has_prefix(const char *string, const char *prefix)
{
	while (*prefix) {
		if (*string++ != *prefix++)
			return false;
	}
	return true;
}

static bool is_param(const char *flag)
{
	return has_prefix(flag, "--param") && (flag[7] == '=' || !flag[7]);
}

struct kiln_flag_key kiln_flag_key(const char *flag)
{
	struct kiln_flag_key key = {0, flag, 0};

	if (is_param(flag)) {
		key.family = 'p';
		key.name += flag[7] ? 8 : 7;
	} else if (has_prefix(flag, "-f") || has_prefix(flag, "-m")) {
		key.family = flag[1];
		key.name += has_prefix(flag + 2, "no-") ? 5 : 2;
	} else if (kiln_flag_is_extension(flag)) {
		key.family = '+';
		key.name = kiln_extension_name(flag);
	}
	/* GCC adds what -fsanitize=A and -fsanitize=B name. */
	key.length = has_prefix(key.name, "sanitize") ? strlen(key.name) : strcspn(key.name, "=");
	return key;
}

bool kiln_flag_key_equal(const struct kiln_flag_key *a, const struct kiln_flag_key *b)
{
	return a->family == b->family && a->length == b->length &&
	       memcmp(a->name, b->name, a->length) == 0;
}

bool kiln_flag_same_key(const char *flag, const char *other)
{
	struct kiln_flag_key a = kiln_flag_key(flag), b = kiln_flag_key(other);

	return kiln_flag_key_equal(&a, &b);
}

bool kiln_flag_is_target(const char *flag)
{
	return kiln_flag_is_extension(flag) || (flag[0] == '-' && flag[1] == 'm');
}

static const char *extension_fault(const char *word)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
	const char *name = kiln_extension_name(word);

	if (!*name || name[strspn(name, letters)])
		return "is no extension of a CPU: those are written one by one, +NAME or +noNAME";
	return NULL;
}

static const char *param_fault(const char *flag)
{
	const char *name = flag + 7 + (flag[7] == '=');
	const char *value = strchr(name, '=');

	if (!value || value == name || !value[1])
		return "is incomplete: it is written --param=NAME=VALUE";
	return NULL;
}

const char *kiln_flag_fault(const char *flag)
{
	bool generates_code = (flag[1] == 'f' || flag[1] == 'm') && flag[2];
	const char *rest = flag + 2;
	const char *fault = generates_code ? NULL : "is not a code generation flag";
	size_t nr_families = sizeof(families) / sizeof(families[0]);

	if (is_param(flag))
		return param_fault(flag);
	if (kiln_flag_is_extension(flag))
		return extension_fault(flag);
	if (flag[1] == 'f' && has_prefix(rest, "no-"))
		rest += 3;
	for (const struct family *f = families; f < families + nr_families; f++) {
		if (f->prefix[1] != flag[1])
			continue;
		if (has_prefix(rest, f->prefix + 2))
			fault = f->fault;
	}
	return fault;
}
