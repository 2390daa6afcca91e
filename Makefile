# SPDX-License-Identifier: GPL-2.0-or-later
#
# make                      kiln.so for the gcc in PATH, the kiln command
# make PLUGIN_CC=COMPILER   the plugin for another GCC, a cross compiler included
# make help                 everything else
#
# kiln.so at the top belongs to the native compiler; every plugin built lies in
# build/TARGET-VERSION/kiln.so. GCC takes a plugin's name from its file name, so
# the file is called kiln.so everywhere.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
DATADIR ?= $(PREFIX)/share
MANDIR ?= $(DATADIR)/man
DESTDIR ?=

PLUGIN_CC ?= gcc
# The C compiler of the core and the command; a host program, so never PLUGIN_CC.
ifeq ($(origin CC),default)
CC := gcc
endif

ifdef V
Q :=
say = @:
else
Q := @
say = @printf '  %-8s %s\n'
endif

SAN ?=
ifneq ($(SAN),)
san := -san
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=all
endif

host := build/host$(san)
WARN := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings \
	-Wshadow -Wpointer-arith -Wc++-compat -Werror
CFLAGS ?= -O2 -g
core_cflags = -std=c11 $(CFLAGS) $(WARN) $(SANFLAGS) -fPIC -fvisibility=hidden \
	-Iinclude -D_GNU_SOURCE -ffile-prefix-map='$(CURDIR)'=. -MMD -MP

policies := $(sort $(wildcard kbuild/policies/*.policy))
core_src := $(sort $(wildcard plugin/core/*.c))
core_obj := $(core_src:plugin/core/%.c=$(host)/core/%.o) $(host)/core/builtin-table.o
cli_src := $(sort $(wildcard kbuild/cli/*.c kbuild/cli/*/*.c))
cli_obj := $(cli_src:kbuild/cli/%.c=$(host)/cli/%.o) $(host)/cli/page.o
unit_src := $(sort $(wildcard testsuite/unit/check_*.c))
unit_bin := $(unit_src:testsuite/unit/%.c=$(host)/unit/%)

.PHONY: all plugin command workload
all: plugin command workload
command: $(host)/kiln build/tree/files

# ---- core: plain C, no GCC header -----------------------------------------

$(host)/core/%.o: plugin/core/%.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(core_cflags) -c -o $@ $<

$(host)/core/builtin-table.c: plugin/core/make-builtin $(policies)
	@mkdir -p $(@D)
	$(say) GEN $@
	$(Q)sh plugin/core/make-builtin $(policies) > $@.tmp && mv $@.tmp $@

$(host)/core/builtin-table.o: $(host)/core/builtin-table.c
	$(say) CC $<
	$(Q)$(CC) $(core_cflags) -c -o $@ $<

$(host)/libkiln-core.a: $(core_obj)
	$(say) AR $@
	$(Q)rm -f $@ && ar rcsD $@ $^

# ---- command ---------------------------------------------------------------

$(host)/cli/%.o: kbuild/cli/%.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(core_cflags) -c -o $@ $<

# The page of `kiln report --html`.
page := $(addprefix kbuild/cli/report/page/,page.html page.css elements.js data.js summary.js \
	map.js largest.js functions.js calls.js details.js start.js)
$(host)/page.c: kbuild/cli/report/make-page $(page)
	@mkdir -p $(@D)
	$(say) GEN $@
	$(Q)sh kbuild/cli/report/make-page $(page) > $@.tmp && mv $@.tmp $@

$(host)/cli/page.o: $(host)/page.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(core_cflags) -Ikbuild/cli -c -o $@ $<

$(host)/kiln: $(cli_obj) $(host)/libkiln-core.a
	$(say) LINK $@
	$(Q)$(CC) $(CFLAGS) $(SANFLAGS) $(LDFLAGS) -o $@ $^ -lelf -lz -lmpfr -lgmp -lm

# ---- what `kiln integrate` puts into a kernel tree ----------------------------
#
# build/tree, and what is installed of it, is scripts/gcc-plugins/kiln of a kernel. The
# list is what counts: a file that is not in it any more may still lie there.

tree := build/tree
tree_cli := cli.h policy.c say.c $(addprefix make/,file.c make.h refresh.c walk.c)
tree_files := $(sort $(patsubst kbuild/tree/%,%,$(wildcard kbuild/tree/* kbuild/tree/.gitignore)) \
	$(patsubst plugin/core/%,core/%,$(wildcard plugin/core/*.[ch]) plugin/core/make-builtin) \
	$(patsubst plugin/gcc/%,gcc/%,$(wildcard plugin/gcc/*.[ch]) plugin/gcc/kiln.map) \
	$(patsubst kbuild/policies/%,policies/%,$(policies)) \
	$(addprefix cli/,$(tree_cli)) $(wildcard include/kiln/*.h))
tree_version := $(shell sed -n 's/^\#define KILN_VERSION "\(.*\)"/\1/p' include/kiln/base.h)

define copy_to_tree
@mkdir -p $(@D)
@cp $< $@.tmp && chmod 644 $@.tmp && mv $@.tmp $@
endef

$(tree)/core/%: plugin/core/%
	$(copy_to_tree)
$(tree)/gcc/%: plugin/gcc/%
	$(copy_to_tree)
$(tree)/include/%: include/%
	$(copy_to_tree)
$(tree)/policies/%: kbuild/policies/%
	$(copy_to_tree)
$(tree)/cli/%: kbuild/cli/%
	$(copy_to_tree)
$(tree)/%: kbuild/tree/%
	$(copy_to_tree)

# Written anew where it says something else, be it a file less.
tree_list := $(tree_version) $(tree_files)
$(tree)/files: $(addprefix $(tree)/,$(tree_files)) \
		$(if $(filter-out $(subst $() ,|,$(tree_list)),$(subst $() ,|,$(shell cat $(tree)/files 2>/dev/null))),again)
	@printf '%s\n' $(tree_list) > $@.tmp && mv $@.tmp $@
.PHONY: again
again:

# ---- plugin: for the GCC that PLUGIN_CC names --------------------------------

plugin_id := $(shell $(PLUGIN_CC) -dumpmachine 2>/dev/null)-$(shell $(PLUGIN_CC) -dumpversion 2>/dev/null)
plug := build/$(plugin_id)
plugin_src := $(filter-out plugin/gcc/target-%.c,$(sort $(wildcard plugin/gcc/*.c)))
plugin_obj := $(plugin_src:plugin/gcc/%.c=$(plug)/%.o) $(plug)/target.o

# PLUGIN_CXX, PLUGIN_INC and PLUGIN_TARGET, or the reason why there are none.
ifneq ($(filter-out clean help setup unit check-unit check-fuzz check-san command uninstall,\
	$(or $(MAKECMDGOALS),all)),)
$(plug)/gcc.mk: plugin/gcc/find-compiler
	@mkdir -p $(@D)
	@PLUGIN_CC='$(PLUGIN_CC)' PLUGIN_CXX='$(PLUGIN_CXX)' sh $< > $@.tmp && mv $@.tmp $@
include $(plug)/gcc.mk
endif

# Linked by the C compiler: without libstdc++, loading it costs 0.2 ms and not 1.8.
# No run-time type information or exceptions, as GCC itself.
plugin_cxxflags = -std=gnu++14 $(CFLAGS) -fno-rtti -fno-exceptions -fPIC -fvisibility=hidden \
	-Wall -Wextra -Wno-unused-parameter -Wno-literal-suffix -Werror -Iinclude \
	-isystem $(PLUGIN_INC) $(PLUGIN_STUB) -ffile-prefix-map='$(CURDIR)'=. -MMD -MP

plugin: $(plug)/kiln.so
workload: $(plug)/workload

$(plug)/%.o: plugin/gcc/%.c $(plug)/gcc.mk
	$(say) CXX $<
	$(Q)$(PLUGIN_CXX) -x c++ $(plugin_cxxflags) -c -o $@ $<

$(plug)/target.o: plugin/gcc/target-$(PLUGIN_TARGET).c $(plug)/gcc.mk
	$(say) CXX $<
	$(Q)$(PLUGIN_CXX) -x c++ $(plugin_cxxflags) -c -o $@ $<

# The core again, as plain as ever but never with a sanitizer: GCC loads it.
plug_core := $(core_src:plugin/core/%.c=build/host/core/%.o) build/host/core/builtin-table.o
$(plug)/kiln.so: $(plugin_obj) $(plug_core) plugin/gcc/kiln.map
	$(say) LINK $@
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) -Wl,--version-script=plugin/gcc/kiln.map \
		-Wl,-z,now -Wl,--gc-sections -o $@ $(plugin_obj) $(plug_core)
	$(if $(PLUGIN_NATIVE),$(Q)cp -f $@ kiln.so.tmp && mv kiln.so.tmp kiln.so)

# What `kiln experiment count` runs in a guest, where there is nothing else.
$(plug)/workload: kbuild/experiment/workload.c
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(PLUGIN_CC) -std=gnu11 -O2 -Wall -Wextra -Werror -static -o $@ $<

-include $(wildcard $(plug)/*.d)

# ---- unit tests ------------------------------------------------------------

.PHONY: unit
unit: $(unit_bin)

# The allocator is wrapped so that a test can make it fail: testsuite/unit/alloc.h
wrap := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
$(host)/unit/%: testsuite/unit/%.c testsuite/unit/alloc.c $(host)/libkiln-core.a
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(core_cflags) -Itestsuite/unit -o $@ $< testsuite/unit/alloc.c \
		$(unit_obj) $(wrap) $(host)/libkiln-core.a $$(pkg-config --cflags --libs check) \
		$(unit_libs)

# The parts of `kiln keep` that read no file.
keep_obj := $(addprefix $(host)/cli/keep/,mentions.o names.o scan-c.o scan-probes.o scan-shell.o \
	shell-read.o shell-vars.o table.o)
$(host)/unit/check_keep: unit_obj := $(keep_obj)
$(host)/unit/check_keep: $(keep_obj)

# The parts of `kiln diff` that know what belongs together.
diff_obj := $(addprefix $(host)/cli/,diff/config.o diff/report.o diff/sites.o elf-file.o \
	keep/table.o output.o say.o)
$(host)/unit/check_diff: unit_obj := $(diff_obj)
$(host)/unit/check_diff: unit_libs := -lelf -lz
$(host)/unit/check_diff: $(diff_obj)

# The parts of `kiln native` that ask no compiler.
native_obj := $(addprefix $(host)/cli/,native/machine.o native/set.o say.o)
$(host)/unit/check_native: unit_obj := $(native_obj)
$(host)/unit/check_native: $(native_obj)
cpuid_obj := $(native_obj) $(addprefix $(host)/cli/native/,cpuid.o cpuid-bits.o cpu-x86-words.o)
$(host)/unit/check_cpuid: unit_obj := $(cpuid_obj)
$(host)/unit/check_cpuid: $(cpuid_obj)

# What `kiln experiment compare` counts.
ranks_obj := $(host)/cli/experiment/ranks.o
$(host)/unit/check_ranks: unit_obj := $(ranks_obj)
$(host)/unit/check_ranks: unit_libs := -lgmp
$(host)/unit/check_ranks: $(ranks_obj)

-include $(wildcard $(host)/*/*.d $(host)/*/*/*.d)

# ---- fuzzers: libFuzzer, so clang's -----------------------------------------
#
# make check-fuzz FUZZ_RUNS=10000000 is a long run.

FUZZ_CC ?= clang
FUZZ_RUNS ?= 10000
fuzz_src := $(sort $(wildcard testsuite/fuzz/fuzz_*.c))
fuzzers := $(fuzz_src:testsuite/fuzz/%.c=build/fuzz/%)
fuzz_core := $(core_src) build/host/core/builtin-table.c
fuzz_cpu := $(addprefix kbuild/cli/,say.c native/cpuid.c native/cpuid-bits.c native/cpu-x86-words.c \
	native/machine.c native/set.c)
fuzz_samples := $(addprefix kbuild/cli/,say.c keep/table.c $(addprefix experiment/,samples.c programs.c \
	ranks.c verdict.c))
# What a fuzzer needs beside the core.
build/fuzz/fuzz_cpuid build/fuzz/fuzz_cpuinfo: fuzz_more := $(fuzz_cpu)
build/fuzz/fuzz_samples: fuzz_more := $(fuzz_samples) -lgmp

build/fuzz/%: testsuite/fuzz/%.c testsuite/fuzz/fuzz.h $(fuzz_core) $(fuzz_cpu) $(fuzz_samples) \
		$(wildcard include/kiln/*.h kbuild/cli/*.h kbuild/cli/*/*.h plugin/core/*.h)
	@mkdir -p $(@D)
	$(say) FUZZ-CC $<
	$(Q)$(FUZZ_CC) -std=c11 -g -O1 -D_GNU_SOURCE -Iinclude -Ikbuild/cli \
		-fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
		-o $@ $< $(fuzz_core) $(fuzz_more)

# ---- tests -------------------------------------------------------------------
#
# All tests speak TAP and are run by prove (package perl). KILN_CACHE holds
# kernel trees and builds: outside the checkout, safe to delete.

CROSS_CC ?= $(if $(shell command -v aarch64-linux-gnu-gcc),aarch64-linux-gnu-gcc)
JOBS ?= $(shell nproc)
PROVE := prove --exec '' -j$(JOBS)

-include testsuite/selftest/selftest.mk

# What the compilers said, for the tests of the command: testsuite/cli/remember.c
answers := $(patsubst %,build/answers/bin/%,gcc $(notdir $(CROSS_CC)))
$(answers): testsuite/cli/remember.c build/host/libkiln-core.a
	@mkdir -p $(@D)
	$(say) CC $<
	$(Q)$(CC) $(core_cflags) -o $@ $< build/host/libkiln-core.a

.PHONY: cross check check-unit check-fuzz check-san check-cli check-golden check-identity check-torture \
	check-torture-sample check-gcc check-kernel bench
cross:
ifneq ($(CROSS_CC),)
	+$(Q)$(MAKE) --no-print-directory plugin workload PLUGIN_CC=$(CROSS_CC)
endif

check-unit: unit
	$(Q)CK_TAP_LOG_FILE_NAME=- CK_VERBOSITY=silent $(PROVE) $(unit_bin)

can_fuzz = echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' | \
	$(FUZZ_CC) -xc - -fsanitize=fuzzer -o /dev/null 2>/dev/null
check-fuzz:
	+$(Q)if $(can_fuzz); then $(MAKE) --no-print-directory -j$(JOBS) $(fuzzers); fi
	$(Q)FUZZ_RUNS=$(FUZZ_RUNS) $(PROVE) testsuite/fuzz/fuzz.t

# The longest first, so that none is left to run alone in the end.
long_cli_tests := $(wildcard $(patsubst %,testsuite/cli/%.t,make native-cpuid native native-aarch64 \
	kconfig native-qemu rust html diff why report))
cli_tests = $(long_cli_tests) $(filter-out $(long_cli_tests),$(sort $(wildcard testsuite/cli/*.t)))

# Of what reads files that others wrote, and does not mostly run compilers. The unit tests find
# leaks; looking for them takes longer than a run of the command does.
san_tests := $(patsubst %,testsuite/cli/%.t,check check-cc diff explain flags html keep kconfig pack policies \
	replay report usage why)
check-san: $(answers)
	+$(Q)$(MAKE) --no-print-directory -j$(JOBS) SAN=1 unit command
	$(Q)CK_TAP_LOG_FILE_NAME=- CK_VERBOSITY=silent $(PROVE) \
		$(unit_src:testsuite/unit/%.c=build/host-san/unit/%)
	$(Q)ASAN_OPTIONS=detect_leaks=0 KILN=build/host-san/kiln $(PROVE) $(san_tests)

check-cli: all $(answers)
	$(Q)$(PROVE) $(cli_tests)

check-golden: all cross
	$(Q)$(PROVE) $(sort $(wildcard testsuite/golden/*.t)) $(selftests)

check-identity: all cross
	$(Q)testsuite/kernel/run-check --quick --jobs $(JOBS)

# GCC's own tests: all of them at two levels, or with FULL=1 at all; SEED chooses what is left to chance.
check-torture: all
	$(Q)prove --exec '' --comments --failures testsuite/torture/run :: --jobs $(JOBS) $(if $(FULL),--full)

check-torture-sample: all
	$(Q)$(PROVE) testsuite/torture/run :: --jobs $(JOBS) --sample 20

check:
	+$(Q)$(MAKE) --no-print-directory check-unit
	+$(Q)$(MAKE) --no-print-directory check-fuzz
	+$(Q)$(MAKE) --no-print-directory check-san
	+$(Q)$(MAKE) --no-print-directory check-cli
	+$(Q)$(MAKE) --no-print-directory check-golden
	+$(Q)$(MAKE) --no-print-directory check-torture-sample
	+$(Q)$(MAKE) --no-print-directory check-identity

# Every GCC that can be had, or one: GCC=13 make check-gcc. Compilers are unpacked into the cache.
check-gcc:
	$(Q)prove --exec '' --comments --failures testsuite/gcc/check :: $(GCC)

check-kernel: all cross
	$(Q)testsuite/kernel/run-check --jobs $(JOBS) $(if $(FULL),--full)

bench: all
	$(Q)testsuite/bench/run

# ---- a machine to work on ------------------------------------------------------

PACKAGES := gcc g++ make gcc-12-plugin-dev libgmp-dev libmpfr-dev \
	gcc-aarch64-linux-gnu gcc-12-plugin-dev-aarch64-linux-gnu libc6-dev-arm64-cross \
	check pkg-config perl python3 valgrind binutils man-db gcc-12-source \
	linux-source-6.1 linux-source-6.12 debootstrap xz-utils bc bison flex cpio kmod rsync \
	clang libclang-rt-dev chromium chromium-driver \
	ccache distcc icecc libelf-dev libssl-dev dwarves qemu-system-x86 qemu-system-arm qemu-user
sudo := $(if $(filter 0,$(shell id -u)),,sudo)

.PHONY: setup demo
setup:
	$(sudo) apt-get update -q
	$(sudo) env DEBIAN_FRONTEND=noninteractive \
		apt-get install -q -y --no-install-recommends $(PACKAGES)

demo: all
	$(Q)kbuild/demo

# ---- installation ---------------------------------------------------------------

.PHONY: install uninstall
install: all
	install -d "$(DESTDIR)$(BINDIR)" "$(DESTDIR)$(LIBDIR)/kiln/$(plugin_id)" \
		"$(DESTDIR)$(MANDIR)/man1" "$(DESTDIR)$(DATADIR)/kiln/policies"
	install -m 755 build/host/kiln "$(DESTDIR)$(BINDIR)/kiln"
	install -m 755 $(plug)/kiln.so "$(DESTDIR)$(LIBDIR)/kiln/$(plugin_id)/kiln.so"
	install -m 755 $(plug)/workload "$(DESTDIR)$(LIBDIR)/kiln/$(plugin_id)/workload"
	install -m 644 kbuild/cli/kiln.1 "$(DESTDIR)$(MANDIR)/man1/kiln.1"
	install -m 644 $(policies) "$(DESTDIR)$(DATADIR)/kiln/policies"
	for file in files $(tree_files); do \
		install -D -m 644 "$(tree)/$$file" "$(DESTDIR)$(DATADIR)/kiln/tree/$$file" || exit; \
	done

uninstall:
	rm -f "$(DESTDIR)$(BINDIR)/kiln" "$(DESTDIR)$(MANDIR)/man1/kiln.1"
	rm -rf "$(DESTDIR)$(LIBDIR)/kiln" "$(DESTDIR)$(DATADIR)/kiln"

.PHONY: clean help
clean:
	rm -rf build kiln.so kiln.so.tmp

help:
	@echo 'make                 kiln.so for the gcc in PATH, and the kiln command'
	@echo 'make PLUGIN_CC=CC    the plugin for another GCC, into build/TARGET-VERSION'
	@echo 'make setup           install what building and testing need (Debian 12, root or sudo)'
	@echo 'make demo            compile real kernel files with and without Kiln'
	@echo 'make check           unit, command, compiler tests and a sample of a real kernel'
	@echo 'make check-fuzz      the fuzzers for a moment (FUZZ_RUNS=10000000: for hours)'
	@echo 'make check-torture   GCC'\''s own gcc.c-torture under eight policies (hours; FULL=1: at all levels)'
	@echo 'make check-gcc       GCC 10 to 16, native and cross, as far as they can be had (GCC=13: one)'
	@echo 'make check-kernel    real kernels: byte identity, and boots with the ftrace selftests (FULL=1: all)'
	@echo 'make bench           what the plugin costs a compile'
	@echo 'make install         PREFIX=/usr/local DESTDIR='
	@echo 'make SAN=1 ...       core and command under ASan and UBSan'
	@echo 'make V=1 ...         show the commands'
