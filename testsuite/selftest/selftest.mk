# SPDX-License-Identifier: GPL-2.0-or-later
#
# A plugin that tests plugin/gcc from inside cc1: the plugin's own objects with another
# plugin_init. Included by the top Makefile, after plug_core.

selftests := testsuite/selftest/selftest.t

.PHONY: selftest cross-selftest
selftest: $(plug)/selftest.so

cross-selftest:
ifneq ($(CROSS_CC),)
	+$(Q)$(MAKE) --no-print-directory selftest PLUGIN_CC=$(CROSS_CC)
endif

check-golden: selftest cross-selftest

selftest_obj := $(plug)/selftest.o $(filter-out $(plug)/plugin.o,$(plugin_obj))

$(plug)/selftest.o: testsuite/selftest/selftest.c $(plug)/gcc.mk
	$(say) CXX $<
	$(Q)$(PLUGIN_CXX) -x c++ $(plugin_cxxflags) -Iplugin/gcc -c -o $@ $<

$(plug)/selftest.so: $(selftest_obj) $(plug_core) plugin/gcc/kiln.map
	$(say) LINK $@
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) -Wl,--version-script=plugin/gcc/kiln.map \
		-Wl,-z,now -o $@ $(selftest_obj) $(plug_core)
