// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A recorded /proc/cpuinfo: whatever is said of CPUs, each belongs to one type, and the
 * types are sorted and differ.
 */
#include "fuzz.h"

#include "native/native.h"

static const char *const keys[] = {"vendor_id", "cpu family", "model", "stepping", NULL};
static const struct native_arch x86 = {
	.pattern = "x86_64",
	.keys = keys,
	.words_key = "flags",
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct native_machine machine = {0};
	const char *path = fuzz_file(data, size);

	if (native_machine_read(&machine, path, &x86) == CLI_OK) {
		size_t nr_cpus = 0;

		REQUIRE(machine.nr_types);
		for (size_t i = 0; i < machine.nr_types; i++) {
			REQUIRE(machine.types[i].nr_cpus);
			nr_cpus += machine.types[i].nr_cpus;
			for (const char *const *word = native_set_list(&machine.words); *word; word++)
				REQUIRE(native_set_has(&machine.types[i].words, *word));
		}
		REQUIRE(nr_cpus <= size);
	}
	native_machine_release(&machine);
	return 0;
}
