#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# A plugin that was built for another GCC: here the native compiler loads the
# cross compiler's, which has the same version and another configuration.

# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

version=$(gcc -dumpversion)
plugin=$(ls "${GOLDEN_BUILD:-$top/build}"/aarch64-*-"$version"/kiln.so 2>/dev/null)
[ -f "$plugin" ] || skip_all "there is no plugin for the aarch64 cross compiler, version $version"

# Debian makes some of its cross compilers from another snapshot than the native one.
date_of()
{
	sed -n 's/^static char datestamp\[\] = "\(.*\)";/\1/p' \
		"$("$1" -print-file-name=plugin)/include/plugin-version.h"
}
native_date=$(date_of gcc)
cross_date=$(date_of aarch64-linux-gnu-gcc)
if [ "$native_date" = "$cross_date" ]; then
	difference="configuration is '.*target=aarch64.*' and not '.*target=$(uname -m).*'"
else
	difference="date stamp is '$cross_date' and not '$native_date'"
fi

echo 'int f(int x) { return x; }' >unit.c
gcc -O2 -c unit.c -o plain.o

run gcc -O2 -Werror -c unit.c -o unit.o "-fplugin=$plugin" -fplugin-arg-kiln-policy=rfc
status_is 0 "the compile goes on"
is "$(printf '%s\n' "$err" | wc -l)" 1 "one line is said"
like "$err" "^kiln: warning: built for another GCC, whose $difference;" \
	"it names the field that differs and both values"
ok cmp -s unit.o plain.o "the object is the one made without a plugin"

run gcc -O2 -c unit.c -o strict.o "-fplugin=$plugin" -fplugin-arg-kiln-strict
status_is 1 "strict"
like "$err" "^kiln: error: built for another GCC" "strict says why"

# A check that checked nothing must not pass.
run gcc -O2 -c unit.c -o check.o "-fplugin=$plugin" -fplugin-arg-kiln-check
status_is 1 "check"

done_testing
