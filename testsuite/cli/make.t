#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=make.sh
. "$top/testsuite/cli/make.sh"

# A build with a policy, that compiles again what an edit of the policy concerns.

command -v "$PLUGIN_CC" >/dev/null || skip_all "no $PLUGIN_CC"
plugin=$top/build/$("$PLUGIN_CC" -dumpmachine)-$("$PLUGIN_CC" -dumpversion)/kiln.so
[ -f "$plugin" ] || skip_all "no plugin for $PLUGIN_CC: make PLUGIN_CC=$PLUGIN_CC"
export KILN_PLUGIN="$plugin"

make_tree t
here=$PWD
cc=CC=$PLUGIN_CC

# All builds below are in o/ with p.policy, unless they say otherwise.
kmake() {	# [MAKE-ARGUMENT...]
	run "$KILN" make ./p.policy -- -C t O=../o "$cc" "$@"
}

# What is compiled again, and nothing else, once the policy is the text.
edit() {	# WANTED-OBJECTS NAME; the policy on stdin
	cat >p.policy
	kmake
	status_is 0 "$2"
	is "$(compiled)" "$1" "$2: compiled again"
}

# Every object is that of a build from the start.
like_fresh() {	# NAME
	rm -rf fresh
	"$KILN" make --quiet ./p.policy -- -C t O=../fresh "$cc" >/dev/null 2>&1
	is "$(objects o)" "$(objects fresh)" "$1: the objects of a fresh build"
	is "$(records o)" "$(records fresh)" "$1: the records of a fresh build"
}

# ---- edits of the policy

edit "$every" "first build" <<'END'
all --param=max-inline-insns-auto=15
END
is "$(sed '/^decisions$/q' o/fs/.read.o.kiln)" "kiln-record${tab}2
unit${tab}fs/read.c${tab}fs/read.o$(tail -n +2 o/fs/.read.o.kiln | sed -n '1s/.*	/	/p')
verdict${tab}0${tab}--param=max-inline-insns-auto=15
function${tab}do_read
decisions" "a record"
is "$(cd o && find . -name '.*.kiln' | sort | tr '\n' ' ')" \
	"./fs/.open.o.kiln ./fs/.read.o.kiln ./kernel/.bounds.o.kiln ./net/.data.o.kiln \
./net/.sock.o.kiln ./net/.tcp.o.kiln " "one of each unit"
like "$err" "^kiln: note: 6 units, 12 functions: 0 with settings of their own, 0 kept, 0 left alone$" \
	"the summary counts"
edit "" "the same policy" <<'END'
all --param=max-inline-insns-auto=15
END
edit "" "a comment, blanks, an empty line" <<'END'
# Fifteen.

	all   --param=max-inline-insns-auto=15   # insns
END
edit "fs/read.o" "a rule for a file" <<'END'
all --param=max-inline-insns-auto=15
file fs/read.c -fno-tree-vectorize
END
like_fresh "a rule for a file"
edit "fs/open.o fs/read.o" "a rule for a directory" <<'END'
all --param=max-inline-insns-auto=15
file fs/** -fno-gcse
END
edit "fs/open.o fs/read.o net/sock.o" "a rule that is gone, and one for a function" <<'END'
all --param=max-inline-insns-auto=15
func sock_send -fno-gcse
END
like_fresh "a rule that is gone"
edit "" "other lines, of the same meaning" <<'END'
func sock_send -fno-gcse
file include/nothing/** -fno-gcse
all --param=max-inline-insns-auto=15
END
edit "fs/open.o net/sock.o" "a static function that is inlined away" <<'END'
all --param=max-inline-insns-auto=15
func step noinline
END
like_fresh "a static function that is inlined away"
edit "" "keep of a name that nothing has" <<'END'
all --param=max-inline-insns-auto=15
func step noinline
func nothing_has_this keep
END
like "$err" "p\.policy:3: note: this rule held for nothing that was built" "which the summary tells"
unlike "$err" "p\.policy:[12]:" "and of no other rule"
edit "fs/open.o net/sock.o" "a header's functions, in the units that use them" <<'END'
all --param=max-inline-insns-auto=15
file include/** --param=max-inline-insns-auto=14
func step noinline
END
edit "net/sock.o" "one function of a header" <<'END'
all --param=max-inline-insns-auto=15
file include/** --param=max-inline-insns-auto=14
func step noinline
func util_mul -fno-gcse
END
like_fresh "one function of a header"
edit "net/tcp.o" "a section" <<'END'
all --param=max-inline-insns-auto=15
file include/** --param=max-inline-insns-auto=14
func step noinline
func util_mul -fno-gcse
section .early.text -fno-ivopts
END
edit "$every" "a rule for all" <<'END'
all --param=max-inline-insns-auto=16
file include/** --param=max-inline-insns-auto=14
func step noinline
func util_mul -fno-gcse
section .early.text -fno-ivopts
END
edit "net/tcp.o" "a unit is left alone, which has it as before but for one function" <<'END'
all --param=max-inline-insns-auto=16
file include/** --param=max-inline-insns-auto=14
func step noinline
func util_mul -fno-gcse
section .early.text leave
END
edit "net/tcp.o" "the same function is left alone by its name, and less with it" <<'END'
all --param=max-inline-insns-auto=16
file include/** --param=max-inline-insns-auto=14
func step noinline
func util_mul -fno-gcse
func tcp_early leave
END
like_fresh "left alone"
edit "kernel/bounds.s" "an assembly file" <<'END'
all --param=max-inline-insns-auto=16
file include/** --param=max-inline-insns-auto=14
func step noinline
func util_mul -fno-gcse
func tcp_early leave
file kernel/bounds.c -fno-gcse
END
edit "kernel/bounds.s net/data.o" "the objects by their names" <<'END'
all --param=max-inline-insns-auto=16
file include/** --param=max-inline-insns-auto=14
func step noinline
func util_mul -fno-gcse
func tcp_early leave
file net/data.o -fno-gcse
END
edit "$every" "three params" <<'END'
all --param=max-inline-insns-auto=16 --param=early-inlining-insns=7 --param=inline-min-speedup=20
END
edit "" "three params in another order" <<'END'
all --param=early-inlining-insns=7
all --param=inline-min-speedup=20 --param=max-inline-insns-auto=16
END
edit "$every" "an empty policy" </dev/null
like_fresh "an empty policy"

# ---- other ways to say the same, and back and forth

echo 'func do_read keep' >p.policy
kmake
is "$(compiled)" "fs/read.o" "keep of one function"
like "$err" " 1 kept," "it is counted"
cp p.policy q.policy
run "$KILN" make ./q.policy -- -C t O=../o "$cc"
is "$(compiled)" "" "a policy of another name with the same content"
printf 'include ./q.policy\n' >r.policy
run "$KILN" make ./r.policy -- -C t O=../o "$cc"
is "$(compiled)" "" "a policy that includes it"
printf 'func do_open keep\n' >q.policy
run "$KILN" make ./p.policy ./q.policy -- -C t O=../o "$cc"
is "$(compiled)" "fs/open.o" "a second policy"
like "$err" " 2 kept," "both are counted"
run "$KILN" make ./q.policy ./p.policy -- -C t O=../o "$cc"
is "$(compiled)" "" "the other way round"
run "$KILN" make ./q.policy -- -C t O=../o "$cc"
is "$(compiled)" "fs/read.o" "without the first"
kmake
is "$(compiled)" "fs/open.o fs/read.o" "and back"
mkdir 'a "dir"' && printf 'func do_read keep\n' >"a \"dir\"/it's \$(x).policy"
run "$KILN" make "a \"dir\"/it's \$(x).policy" -- -C t O=../o "$cc"
status_is 0 "a policy in a path with blanks and quotes"
is "$(compiled)" "" "which says the same"
run "$KILN" make 'default' -- -C t O=../o "$cc"
is "$(compiled)" "$every" "a built-in policy"
run "$KILN" make -- -C t O=../o "$cc"
is "$(compiled)" "" "which is the default"
like "$err" "[0-9] rules of built-in policies held for nothing" "its rules are counted, not listed"
ln -s a.policy link.policy && echo 'func do_read keep' >a.policy && echo 'func do_open keep' >b.policy
run "$KILN" make ./link.policy -- -C t O=../o "$cc"
is "$(compiled)" "$every" "a policy through a link"
ln -sf b.policy link.policy
run "$KILN" make ./link.policy -- -C t O=../o "$cc"
is "$(compiled)" "fs/open.o fs/read.o" "the link leads to another"

# ---- rules for another architecture

case $("$PLUGIN_CC" -dumpmachine) in
aarch64*) other=x86_64 ;;
*) other=aarch64 ;;
esac
printf 'func do_read keep\non %s func do_read -fno-gcse\non %s func dooo_read keep\n' $other $other >p.policy
kmake
lacks "$err" "held for nothing" "rules for another architecture are not told of"

# ---- records that are lost or spoilt

echo 'func do_read keep' >p.policy
kmake
spoilt() {	# WANTED-OBJECTS WHAT, once something was done to a record
	kmake
	status_is 0 "$2"
	is "$(compiled)" "$1" "$2: compiled again"
	kmake
	is "$(compiled)" "" "$2: once"
	like_fresh "$2"
}
rm o/fs/.open.o.kiln
spoilt "fs/open.o" "a lost record"
like "$(rm o/fs/.open.o.kiln; kmake; echo "$err")" "the records of 1 units are missing" "it is told"
head -c 40 o/fs/.open.o.kiln >shortened && cp shortened o/fs/.open.o.kiln
spoilt "fs/open.o" "a cut record"
sed '$d' o/fs/.open.o.kiln >shortened && cp shortened o/fs/.open.o.kiln
spoilt "fs/open.o" "a record without its last line"
: >o/fs/.open.o.kiln
spoilt "fs/open.o" "an empty record"
sed 's/^kiln-record	2/kiln-record	1/' o/fs/.open.o.kiln >shortened && cp shortened o/fs/.open.o.kiln
spoilt "fs/open.o" "a record of another version"
cp o/fs/.open.o.kiln victim && rm o/fs/.open.o.kiln && ln -s "$here/victim" o/fs/.open.o.kiln
echo precious >>victim && cp victim victim.before
spoilt "fs/open.o" "a record that is a link"
ok cmp -s victim victim.before "what the link led to is not touched"
ok test ! -L o/fs/.open.o.kiln "the link is gone"
ln -s "$here/victim" o/fs/.open.o.kiln.tmp && rm o/fs/open.o
spoilt "fs/open.o" "a link where the record is made"
ok cmp -s victim victim.before "it is not written through"
mkfifo o/fs/.open.o.kiln.tmp && rm o/fs/open.o
spoilt "fs/open.o" "a pipe where the record is made"
rm o/fs/.open.o.kiln && mkfifo o/fs/.open.o.kiln
spoilt "fs/open.o" "a record that is a pipe"
rm o/fs/.open.o.kiln && mkdir o/fs/.open.o.kiln
kmake
status_is 0 "a directory in the record's place: the build goes on"
is "$(compiled)" "fs/open.o" "a directory in the record's place: compiled again"
rmdir o/fs/.open.o.kiln
spoilt "fs/open.o" "the directory is gone"
mkdir -p o/fs/.open.o.kiln.tmp/x && rm o/fs/open.o
kmake
status_is 0 "a record that cannot be written: the build goes on"
ok test ! -e o/fs/.open.o.kiln "and there is no record"
rm -r o/fs/.open.o.kiln.tmp
spoilt "fs/open.o" "it can be written again"

# A record without its object says nothing of what is built.
kmake clean
status_is 0 "make clean"
lacks "$err" "units" "make clean: what is gone is not counted"
kmake fs/open.o
is "$(compiled)" "fs/open.o" "after make clean: one object"
like "$err" "note: 1 units, 4 functions" "what is gone is not counted"
is "$(cd o && find . -name '.*.kiln')" "./fs/.open.o.kiln" "nor kept"
kmake
like "$err" "note: 6 units" "and all of them again"
lacks "$err" "missing" "nothing was missing"

# ---- a disk that is full, a directory that is not ours

mkdir small
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=64k tmpfs small 2>/dev/null; then
	trap 'umount "$here/small"; tap_cleanup' EXIT
	mkdir small/o
	i=0
	while head -c 4096 /dev/zero >small/fill.$i 2>/dev/null && [ -s small/fill.$i ]; do i=$((i + 1)); done
	printf 'int f(void) { return 1; }\n' >f.c
	echo '# none' >none.policy
	ln -sf "$here/f.o" small/o/f.o
	run "$PLUGIN_CC" -O2 -fplugin="$plugin" -fplugin-arg-kiln-policy=./none.policy \
		-fplugin-arg-kiln-record -c f.c -o small/o/f.o
	is "$(cd small/o && echo .*.kiln*)" ".*.kiln*" "a full disk: no part of a record"
	with_record=$status
	rm f.o
	run "$PLUGIN_CC" -O2 -c f.c -o small/o/f.o
	is "$with_record" "$status" "a full disk: the compile ends as without a record"
	rm small/fill.*
	run "$PLUGIN_CC" -O2 -fplugin="$plugin" -fplugin-arg-kiln-policy=./none.policy \
		-fplugin-arg-kiln-record -c f.c -o small/o/f.o
	ok test -s small/o/.f.o.kiln "with room again: a record"
	mount -o remount,ro small
	run "$KILN" make ./p.policy -- -C t O="$here/small/o" "$cc"
	status_is 2 "a directory that cannot be written"
	like "$err" "'$here/small/o/\.kiln\.policy' cannot be written: Read-only" "it is told"
	is "$out" "" "and nothing is built"
	umount small
	trap tap_cleanup EXIT
else
	skip "a full disk" "no tmpfs can be mounted"
	skip "a directory that cannot be written" "no tmpfs can be mounted"
fi

# ---- a tree with Kiln in it

mkdir integrated && echo CONFIG_GCC_PLUGIN_KILN=y >integrated/.config
run "$KILN" make ./p.policy -- -C t O=../integrated "$cc"
status_is 2 "a kernel that has Kiln in it"
like "$err" "^kiln: error: '$here/integrated/\.config' has CONFIG_GCC_PLUGIN_KILN=y: " "it is told"
is "$(ls -A integrated)$out" ".config" "and nothing is built"

# ---- what makes no object makes no record

mkdir e && echo 'int f(void) { return 1; }' >e/f.c && echo 'int g(void) { return h }' >e/g.c
for how in -E -fsyntax-only "-S -O2 -x assembler-with-cpp"; do
	# shellcheck disable=SC2086
	run "$PLUGIN_CC" -fplugin="$plugin" -fplugin-arg-kiln-record $how e/f.c -o e/f.i
	is "$(ls -A e)" "$(ls e)" "$how: no record"
done
run "$PLUGIN_CC" -fplugin="$plugin" -fplugin-arg-kiln-record -c e/g.c -o e/g.o
is "$status $(ls -A e)" "1 $(ls e)" "a mistake in the source: no record"
run "$PLUGIN_CC" -fplugin="$plugin" -fplugin-arg-kiln-record -c e/f.c -o e/f.o
ok test -s e/.f.o.kiln "an object: a record"

# ---- the arguments of make

run "$KILN" make ./p.policy -- -C t O=../o "$cc" fs/open.o KCFLAGS=-DUSERS="'a b'"
is "$(compiled)" "fs/open.o" "KCFLAGS of the user: compiled"
like "$(head -1 o/fs/.open.o.cmd)" "-DUSERS='a b' .*-fplugin=" "KCFLAGS of the user are kept"
KCFLAGS=-DENVIRONS=1 run "$KILN" make ./p.policy -- -C t O=../o "$cc" fs/open.o
like "$(head -1 o/fs/.open.o.cmd)" "-DENVIRONS=1 .*-fplugin=" "those of the environment too"
KCFLAGS=-DENVIRONS=1 run "$KILN" make ./p.policy -- -C t O=../o "$cc" fs/open.o KCFLAGS=-DUSERS=1
unlike "$(head -1 o/fs/.open.o.cmd)" "ENVIRONS" "an argument wins over the environment"
run "$KILN" make ./p.policy -- -C t O=../o "$cc" fs/open.o KCFLAGS:=-DCOLON=1
like "$(head -1 o/fs/.open.o.cmd)" "-DCOLON=1 .*-fplugin=" "KCFLAGS:= is understood"
run "$KILN" make ./p.policy -- -C t O=../o "$cc" fs/open.o KCFLAGS+=-DPLUS=1
status_is 2 "KCFLAGS+= is refused"
has "$err" "'KCFLAGS+=-DPLUS=1'" "and named"
kmake
run "$KILN" make ./p.policy -- --directory=t O=../o "$cc"
is "$(compiled)" "" "--directory=t is -C t"
run "$KILN" make ./p.policy -- --directory t O=../o "$cc"
is "$(compiled)" "" "--directory t is -C t"
run "$KILN" make ./p.policy -- -Ct O=../o "$cc"
is "$(compiled)" "" "-Ct is -C t"
run "$KILN" make ./p.policy -- -C t/fs -C .. O=../o "$cc"
is "$(compiled)" "" "-C t/fs -C .. is -C t"
run "$KILN" make ./p.policy -- -C fs -C "$here/t" O=../o "$cc"
status_is 2 "-C fs -C $here/t: make has no fs"
run "$KILN" make ./p.policy -- -C t O="$here/o" "$cc"
is "$(compiled)" "" "O= is absolute"
ln -s o o-link
echo precious >victim && ln -s "$here/victim" o/.kiln.policy.tmp && rm o/.kiln.policy
kmake
is "$(compiled)" "" "the file of the policies is gone: nothing is compiled"
is "$(cat victim)" "precious" "a link where it is made is not written through"
run "$KILN" make ./p.policy -- -C t O=../o-link "$cc"
is "$(compiled)" "" "O= is a link"
KBUILD_OUTPUT=../o run "$KILN" make ./p.policy -- -C t "$cc"
is "$(compiled)" "" "KBUILD_OUTPUT"
run sh -c 'cd t && exec "$@"' sh "$KILN" make ../p.policy -- O=../o "$cc"
is "$(compiled)" "" "without -C"
run "$KILN" make ./p.policy -- -C t O=../new/o "$cc" -j2
is "$(compiled)" "$every" "O= that is not there yet, -j2"
is "$(objects new/o)" "$(objects o)" "the same objects by -j2 as by -j1"
is "$(records new/o)" "$(records o)" "the same records"
cp -r t t2
run "$KILN" make ./p.policy -- -C t2 "$cc" -j2
is "$(compiled)" "$every" "in the tree"
is "$(records t2)" "$(records o)" "the same records of another tree at another path"
run "$KILN" make ./p.policy -- -C t2 "$cc"
is "$(compiled)" "" "in the tree, again"
echo 'func do_open keep' >q.policy
run "$KILN" make ./q.policy -- -C t2 "$cc"
is "$(compiled)" "fs/open.o fs/read.o" "in the tree, another policy"
mkdir t2/o && : >t2/o/.config
run "$KILN" make ./p.policy -- -C t2 O=o "$cc"
rm t2/net/.tcp.o.kiln
run "$KILN" make ./q.policy -- -C t2 "$cc"
is "$(compiled)" "net/tcp.o" "in the tree, with an O= directory in it"
run "$KILN" make ./p.policy -- -C t2 O=o "$cc"
is "$(compiled)" "" "which is another build"

run "$KILN" make ./p.policy -- -C t O=../o "$cc" help
status_is 0 "make help"
is "$(echo "$out" | grep -c helpful)" 1 "is what make is asked for"
run "$KILN" make ./p.policy -- -C t O=../o "$cc" nonsense
status_is 2 "make fails"
lacks "$err" "units" "without a summary"
echo 'int bad(' >t/fs/bad.c
run "$KILN" make ./p.policy -- -C t O=../o "$cc" EXTRA=fs/bad.o -j2
status_is 2 "a compile fails"
ok test ! -e o/fs/.bad.o.kiln "without a record"
run "$KILN" make ./p.policy -- -C t O=../o "$cc" -n
is "$(compiled)" "" "make -n"
echo 'void' >t/fs/empty.c; : >t/fs/empty.c
kmake EXTRA=fs/empty.o
is "$(compiled)" "fs/empty.o" "an empty unit"
kmake EXTRA=fs/empty.o
is "$(compiled)" "" "it has a record"
echo 'func do_read noinline' >p.policy
kmake -n
like "$out" "CC  fs/read.o" "make -n tells what would be compiled"
echo 'func do_read keep' >p.policy
kmake

# ---- modules outside of the tree

mkdir -p mods/hello
echo 'static int twice(int x) { return 2 * x; } int hello(int x) { return twice(x); }' >mods/hello/hello.c
mod() {	# POLICY-LINE
	echo "$1" >m.policy
	run "$KILN" make ./m.policy -- -C t O=../o M="$here/mods/hello" "$cc"
	status_is 0 "a module, $1"
}
mod 'all -fno-gcse'
is "$(compiled)" "$here/mods/hello/hello.o" "a module: compiled"
ok test -s mods/hello/.hello.o.kiln "a module: its record"
mod 'all -fno-gcse'
is "$(compiled)" "" "a module: nothing to do"
mod 'file **/hello/*.c -fno-gcse'
is "$(compiled)" "" "a module: the same by its file"
echo 'all -fno-gcse' >m.policy
run sh -c 'cd t && exec "$@"' sh "$KILN" make ../m.policy -- M=../mods/hello "$cc" clean
run sh -c 'cd t && exec "$@"' sh "$KILN" make ../m.policy -- M=../mods/hello "$cc"
is "$(compiled)" "../mods/hello/hello.o" "a module: a relative M="
like "$err" "note: 1 units" "a module: its records are found"
mod 'func twice noinline'
is "$(compiled)" "$here/mods/hello/hello.o" "a module: another policy"
kmake
is "$(compiled)" "" "the kernel's objects are not concerned"

# ---- a module gets the policy of its kernel, or goes without

unnamed() {	# [MAKE-ARGUMENT...]
	run "$KILN" make -- -C t O=../o M="$here/mods/hello" "$cc" "$@"
	status_is 0 "a module without a policy"
}
printf 'func twice keep\n' >p.policy
kmake
unnamed
is "$(compiled)" "$here/mods/hello/hello.o" "a module without a policy: compiled"
like "$err" "units, 2 functions: .* 1 kept" "with the kernel's policy"
echo '# nothing else' >>p.policy
unnamed
is "$(compiled)" "" "which is read again: a comment"
echo 'func hello keep' >>p.policy
unnamed
is "$(compiled)" "$here/mods/hello/hello.o" "which is read again: a rule"
like "$err" "units, 2 functions: .* 2 kept" "the rule holds"
run "$KILN" make ./p.policy -- -C t O=../o M="$here/mods/hello" "$cc"
is "$(compiled)" "" "the same policy by its name"
rm -rf o2
run "$KILN" make -- -C t O=../o2 M="$here/mods/hello" "$cc"
is "$(compiled)" "$here/mods/hello/hello.o" "the default policy where the kernel has none"
has "$(cat mods/hello/.kiln.policy)" "include default" "and no other"

case $("$PLUGIN_CC" -dumpmachine) in
x86_64*) echo 'on x86_64 -mtune=znver2' ;;
*) echo 'on aarch64 -mtune=neoverse-n1' ;;
esac >o/.kiln.cpu
echo 'all -mtune=native' >p.policy
SOURCE_DATE_EPOCH=1 unnamed
like "$(cat mods/hello/.hello.o.kiln)" "^verdict.*-mtune=(znver2|neoverse-n1)" "the kernel's CPU"
ok test ! -e mods/hello/.kiln.cpu "which is not resolved again"
rm o/.kiln.cpu
echo 'func do_read keep' >p.policy
kmake

printf 'int x;\n' >text.so
: >empty.so
printf '\177ELF\2\1\1%09d' 0 >foreign.so
for file in text empty foreign; do
	run "$KILN" make --plugin="./$file.so" ./p.policy -- -C t O=../none "$cc"
	status_is 2 "$file.so as plugin"
	is "$(echo "$err" | grep -c .)" 1 "$file.so as plugin: one message"
	like "$err" "^kiln: error: '.*' does not run the plugin '$here/$file.so', it says: .*$file.so" \
		"$file.so as plugin: why"
	is "$(compiled)" "" "$file.so as plugin: nothing is built"
	rm -f mods/hello/hello.o
	run "$KILN" make --plugin="./$file.so" -- -C t O=../o M="$here/mods/hello" "$cc" KCFLAGS=-DMINE
	status_is 0 "$file.so for a module"
	like "$err" "does not run the plugin" "$file.so for a module: a message"
	like "$err" "^kiln: note: the module is built without the plugin$" "$file.so for a module: a note"
	is "$(compiled)" "$here/mods/hello/hello.o" "$file.so for a module: it is built"
	like "$(head -1 mods/hello/.hello.o.cmd)" " -DMINE " "$file.so for a module: KCFLAGS stay"
	unlike "$(head -1 mods/hello/.hello.o.cmd)" "plugin" "$file.so for a module: and nothing else"
done
other=$(for file in "$top"/build/*/kiln.so; do [ "$file" = "$plugin" ] || echo "$file"; done | head -1)
if [ -n "$other" ]; then
	run "$KILN" make --plugin="$other" ./p.policy -- -C t O=../none "$cc"
	status_is 2 "another compiler's plugin"
	like "$err" "it says: .*built for another GCC, whose .* is '.*' and not '" \
		"another compiler's plugin: what differs, and both values"
	run "$KILN" make --plugin="$other" -- -C t O=../o M="$here/mods/hello" "$cc"
	status_is 0 "another compiler's plugin for a module"
else
	skip "another compiler's plugin" "there is but one"
fi

# ---- the stamp

mkdir -p t/init
echo 'const char *banner(void) { return "one"; }' >t/init/version.c
stamped() {	# WANTED-OBJECTS NAME
	run "$KILN" make --stamp ./p.policy -- -C t O=../stamped "$cc" EXTRA=init/version.o
	status_is 0 "$2"
	is "$(compiled)" "$1" "$2: compiled"
}
digest() {
	echo "policy sha256:$("$KILN" pack ./p.policy | sha256sum | cut -d' ' -f1)"
}
echo 'func do_read keep' >p.policy
stamped "fs/open.o fs/read.o init/version.o kernel/bounds.s net/data.o net/sock.o net/tcp.o" "--stamp"
has "$(strings -a stamped/init/version.o)" "$(digest)" "the policy's digest is in it"
lacks "$(strings -a stamped/fs/open.o)" "sha256" "and in no other object"
stamped "" "--stamp again"
echo '# a comment' >>p.policy
stamped "" "a comment"
echo 'func do_open keep' >>p.policy
stamped "fs/open.o init/version.o" "a rule: its unit and the stamp's"
has "$(strings -a stamped/init/version.o)" "$(digest)" "the new digest is in it"
echo 'func do_read keep' >p.policy

# ---- what is refused

refused() {	# EXPECTED-MESSAGE NAME COMMAND...
	expected=$1 name=$2
	shift 2
	rm -rf none
	run "$@"
	status_is 2 "$name"
	has "$err" "$expected" "$name: message"
	is "$(compiled)" "" "$name: nothing is built"
}
refused "LLVM=1 builds with clang, which has no such plugins; 'kiln flags" "LLVM=1" \
	"$KILN" make ./p.policy -- -C t O=../none LLVM=1
LLVM=-15 refused "LLVM=-15 builds with clang" "LLVM in the environment" \
	"$KILN" make ./p.policy -- -C t O=../none
refused "policy './missing.policy' cannot be read: No such file" "a missing policy" \
	"$KILN" make ./missing.policy -- -C t O=../none "$cc"
run "$KILN" make mising -- -C t O=../o "$cc"
status_is 2 "a built-in policy that there is not"
like "$err" "no built-in policy is called 'mising'" "it is named"
is "$out" "" "nothing is built"
refused "CC= names no compiler" "CC= of nothing" "$KILN" make ./p.policy -- -C t O=../none CC=
refused "cannot be used: No such file" "a directory that is not there" \
	"$KILN" make ./p.policy -- -C nowhere "$cc"
refused "no-such-gcc" "a compiler that is not there" \
	"$KILN" make ./p.policy -- -C t O=../none CC=no-such-gcc
refused "nothing.so" "a plugin that is not there" \
	"$KILN" make --plugin=./nothing.so ./p.policy -- -C t O=../none "$cc"

refused "M=hello: kernels differ" "a relative M= with O=" \
	"$KILN" make ./p.policy -- -C t O=../none M=hello "$cc"

printf 'all -fno-gcse\nfunk do_read keep\n' >bad.policy
run "$KILN" make ./bad.policy -- -C t O=../o "$cc"
status_is 1 "a policy with a mistake"
like "$err" "bad\.policy:2:1: error: " "its place"
is "$out" "" "nothing is built"
printf 'all -fno-gcse\nall -fno-such-flag\n' >bad.policy
run "$KILN" make ./bad.policy -- -C t O=../o "$cc"
status_is 1 "a flag that GCC does not know"
like "$err" "bad\.policy:2:5: error: .*no-such-flag" "its place"
is "$out" "" "nothing is built"
kmake
is "$(compiled)" "" "and nothing was removed"

# ---- options

: >p.policy
kmake
run "$KILN" make --quiet ./p.policy -- -C t O=../o "$cc"
is "$err" "" "--quiet: no summary"
run "$KILN" make --no-guard ./p.policy -- -C t O=../o "$cc"
is "$(compiled)" "$every" "--no-guard is another command line"
like "$(head -1 o/fs/.open.o.cmd)" "-fplugin-arg-kiln-noguard" "and the plugin's noguard"
run "$KILN" make --no-guard ./p.policy -- -C t O=../o "$cc"
is "$(compiled)" "" "--no-guard again"
kmake
echo 'func do_read keep' >p.policy
run "$KILN" make --verbose ./p.policy -- -C t O=../o "$cc"
has "$err" "o/fs/read.o: the policy says otherwise now" "--verbose tells the object and why"
has "$err" "the policy says otherwise now for 1 of 7 units" "and how many"
rm o/fs/.open.o.kiln
run "$KILN" make --verbose ./p.policy -- -C t O=../o "$cc"
has "$err" "o/fs/open.o: its record is missing" "and why else"

# ---- compilers behind others

mkdir bin
for name in ccache sccache distcc icecc wrapper; do
	cat >bin/$name <<-END
	#!/bin/sh
	case \$1 in --get-config=prefix_command) echo "\$CCACHE_PREFIX"; exit ;; esac
	echo "$name hosts=\$DISTCC_HOSTS extra=\$ICECC_EXTRAFILES \$CCACHE_EXTRAFILES" \
		"key=\$SCCACHE_C_CUSTOM_CACHE_BUSTER" >$here/env.$name
	case \$0 in */gcc) exec $(command -v "$PLUGIN_CC") "\$@" ;; esac
	exec "\$@"
	END
	chmod +x "bin/$name"
done
PATH=$here/bin:$PATH
behind() {	# CC MAKE-ARGUMENT...
	behind_cc=$1
	shift
	rm -f env.*
	run "$KILN" make ./p.policy -- -C t O=../cached CC="$behind_cc" "$@"
	status_is 0 "$behind_cc $*"
}
behind "ccache $PLUGIN_CC"
has "$err" "note: behind ccache records are missing" "ccache: told"
has "$err" "note: after an edit of the policy ccache is asked for every unit" "and what an edit does"
is "$(echo "$err" | grep -c 'behind ccache')" 1 "ccache: told once"
unlike "$(cat cached/fs/.open.o.cmd)" "kiln-(record|nodeps)" "ccache: neither record nor nodeps"
like "$(head -1 cached/fs/.open.o.cmd)" "-fplugin-arg-kiln-mark" "ccache: the mark"
like "$(head -1 cached/fs/.open.o.cmd)" "-fplugin-arg-kiln-policy=.kiln.policy" \
	"ccache: the same command in another object tree"
has "$(cat cached/fs/.open.o.cmd)" "p.policy" "ccache: the objects depend on the policy"
has "$(cat env.ccache)" "hosts= extra=  key=" "ccache: nothing more is hashed"
is "$(find cached -name '.*.kiln')" "" "ccache: no records"
ok cmp -s cached/fs/open.o o/fs/open.o "ccache: the object"
behind "ccache $PLUGIN_CC"
is "$(compiled)" "" "ccache: nothing to do"
touch -d '+1 hour' p.policy
behind "ccache $PLUGIN_CC"
is "$(compiled)" "$every" "ccache: an edit asks for everything"
touch p.policy
behind "ccache $PLUGIN_CC" M="$here/mods/hello"
like "$(head -1 mods/hello/.hello.o.cmd)" "-policy='?$here/mods/hello/.kiln.policy" \
	"ccache: a module's policy is not in the object tree"
mkdir masquerade && ln -s ../bin/ccache masquerade/gcc
run env PATH="$here/masquerade:$PATH" "$KILN" make ./p.policy -- -C t O=../cached CC=gcc help
has "$err" "behind ccache" "a link of the compiler's name to ccache"
mkdir masquerade2 && ln -s ../bin/distcc masquerade2/gcc
run env PATH="$here/masquerade:$here/masquerade2:$PATH" "$KILN" make ./p.policy -- -C t O=../cached CC=gcc help
has "$err" "behind ccache" "a link to ccache before one to distcc"
has "$err" "distcc does not take plugins" "and one to distcc after it"
behind "ccache distcc $PLUGIN_CC" help
has "$err" "behind ccache" "ccache distcc: the first"
has "$err" "distcc does not take plugins" "the second"
CCACHE_PREFIX="distcc" behind "ccache $PLUGIN_CC" help
has "$err" "distcc does not take plugins" "CCACHE_PREFIX=distcc"

behind "sccache $PLUGIN_CC"
has "$err" "note: an edit of the policy compiles everything again" "sccache: told"
like "$(cat env.sccache)" "key=[0-9a-f]{64}-[0-9a-f]{64}$" "sccache: its key has plugin and rules"
key=$(sed 's/.*key=//' env.sccache)
echo '# why' >>p.policy
behind "sccache $PLUGIN_CC"
is "$(sed 's/.*key=//' env.sccache)" "$key" "sccache: a comment does not change it"
echo 'func none keep' >>p.policy
SCCACHE_C_CUSTOM_CACHE_BUSTER=mine behind "sccache $PLUGIN_CC"
like "$(cat env.sccache)" "key=mine-[0-9a-f]{64}-[0-9a-f]{64}$" "sccache: the user's word stays"
lacks "$(cat env.sccache)" "$key" "sccache: a rule changes it"
echo 'func do_read keep' >p.policy
unlike "$(head -1 cached/fs/.open.o.cmd)" "kiln-(record|nodeps|mark)" "sccache: no records, no mark"

behind "icecc $PLUGIN_CC"
has "$err" "note: behind icecc records are missing" "icecc: told"
has "$err" "note: an edit of the policy compiles everything again" "icecc: and what an edit does"
has "$(cat env.icecc)" "extra=$here/cached/.kiln.policy:$here/p.policy " "icecc: the policy is taken along"
like "$(head -1 cached/fs/.open.o.cmd)" "-policy='?$here/cached/.kiln.policy'? .*-fplugin-arg-kiln-mark" \
	"icecc: by its whole name, with the mark"
unlike "$(head -1 cached/fs/.open.o.cmd)" "kiln-(record|nodeps)" "icecc: no records"
lacks "$err" "ICECC_VERSION" "icecc: makes its own environment"
ICECC_EXTRAFILES=/dev/null ICECC_VERSION=e.tar behind "icecc $PLUGIN_CC" fs/open.o
has "$err" "note: ICECC_VERSION names an environment that has neither plugin nor policy" "ICECC_VERSION"
rm cached/fs/open.o
ICECC_EXTRAFILES=/dev/null behind "icecc $PLUGIN_CC" fs/open.o
has "$(cat env.icecc)" "extra=/dev/null:$here/cached/" "icecc: the user's files stay"
CCACHE_PREFIX=icecc behind "ccache $PLUGIN_CC" fs/open.o
like "$(head -1 cached/fs/.open.o.cmd)" "-policy='?$here/cached/.kiln.policy" \
	"ccache before icecc: the whole name"

rm -f env.*
run "$KILN" make ./p.policy -- -C t O=../o CC="distcc $PLUGIN_CC"
status_is 0 "distcc"
is "$(echo "$err" | grep -c distcc)" 1 "distcc: one note"
has "$err" "distcc does not take plugins to other machines: everything is compiled on this one; \
'kiln flags POLICY' prints" "distcc: told what to do"
has "$(cat env.distcc)" "hosts=localhost/" "distcc: no server is asked"
ok test -s o/fs/.open.o.kiln "distcc: there are records"
kmake
run "$KILN" make ./p.policy -- -C t O=../o CC="wrapper $PLUGIN_CC" fs/open.o
is "$(compiled)" "fs/open.o" "CC= is used"
like "$(head -1 o/fs/.open.o.cmd)" ":= wrapper $PLUGIN_CC " "as it is"
is "$err" "$(echo "$err" | grep -v -e cache -e distcc -e icecc)" "and is none of them"
kmake

# ---- the CPU

echo 'all -march=native' >p.policy
if run "$KILN" native --cc="$PLUGIN_CC"; [ "$status" -eq 0 ]; then
	SOURCE_DATE_EPOCH=0 run "$KILN" make ./p.policy -- -C t O=../o "$cc"
	status_is 2 "native under SOURCE_DATE_EPOCH"
	has "$err" "kiln native -o $here/o/.kiln.cpu" "what to do is told"
	is "$out" "" "nothing is built"
	ok test ! -e o/.kiln.cpu "nothing is resolved"
	kmake
	status_is 0 "native"
	is "$(compiled)" "$every" "native: compiled"
	has "$err" "the CPU is resolved in $here/o/.kiln.cpu" "it is told"
	like "$(cat o/fs/.read.o.kiln)" "^verdict	0	-march=[a-z]" "the record has the CPU"
	unlike "$(cat o/fs/.read.o.kiln)" "native" "and not what it was called"
	cp o/.kiln.cpu cpu.before
	kmake
	is "$(compiled)" "" "native: nothing to do"
	lacks "$err" "resolved" "it is not resolved again"
	ok cmp -s o/.kiln.cpu cpu.before "the file stays"
	SOURCE_DATE_EPOCH=0 kmake
	status_is 0 "resolved, under SOURCE_DATE_EPOCH"
	rm o/.kiln.cpu
	kmake
	is "$(compiled)" "" "resolved again to the same: nothing to do"
	ok cmp -s o/.kiln.cpu cpu.before "the file is made again"
	rm o/.kiln.cpu
	"$KILN" native --cc="$PLUGIN_CC" --cpu=x86-64-v2 -o o/.kiln.cpu >/dev/null 2>&1 ||
		"$KILN" native --cc="$PLUGIN_CC" --cpu=neoverse-n1 -o o/.kiln.cpu
	kmake
	is "$(compiled)" "$every" "resolved to another CPU"
	echo 'func do_read keep' >p.policy
	kmake
	is "$(compiled)" "$every" "without native"
	kmake
	is "$(compiled)" "" "the file of the CPU is not used"
else
	skip "native" "kiln native does not know this machine: $err"
fi

# ---- an interrupt

if command -v python3 >/dev/null; then
	cat >interrupt.py <<-'END'
	import os, signal, subprocess, sys, time
	signal.signal(signal.SIGINT, signal.SIG_DFL)
	job = subprocess.Popen(sys.argv[1:], start_new_session=True)
	time.sleep(1.5)
	os.killpg(job.pid, signal.SIGINT)
	sys.exit(98 if job.wait() in (0, -signal.SIGINT) else job.returncode)
	END
	echo 'func do_read keep' >p.policy
	rm -rf o
	run python3 interrupt.py "$KILN" make ./p.policy -- -C t O=../o "$cc" PAUSE=1
	status_is 2 "interrupted"
	ok test ! -e o/net/data.o "it was"
	is "$(cd o && find . -name '*.tmp')" "" "no record is half written"
	kmake
	status_is 0 "it goes on"
	like_fresh "it goes on"
else
	skip "an interrupt" "no python3"
fi

done_testing
