// SPDX-License-Identifier: GPL-2.0-or-later
#include "kiln/cpu.h"

#include <string.h>

#include "banned.h"

static const char *value_after(const char *flag, const char *prefix)
{
	size_t length = strlen(prefix);

	return strncmp(flag, prefix, length) == 0 ? flag + length : NULL;
}

bool kiln_flag_is_native(const char *flag)
{
	static const char *const prefixes[] = {"-march=native", "-mcpu=native", "-mtune=native"};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		const char *rest = value_after(flag, prefixes[i]);

		if (rest && (!*rest || *rest == '+'))
			return true;
	}
	return false;
}

bool kiln_flag_is_extension(const char *flag)
{
	return flag[0] == '+';
}

bool kiln_extension_is_negative(const char *word)
{
	return value_after(word, "+no") != NULL;
}

const char *kiln_extension_name(const char *word)
{
	return word + (kiln_extension_is_negative(word) ? 3 : 1);
}

int kiln_flag_extension_rank(const char *flag)
{
	if (value_after(flag, "-march="))
		return 2;
	return value_after(flag, "-mcpu=") ? 1 : 0;
}
