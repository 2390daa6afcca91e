// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli.h"

#include "kiln/glob.h"

static bool glob_holds(const char *glob, const char *text)
{
	return text && kiln_glob_match(glob, text);
}

static bool place_holds(const struct kiln_place *place, const struct kiln_unit *unit,
			const struct kiln_function *function)
{
	switch (place->kind) {
	case KILN_ON:
		return unit->arch && kiln_arch_matches(unit->arch, place->glob);
	case KILN_FILE:
		return glob_holds(place->glob, unit->source) ||
		       glob_holds(place->glob, unit->object) ||
		       (function && glob_holds(place->glob, function->file));
	case KILN_FUNC:
		return function && glob_holds(place->glob, function->name);
	case KILN_SECTION:
		return function && glob_holds(place->glob, function->section);
	case KILN_CALL:
		return function != NULL;
	case KILN_ALL:
		break;
	}
	return true;
}

bool cli_rule_matches(const struct kiln_rule *rule, const struct kiln_unit *unit,
		      const struct kiln_function *function)
{
	for (unsigned i = 0; i < rule->nr_places; i++) {
		if (!place_holds(&rule->places[i], unit, function))
			return false;
	}
	return true;
}
