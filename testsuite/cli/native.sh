# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2034,SC2154
#
# What the tests of `kiln native` share; sourced after kiln.sh.

cpuinfo=$top/testsuite/cli/cpuinfo
unset SOURCE_DATE_EPOCH GCC_CPUINFO

# The compilers themselves, for who runs them elsewhere than here.
gcc=$(command -v gcc)
# In PATH they stand behind remember.c, which make check-cli builds; the tests need it for
# nothing but speed.
if [ -x "$top/build/answers/bin/gcc" ]; then
	PATH=$top/build/answers/bin:$PATH
	KILN_ANSWERS=$top/build/answers
	export PATH KILN_ANSWERS
fi

rules() {	# what a lock sets, without the comments
	printf '%s\n' "$out" | sed -n 's/^on [^	]*	\([^	]*\).*/\1/p'
}

flags() {	# LOCK: its flags, on one line
	"$KILN" flags --arch="${arch:-x86_64}" --quiet "$1"
}

# The enabled -m flags of "GCC -Q --help=target", as a list, sorted. Tuning is left out.
enabled() {	# COMMAND ARG...
	"$@" -mtune=generic -Q --help=target 2>/dev/null |
		sed -n '/^  -mno-/d; s/^  -m\([^ 	]*\)[ 	]*\[enabled\]$/\1/p' | sort
}

minus() {	# LIST LIST
	printf '%s\n' "$2" >minus.list
	printf '%s\n' "$1" | grep -vxF -f minus.list
}

# GCC's features as /proc/cpuinfo has them; what it has under the same name needs no line.
kernel_words() {
	sed 's/^sse3$/pni/; s/^bmi$/bmi1/; s/^lzcnt$/abm/; s/^pclmul$/pclmulqdq/
		s/^prfchw$/3dnowprefetch/; s/^rdrnd$/rdrand/; s/^sahf$/lahf_lm/; s/^sha$/sha_ni/
		s/^3dnowa$/3dnowext/; s/[.-]/_/g' | sort -u | tr '\n' ' '
}

# A /proc/cpuinfo with one x86 CPU after another: LIST of features each.
make_cpuinfo() {
	number=0
	for list in "$@"; do
		printf 'processor\t: %d\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n' $number
		printf 'model\t\t: 1\nmodel name\t: made up\nstepping\t: 1\nflags\t\t: fpu lm %s\n\n' \
			"$(printf '%s\n' "$list" | kernel_words)"
		number=$((number + 1))
	done
}

# Runs a command where /proc/cpuinfo is FILE; root only.
with_cpuinfo() {	# FILE COMMAND ARG...
	# shellcheck disable=SC2016
	unshare -m sh -c 'mount --bind "$0" /proc/cpuinfo && exec "$@"' "$@"
}

can_mount() {
	: >empty
	with_cpuinfo empty true 2>/dev/null
}
