// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What `cpuid -r` printed: a CPU does not have a feature and lack it.
 */
#include "fuzz.h"

#include "native/native.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct native_machine machine = {0};
	const char *path = fuzz_file(data, size);

	if (native_cpuid_read(&machine, path) == CLI_OK) {
		REQUIRE(machine.nr_types);
		for (size_t i = 0; i < machine.nr_types; i++) {
			const struct native_core *core = &machine.types[i];

			for (const char *const *word = native_set_list(&core->words); *word; word++)
				REQUIRE(!native_set_has(&core->lacking, *word));
		}
	}
	native_machine_release(&machine);
	return 0;
}
