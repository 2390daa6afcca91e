# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154
#
# A kernel tree in miniature, for the tests of `kiln make`; sourced after kiln.sh.
# Its Makefile does what kbuild does: KCFLAGS, O=, M=, a .NAME.o.cmd beside each
# object, and a compile where a prerequisite or the command line has changed.

PLUGIN_CC=${PLUGIN_CC:-gcc}

# What a caller's make, or shell, has said must not get into the builds.
unset MAKEFLAGS MFLAGS MAKELEVEL KCFLAGS KRUSTFLAGS KBUILD_OUTPUT ARCH CROSS_COMPILE LLVM CC O M
unset SOURCE_DATE_EPOCH CCACHE_EXTRAFILES CCACHE_PREFIX DISTCC_HOSTS ICECC_EXTRAFILES ICECC_VERSION
unset SCCACHE_C_CUSTOM_CACHE_BUSTER

make_tree() {	# DIRECTORY
	mkdir -p "$1/include/linux" "$1/fs" "$1/net" "$1/kernel"
	: >"$1/include/linux/kconfig.h"
	cat >"$1/include/linux/util.h" <<-'END'
	static inline int util_add(int *p, int x) { return p[x] + p[x + 1] * x; }
	static inline int util_mul(int *p, int x) { return p[x] * p[x + 2]; }
	END
	cat >"$1/fs/open.c" <<-'END'
	#include <linux/util.h>
	static int step(int *p, int x) { return p[x] ? p[x] * 3 : x; }
	int do_open(int *p, int x) { return step(p, x) + util_add(p, x); }
	int do_close(int *p) { return p[0]; }
	END
	cat >"$1/fs/read.c" <<-'END'
	int do_read(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
	END
	cat >"$1/net/sock.c" <<-'END'
	#include <linux/util.h>
	int sock_send(int *p, int x) { return util_mul(p, x) + util_add(p, x + 1); }
	int sock_all(int *p, int x) { return sock_send(p, x) + sock_send(p, x + 7); }
	END
	cat >"$1/net/tcp.c" <<-'END'
	extern int sock_send(int *, int);
	int tcp_ack(int *p, int x) { return sock_send(p, x) + x; }
	__attribute__((section(".early.text"))) int tcp_early(int x) { return x * 5; }
	END
	echo 'int net_data = 3;' >"$1/net/data.c"
	echo 'void bounds(void) { asm volatile(".ascii \"->X %0\"" : : "i" (7)); }' >"$1/kernel/bounds.c"
	cat >"$1/Makefile" <<-'END'
	MAKEFLAGS += -rR
	O ?= $(KBUILD_OUTPUT)
	this := $(realpath $(lastword $(MAKEFILE_LIST)))
	ifneq ($(if $(inside),,$(O)),)
	%:: ; @mkdir -p $(O) && $(MAKE) --no-print-directory -C $(O) -f $(this) inside=1 $@
	all: ; @mkdir -p $(O) && $(MAKE) --no-print-directory -C $(O) -f $(this) inside=1 $@
	Makefile: ;
	else
	srctree := $(if $(inside),$(dir $(this)),./)
	obj := $(if $(M),$(M)/)
	src := $(if $(M),$(M)/,$(srctree))
	CC = $(CROSS_COMPILE)gcc
	units := $(if $(M),hello.o,kernel/bounds.s fs/open.o fs/read.o net/sock.o net/tcp.o net/data.o $(EXTRA))
	targets := $(addprefix $(obj),$(units))

	comma := ,
	pound := \#
	dot = $(dir $@).$(notdir $@)
	cmd = $(CC) -Wp$(comma)-MMD$(comma)$(dot).d -O2 -I$(srctree)include \
		-include $(srctree)include/linux/kconfig.h $(KCFLAGS) $(if $(filter %.s,$@),-S,-c) -o $@ $<
	changed = $(subst x$(strip $(cmd)),,x$(strip $(cmd_$@)))$(subst x$(strip $(cmd_$@)),,x$(strip $(cmd)))
	saved = $(subst $(pound),$$(pound),$(subst $$,$$$$,$(strip $(cmd))))
	define build =
	@echo '  CC  $@'
	@mkdir -p $(@D)
	$(if $(PAUSE),@sleep $(PAUSE))
	@$(cmd)
	@{ printf '%s\n' 'cmd_$@ := $(subst ','\'',$(saved))'; \
		sed -e 's/^[^ ]*: */ /' -e 's/\\$$//' $(dot).d | tr -d '\n' | sed 's|^|deps_$@ := |'; \
		printf '\n$@: $$(deps_$@)\n$$(deps_$@):\n'; } >$(dot).cmd
	@rm -f $(dot).d
	endef
	rule = $(if $(changed)$(filter-out FORCE,$?),$(build),@:)

	all: $(targets)
	.DELETE_ON_ERROR:
	FORCE:
	help: ; @echo helpful
	clean: ; @rm -f $(targets) $(join $(dir $(targets)),$(patsubst %,.%.cmd,$(notdir $(targets))))
	$(filter %.o,$(targets)): $(obj)%.o: $(src)%.c FORCE ; $(rule)
	$(filter %.s,$(targets)): $(obj)%.s: $(src)%.c FORCE ; $(rule)
	-include $(foreach t,$(wildcard $(targets)),$(dir $(t)).$(notdir $(t)).cmd)
	endif
	END
}

# What make compiled, in one line.
compiled() {
	printf '%s\n' "$out" | sed -n 's/^  CC  //p' | sort | tr '\n' ' ' | sed 's/ $//'
}

every="fs/open.o fs/read.o kernel/bounds.s net/data.o net/sock.o net/tcp.o"

# The bytes of all objects, or records, below a directory, by name.
objects() {
	(cd "$1" && find . -name '*.o' -o -name '*.s' | sort | xargs sha256sum)
}
records() {
	(cd "$1" && find . -name '.*.kiln' | sort | xargs sha256sum)
}
