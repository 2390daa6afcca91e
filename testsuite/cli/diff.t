#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

cc=${CC:-gcc}
arm64=aarch64-linux-gnu-gcc

# Functions of exact sizes, for the assembler: functions UNIT NAME=SIZE... ; a name with
# a + before it is global, one of size 0 is an alias of the one before.
functions() {
	echo ".file \"$1\""
	shift
	for word; do
		name=${word#+} size=${word#*=}
		name=${name%=*}
		case $word in +*) echo ".globl \"$name\"" ;; esac
		echo ".type \"$name\", %function"
		if [ "$size" = 0 ]; then
			echo ".set \"$name\", \"$last\""
		else
			printf '"%s": .skip %s\n.size "%s", %s\n' "$name" "$size" "$name" "$size"
			last=$name
		fi
	done
}

object() {	# FILE.o NAME=SIZE...
	file=$1
	shift
	name=${file##*/}
	functions "${name%.o}.c" "$@" | "$cc" -c -x assembler -o "$file" -
}

section() {	# NAME...: the rows of these sections in $out, CSV, without the sections' names
	for section; do echo "$out" | sed -n "s/^$section,//p"; done
}

diffs() {	# A B ARG...
	run "$KILN" diff --csv "$@"
	status_is 0 "diff $*"
	is "$err" "" "diff $*: no complaint"
}

column_sum() {	# COLUMN SECTION...: of $out
	column=$1
	shift
	section "$@" | awk -F, -v column="$column" '{ sum += $column } END { print sum + 0 }'
}

# ---- functions

object a.o +same=16 +grows=10 +shrinks=40 +goes=7 +cloned=20 +parted=30 static=5 becomes=12 \
	was.constprop.0=9 was.isra.1=9 alias=8 +alias2=0 both=3
object b.o +same=16 +grows=25 +shrinks=4 +comes=11 +cloned=20 cloned.constprop.0=6 \
	+parted=10 parted.part.0=10 parted.cold=15 becomes.isra.0=14 static=5 alias=8 +alias2=0 both=3
diffs a.o b.o
is "$(section totals)" '"function text, bytes",169,147,-22
functions of the source,12,11,-1
function symbols,13,14,1
clones: constprop,1,1,0
clones: isra,1,1,0
clones: part,0,1,1' "totals: an alias counts once, a clone is no function"
is "$(section gone)" "was,18,0,-18
goes,7,0,-7" "functions that are gone, the largest first"
is "$(section gained)" "comes,0,11,11" "functions that are new"
is "$(section only_clones)" "becomes,plain,only clones," "a function that only its clone is left of"
is "$(section clones_gained)" "becomes.isra.0,-,isra,
cloned.constprop.0,-,constprop,
parted.part.0,-,part," "new clones; a cold part is none"
is "$(section clones_lost)" "was.constprop.0,constprop,-,
was.isra.1,isra,-," "clones that are no more"
is "$(section grown)" "grows,10,25,15
cloned,20,26,6
parted,30,35,5
becomes,12,14,2" "functions that grew, with their clones and parts"
is "$(section shrunk)" "shrinks,40,4,-36" "functions that shrank"
is "$(column_sum 4 gone gained grown shrunk)" "-22" "they add up to the difference"
is "$(section traceable_lost directories frames made_with options)" "" \
	"nothing is told of what is not known"
diffs a.o a.o
is "$(section gone gained only_clones clones_gained clones_lost grown shrunk)" "" \
	"a build does not differ from itself"
diffs b.o a.o
is "$(section gone)" "comes,11,0,-11" "the other way round: gone"
is "$(section gained)" "was,0,18,18
goes,0,7,7" "the other way round: gained"

# Two static functions of one name are one; padding is no function.
object u1.o twin=10 __pfx_twin=16 __cfi_twin=16
object u2.o twin=4
ld -r -o twins.o u1.o u2.o
diffs u1.o twins.o
is "$(section totals)" '"function text, bytes",10,14,4
functions of the source,1,1,0
function symbols,1,2,1' "static functions of one name"
is "$(section grown)" "twin,10,14,4" "their code is that of both"

# ---- what is compiled, against nm

cat >real.c <<'END'
int out(int);
__attribute__((noinline)) static int taken(int a, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += out(a + i) * out(i);
	return sum;
}
int first(int x) { return taken(x, 3) + out(x); }
HOW int second(int x) { return out(x) + out(x + 1); }
int third(int x) { return second(x) ? second(x + 1) : out(x); }
int lonely(void) { return 5; }
END
"$cc" -O2 -fPIC -DHOW= -c -o real-a.o real.c
"$cc" -O2 -fPIC -DHOW='static inline' -fno-ipa-cp -c -o real-b.o real.c
text() { nm -S "$1" | awk 'NF == 4 && $3 ~ /[tTwW]/ { print $2 }' | sed 's/^/0x/' |
	while read -r size; do printf '%d\n' "$size"; done | awk '{ sum += $1 } END { print sum }'; }
names() { nm -S "$1" | awk 'NF == 4 && $3 ~ /[tTwW]/ { sub(/[.].*/, "", $4); print $4 }' | sort -u; }
compared() {	# A B
	names "$1" >names-a
	names "$2" >names-b
	diffs "$1" "$2"
	is "$(section totals | head -1 | cut -d, -f3,4)" "$(text "$1"),$(text "$2")" \
		"$1, $2: text as nm has it"
	is "$(section gone | cut -d, -f1 | sort)" "$(comm -23 names-a names-b)" "$1, $2: gone, as nm"
	is "$(section gained | cut -d, -f1 | sort)" "$(comm -13 names-a names-b)" \
		"$1, $2: gained, as nm"
}
compared real-a.o real-b.o
is "$(section gone | cut -d, -f1)" second "a function that was inlined is gone"
"$cc" -shared -nostdlib -o real-a.so real-a.o
"$cc" -shared -nostdlib -o real-b.so real-b.o
compared real-a.so real-b.so

# ---- tracers

traced() {	# A B
	diffs "$1" "$2"
	is "$(section traceable_lost)" "second,traceable,absent," "$1, $2: lost"
	is "$(section traceable_gained)" "" "$1, $2: gained"
	is "$(section totals | sed -n 's/^traceable functions,//p')" "4,3,-1" "$1, $2: how many"
}
cat >traced.c <<'END'
int out(int);
__attribute__((no_instrument_function)) int out(int x) { return x * 3; }
__attribute__((section(".init.text"))) int early(int x) { return out(x); }
int first(int x) { return out(x) + 1; }
HOW int second(int x) { return x + 7 * (x ^ 3); }
int third(int x) { return second(x) ? second(x + 1) : out(x); }
int lonely(void) { return 5; }
END
# As vmlinux.lds has it.
cat >kernel.lds <<'END'
SECTIONS {
	. = 0x10000;
	.text : { *(.text .text.*) }
	.init.text : { *(.init.text) }
	.rela.dyn : { *(.rela.dyn) }
	.data : { __start_mcount_loc = .; KEEP(*(__mcount_loc __patchable_function_entries))
		__stop_mcount_loc = .; *(.data) }
	.rodata : { *(.rodata*) }
}
END
fentry="-pg -mfentry -mrecord-mcount -fno-pie -O2 -fno-optimize-sibling-calls"
# shellcheck disable=SC2086
if "$cc" $fentry -DHOW= -c -o fentry-a.o traced.c 2>/dev/null; then
	"$cc" $fentry -DHOW='static inline' -c -o fentry-b.o traced.c
	traced fentry-a.o fentry-b.o
	ld -r -o relinked-a.o fentry-a.o
	ld -r -o relinked-b.o fentry-b.o twins.o
	diffs relinked-a.o relinked-b.o
	is "$(section traceable_lost)" "second,traceable,absent," "put together with others: lost"
	for arm in a b; do
		ld -T kernel.lds --defsym=__fentry__=0 -o fentry-$arm fentry-$arm.o
	done
	traced fentry-a fentry-b
	diffs fentry-a real-b.so
	is "$(section traceable_lost)" "" "a build without sites lost none"
	run "$KILN" diff fentry-a real-b.so
	has "$out" "functions that tracers lose: not known: B has no mcount sites" "and that is said"
	run "$KILN" diff --json real-b.so fentry-a
	has "$out" '"traceable_lost": null' "in JSON too"
	# A function that is there and has no site any more.
	sed 's/int lonely/__attribute__((no_instrument_function)) &/' traced.c >untraced.c
	"$cc" $fentry -DHOW= -c -o untraced.o untraced.c
	diffs fentry-a.o untraced.o
	is "$(section traceable_lost)" "lonely,traceable,no site," "a function without its site"
else
	skip "mcount sites" "$cc has no -mfentry"
fi
if command -v "$arm64" >/dev/null; then
	# Sites 8 bytes before each function, as with call operations, or in it.
	for entry in 2 4,2; do
		patchable="-fpatchable-function-entry=$entry -O2 -fPIE"
		sed 's/no_instrument_function/patchable_function_entry(0,0)/' traced.c >patchable.c
		# shellcheck disable=SC2086
		"$arm64" $patchable -DHOW= -c -o patchable-a.o patchable.c
		# shellcheck disable=SC2086
		"$arm64" $patchable -DHOW='static inline' -c -o patchable-b.o patchable.c
		traced patchable-a.o patchable-b.o
		# The words are zero, and relocations have the addresses.
		for arm in a b; do
			aarch64-linux-gnu-ld -pie --no-apply-dynamic-relocs -T kernel.lds \
				-o patchable-$arm patchable-$arm.o
		done
		traced patchable-a patchable-b
	done
else
	skip "patchable sites" "no $arm64"
fi

# ---- directories of builds

tree() {	# DIRECTORY SIZE: a kernel with two units called core, and what is not of it
	mkdir -p "$1/fs" "$1/net" "$1/scripts" "$1/other"
	object "$1/fs/core.o" +fs_main="$2" helper=10 shared=3 alike=2
	object "$1/net/core.o" +net_main=20 shared=5 alike=2
	object "$1/fs/solo.o" lone=6
	ld -r -o "$1/fs/both.o" "$1/fs/core.o" "$1/fs/solo.o"
	object "$1/scripts/tool.o" main=1000
	object "$1/other/foreign.o" foreign=500
	: >"$1/other/.config"
}
tree one 30
tree two 50
object two/net/core.o +net_main=21 shared=5 alike=2 more=9
diffs one two
is "$(section directories)" "fs/,51,71,20
net/,27,37,10" "objects alone: those that are put together of others do not count twice"
is "$(section totals | head -1)" '"function text, bytes",78,108,30' "their text"
for tree in one two; do
	ld -r -o "$tree/vmlinux" $tree/fs/core.o $tree/net/core.o $tree/fs/solo.o a.o
done
diffs one/ two
is "$(section directories)" "fs/,49,69,20
net/,25,35,10
?,173,173,0" "a kernel: static functions of one name in units of one name are told by their size"
is "$(column_sum 4 directories)" "$(column_sum 4 gone gained grown shrunk)" "they add up, too"
object one/fs/module.o +module=8
object two/fs/module.o +module=9
for tree in one two; do
	mkdir -p $tree/installed
	cp $tree/fs/module.o $tree/fs/module.ko
	cp $tree/fs/module.ko $tree/installed
done
diffs one two
is "$(section directories | head -1)" "fs/,57,78,21" "a module counts, and not its copy"
ln -s one link
diffs link two
is "$(section directories | head -1)" "fs/,57,78,21" "a link to a directory is followed"
diffs one two/vmlinux
is "$(section directories)" "" "nothing of directories where one side does not know"
mkdir nothing
run "$KILN" diff one nothing
status_is 2 "an empty directory"
is "$err" "kiln: error: 'nothing' has no kernel, module or object file in it" "it is said"

# ---- frames

frames() { printf 'a.c:1:5:%s\t%s\tstatic\n' "$@"; }
frames deep 16 flat 100 shallow 48 gone 8 >a.su
frames deep 2392 flat 100 shallow 40 new 8 >b.su
diffs a.o b.o
is "$(section frames)" "deep,16,2392,2376" "a frame that grew, of an object"
mv a.su one/fs/core.su
mv b.su two/fs/core.su
diffs one two
is "$(section frames)" "fs/core.o deep,16,2392,2376" "and in a directory"
rm one/fs/core.su two/fs/core.su

# ---- records

record() {	# FILE LINE...
	file=$1
	shift
	{
		printf 'kiln-record\t2\nunit\tfs/x.c\tfs/x.o\tx86_64\nverdict\t0\t\n'
		printf '%b\n' "$@" end
	} >"$file"
}
object x.o +f=10 +g=20 h=30 +t.part.0=9
mkdir recorded
cp x.o recorded/x.o
record .x.o.kiln 'function\tf' 'function\tg' 'function\th\t0\ta' 'function\tt' decisions \
	'flags\t-O2' 'name\tt.part.0' 'early\t0\t1:3 2:4' 'inlined\t1\t2:9' 'inlined\t5\t3:9' \
	'inlined\t3\t4:1' 'code\t0\t16\tt' 'code\t1\t8\tt' 'code\t4\t8\t-'
record recorded/.x.o.kiln 'function\tf' 'function\tg' 'function\th\t0\ta' 'function\tt' decisions \
	'flags\t-O2 -fconserve-stack' 'early\t0\t1:3 1:5' 'inlined\t0\t2:4' 'code\t0\t2392\tt' \
	'code\t9\t8\t-'
run "$KILN" diff x.o recorded/x.o
status_is 2 "a record with a number that nothing has"
is "$err" "kiln: error: 'recorded/.x.o.kiln' is damaged, or of another version of Kiln: line 13: \
this line does not say what a line of its kind says" "the line is told"
sed -i '/^code.9/d' recorded/.x.o.kiln
diffs x.o recorded/x.o
is "$(section made_with)" "flags of 1 unit,-,-fconserve-stack," "flags that steer inlining"
is "$(section frames)" "f,16,2392,2376" "a frame that grew, by records"
is "$(section inlined_gained)" "f h,0,1,1" "a call that IPA inlines now"
is "$(section inlined_lost)" "g h,1,0,-1
h t,1,0,-1" "calls that it inlines no more: a copy calls what its function does, and a part is no call"
is "$(section early_gained)" "" "a call that is inlined twice is not new"
is "$(section early_lost)" "f h,1,0,-1" "a call that was inlined early"
is "$(section mispredicted)" "g,there,gone,
t,there,gone," "symbols that the records say are gone"
mv .x.o.kiln recorded/.gone.o.kiln
diffs recorded recorded
is "$(section mispredicted inlined_gained inlined_lost)" "" "a record without an object is none"
run "$KILN" diff --json x.o recorded
has "$out" '"inlined_gained": null' "records of one build tell nothing of both"
rm recorded/.*.kiln
printf 'kiln-record\t1\n' >recorded/.x.o.kiln
run "$KILN" diff x.o recorded
status_is 0 "a record of another version"
is "$err" "kiln: note: 'recorded/.x.o.kiln' is no record of this version of Kiln: such are passed over" \
	"is told of"
rm recorded/.*.kiln

# ---- what the builds are made with

marked() {	# FILE.o COMMENT [NOTE]: an object of one function
	functions m.c f=4 >marked.s
	printf '.section .comment,"MS",%%progbits,1\n.asciz "%s"\n' "$2" >>marked.s
	[ $# -lt 3 ] || printf '.section .note.kiln,"a",%%note\n.balign 4\n.long 5,%s,1
.asciz "Kiln"\n.balign 4\n.ascii "%s"\n.balign 4\n' "$(printf '%b' "$3" | wc -c)" "$3" >>marked.s
	"$cc" -c -o "$1" marked.s
}
marked m1.o "GCC: 12" 'kiln 0.1.0\npolicy sha256:1\n'
marked m2.o "GCC: 13" 'kiln 0.1.0\npolicy sha256:2\n'
marked m3.o "GCC: 13"
diffs m1.o m2.o
is "$(section made_with)" 'compiler,GCC: 12,GCC: 13,
Kiln,"kiln 0.1.0, policy sha256:1","kiln 0.1.0, policy sha256:2",' "another compiler and policy"
diffs m2.o m3.o
is "$(section made_with)" 'Kiln,"kiln 0.1.0, policy sha256:2",none,' "without Kiln"
run "$KILN" diff m1.o m2.o
is "$(echo "$out" | sed -n 4,5p)" "NOT made with the same
  compiler  GCC: 12 -> GCC: 13" "it is told first"

printf '# CONFIG_A is not set\nCONFIG_B=y\nCONFIG_C=m\nCONFIG_S="x y"\nCONFIG_SAME=1\n' >one/.config
printf 'CONFIG_A=y\nCONFIG_C=m\nCONFIG_D=y\nCONFIG_S="x, z"\nCONFIG_SAME=1\n' >two/.config
options='CONFIG_A,n,y,
CONFIG_B,y,n,
CONFIG_D,n,y,
CONFIG_S,"""x y""","""x, z""",'
diffs one two
is "$(section options)" "$options" "options that differ"
diffs one/vmlinux two
is "$(section options)" "$options" "the configuration beside a kernel"
ikconfig() {	# FILE CONFIG
	{ printf IKCFG_ST; gzip -c "$2"; printf IKCFG_ED; } >config_data.gz
	printf '.section .rodata\n.space 100\n.incbin "config_data.gz"\n' | "$cc" -c -x assembler -o config.o -
	ld -r -o config-a.o a.o config.o
	ld -T kernel.lds -o "$1" config-a.o
}
ikconfig k1 one/.config
ikconfig k2 two/.config
diffs k1 k2
is "$(section options)" "$options" "the configuration in a kernel"
printf 'IKCFG_STno gzip' >config_data.gz
printf '.section .rodata\n.incbin "config_data.gz"\n' | "$cc" -c -x assembler -o config.o -
ld -T kernel.lds -o k3 config.o a.o
run "$KILN" diff k1 k3
status_is 0 "a configuration that is damaged"
has "$out" "configuration: not known of B" "is not known"

# ---- functions to keep

printf 'func %s keep\n' grows 'par*' cloned goes becomes elsewhere >keep.policy
diffs a.o b.o --keep=./keep.policy
is "$(section kept)" "becomes,plain,only clones,
cloned,plain,cloned,
goes,plain,absent,
parted,plain,cloned," "what of a policy's functions is plain no more"
run "$KILN" diff --keep=./keep.policy a.o b.o
has "$out" "functions to keep, lost or cloned of 5 that A has: 4" "and of how many"
diffs b.o b.o --keep=./keep.policy
is "$(section kept)" "" "what A has not otherwise is not lost"
printf 'vfs_read\n' >list
object reads.o +vfs_read=3
diffs reads.o a.o --keep=list
is "$(section kept)" "vfs_read,plain,absent," "a list of names"
diffs reads.o a.o
is "$(section kept)" "vfs_read,plain,absent," "the built-in policy is the default"
run "$KILN" diff --keep=./nowhere.policy a.o b.o
status_is 2 "a policy that is not there"
is "$out" "" "nothing is printed then"

# ---- outputs

run "$KILN" diff --top=1 a.o b.o
is "$(echo "$out" | sed -n '/^functions gone/,/^$/p')" "functions gone: 2
  was  18  0  -18 (-100.0 %)
  ... and 1 more" "the text is cut"
many=
i=0
while [ $i -lt 30 ]; do
	many="$many +f$i=4"
	i=$((i + 1))
done
# shellcheck disable=SC2086
object many.o $many
run "$KILN" diff many.o a.o
has "$out" "  ... and 10 more" "text lists 20 of each"
run "$KILN" diff --top=0 many.o a.o
lacks "$out" "more" "or all"
diffs many.o a.o
is "$(section gone | wc -l)" 30 "others list all"
diffs many.o a.o --top=7
is "$(section gone | wc -l)" 7 "unless they are told"
object odd.o '+a,b=4' "$(printf '+\303\244\377')=4"
run "$KILN" diff --json odd.o a.o
status_is 0 "odd names"
if command -v python3 >/dev/null; then
	echo "$out" | python3 -c 'import json, sys
print(sorted(row["name"] for row in json.load(sys.stdin)["gone"]))' >parsed 2>&1
	is "$(cat parsed)" "['a,b', 'äÿ']" "JSON is read by others"
	run "$KILN" diff --json one two
	echo "$out" | python3 -c 'import json, sys
report = json.load(sys.stdin)
print(report["a"], report["b"], report["totals"][0])' >parsed 2>&1
	is "$(cat parsed)" "one two {'name': 'function text, bytes', 'a': 255, 'b': 286}" \
		"numbers in it are numbers"
else
	skip "JSON is read by others" "no python3"
fi
diffs odd.o a.o
has "$(section gone)" '"a,b",4,0,-4' "CSV quotes what it must"

run "$KILN" diff --exit-code a.o b.o
status_is 1 "--exit-code, and they differ"
run "$KILN" diff --exit-code a.o a.o
status_is 0 "--exit-code, and they do not"
run "$KILN" diff --exit-code m2.o m3.o
status_is 1 "--exit-code, and only the note differs"

# ---- what cannot be read

unread() {	# MESSAGE A B
	message=$1
	shift
	run "$KILN" diff "$@"
	status_is 2 "diff $*"
	is "$err" "kiln: error: $message" "diff $*: message"
	is "$out" "" "diff $*: nothing on stdout"
}
unread "'nowhere' cannot be read: No such file or directory" nowhere a.o
unread "'nowhere' cannot be read: No such file or directory" a.o nowhere
unread "'list' is no ELF file" a.o list
cp real-a.so stripped
strip stripped
unread "'stripped' has no symbol table: it was stripped, or is damaged" a.o stripped

# Cut anywhere, or with any byte changed, it is an answer or an error with the file's name.
hurt() {	# WHAT FILE...
	bad=
	what=$1
	shift
	for file; do
		run "$KILN" diff a.o "$file"
		case $status in
		0) ;;
		2) case $err in *"'$file'"*) ;; *) bad="$bad $file" ;; esac ;;
		*) bad="$bad $file" ;;
		esac
		[ -n "$bad" ] || rm "$file"
	done
	is "$bad" "" "$what"
}
victims="a.o k1"
[ ! -e fentry-a ] || victims="$victims fentry-a.o fentry-a"
mkdir hurt
for victim in $victims; do
	size=$(wc -c <"$victim")
	step=$((size / 20 + 1))
	i=1
	while [ $i -lt "$size" ]; do
		head -c $i "$victim" >hurt/cut.$i
		cp "$victim" hurt/flip.$i
		printf '\377' | dd of=hurt/flip.$i bs=1 seek=$i conv=notrunc 2>/dev/null
		i=$((i + step))
	done
	hurt "$victim, damaged" hurt/*
	# The headers, byte by byte.
	i=16
	while [ $i -lt 64 ]; do
		cp "$victim" hurt/head.$i
		printf '\377' | dd of=hurt/head.$i bs=1 seek=$i conv=notrunc 2>/dev/null
		i=$((i + 4))
	done
	hurt "$victim, its header damaged" hurt/*
done

done_testing
