#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# plugin/gcc/find-compiler: picks the g++ that belongs to the GCC that is extended,
# or says in one sentence what is missing. The compilers here are fakes.

. "$(dirname "$0")/tap.sh"

# fake NAME VERSION BANNER [MACHINE] : a compiler in bin/
fake()
{
	cat >"bin/$1" <<-END
		#!/bin/sh
		case \$* in
		*-dumpversion*) echo $2 ;;
		*-dumpmachine*) echo ${4:-x86_64-linux-gnu} ;;
		*-print-file-name=plugin*) echo $PWD/plugin-$1 ;;
		*--version*) echo "$1 ($3) $2" ;;
		*-E*) grep -q "\$(cat missing-header 2>/dev/null || echo nothing-is-missing)" && exit 1 ;;
		esac
		exit 0
	END
	chmod +x "bin/$1"
	mkdir -p "plugin-$1/include"
	: >"plugin-$1/include/gcc-plugin.h"
}

gcc_banner="Free Software Foundation"

# find VARIABLE=VALUE... : runs it with only the fakes and the system's small tools.
find_compiler()
{
	env -i PATH="$PWD/bin:$PWD/tools" "$@" sh "$top/plugin/gcc/find-compiler"
}

says()
{
	says_pattern=$1
	shift
	find_compiler "$@" >said
	cat said
	grep -Eqx "$says_pattern" said
}

# refused PATTERN VARIABLE=VALUE... : one line, exit status not 0, nothing on stdout.
refused()
{
	refused_pattern=$1
	shift
	fails find_compiler "$@" >out 2>said || return 1
	cat said
	[ ! -s out ] && [ "$(wc -l <said)" = 1 ] && grep -Eq "^kiln: $refused_pattern" said
}

# without FILE COMMAND... : the same while a file is not there.
without()
{
	without_file=$1
	shift
	mv "$without_file" "$without_file.away"
	"$@" && without_status=0 || without_status=1
	mv "$without_file.away" "$without_file"
	return $without_status
}

# without_header NAME COMMAND... : while the compilers do not find a header.
without_header()
{
	echo "$1" >missing-header
	shift
	"$@" && without_status=0 || without_status=1
	rm missing-header
	return $without_status
}

find_compiler_tests()
{
	mkdir bin tools
	for tool in sh cut grep sed cat uname env; do
		ln -s "$(command -v "$tool")" "tools/$tool"
	done
	fake gcc 12 "$gcc_banner"
	fake g++ 12 "$gcc_banner"
	check "the g++ of the same version" says 'PLUGIN_CXX := g\+\+' PLUGIN_CC=gcc
	check "its target" says 'PLUGIN_TARGET := x86' PLUGIN_CC=gcc
	check "it is native" says 'PLUGIN_NATIVE := y' PLUGIN_CC=gcc

	fake gcc-11 11 "$gcc_banner"
	check "no g++ of that version: named with its package" \
		refused "there is no g\\+\\+ 11 for 'gcc-11': apt-get install g\\+\\+-11" PLUGIN_CC=gcc-11
	fake g++-11 11 "$gcc_banner"
	check "the g++ whose name has the version" says 'PLUGIN_CXX := g\+\+-11' PLUGIN_CC=gcc-11
	check "PLUGIN_CXX of another version" \
		refused "PLUGIN_CXX=g\\+\\+-11 is not the g\\+\\+ 12 that belongs to 'gcc'" \
		PLUGIN_CC=gcc PLUGIN_CXX=g++-11
	check "PLUGIN_CXX that is not there" \
		refused "PLUGIN_CXX=nothing is not the g\\+\\+ 12" PLUGIN_CC=gcc PLUGIN_CXX=nothing

	fake clang 14 "clang project"
	fake clang++ 14 "clang project"
	check "clang as the compiler to extend" refused "'clang' is not GCC" PLUGIN_CC=clang
	check "clang++ as PLUGIN_CXX" \
		refused "PLUGIN_CXX=clang\\+\\+ is not the g\\+\\+ 12" PLUGIN_CC=gcc PLUGIN_CXX=clang++
	check "CXX=clang++ does not count" says 'PLUGIN_CXX := g\+\+' PLUGIN_CC=gcc CXX=clang++
	check "no such compiler" refused "there is no compiler 'gcc-99'" PLUGIN_CC=gcc-99

	fake aarch64-linux-gnu-gcc 12 "$gcc_banner" aarch64-linux-gnu
	check "a cross compiler takes the native g++" says 'PLUGIN_CXX := g\+\+' PLUGIN_CC=aarch64-linux-gnu-gcc
	check "a cross compiler's target" says 'PLUGIN_TARGET := aarch64' PLUGIN_CC=aarch64-linux-gnu-gcc
	check "a cross compiler's headers" \
		without plugin-aarch64-linux-gnu-gcc/include/gcc-plugin.h \
		refused ".*apt-get install gcc-12-plugin-dev-aarch64-linux-gnu" PLUGIN_CC=aarch64-linux-gnu-gcc
	fake riscv64-linux-gnu-gcc 12 "$gcc_banner" riscv64-linux-gnu
	check "a target without knowledge of its own" says 'PLUGIN_TARGET := none' PLUGIN_CC=riscv64-linux-gnu-gcc

	check "no plugin headers" without plugin-gcc/include/gcc-plugin.h \
		refused "the plugin headers of 'gcc' are missing: apt-get install gcc-12-plugin-dev" PLUGIN_CC=gcc
	check "no gmp.h" without_header gmp.h \
		refused "gmp.h, .* is missing: apt-get install libgmp-dev" PLUGIN_CC=gcc
	check "no mpfr.h" without_header mpfr.h \
		refused "mpfr.h, .* is missing: apt-get install libmpfr-dev" PLUGIN_CC=gcc
}

in_scratch_directory find_compiler_tests
plan_done
