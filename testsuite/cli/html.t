#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"
# shellcheck source=report.sh
. "$top/testsuite/cli/report.sh"

# The page of `kiln report --html`, in a browser where there is one.

printf 'func kept keep\nfunc walled leave\n' >p.policy
ok build p.policy o "a build"

# A function of assembler, which is in the object and not in the record.
cat >asm.c <<\EOF
asm(".text\n.type stub, %function\nstub: .byte 0, 0, 0, 0\n.size stub, 4\n");
extern int out(int);
static int inner(int x) { for (int i = 0; i < x; i++) x += out(x) * out(i) - out(x + 7); return x; }
static int middle(int x) { return inner(x) + out(x); }
int outer(int x) { return middle(x) + 1; }
EOF
"$PLUGIN_CC" -O2 -fplugin="$plugin" -fplugin-arg-kiln-policy=./p.policy -fplugin-arg-kiln-record \
	-fplugin-arg-kiln-nodeps -fplugin-arg-kiln-srctree=. -c asm.c -o o/asm.o

page() {	# FILE ARG...
	page_file=$1
	shift
	run "$KILN" report --html="$page_file" "$@"
	status_is 0 "a page of $*"
	is "$out$err" "" "a page of $*: nothing is said"
}

# ---- the file

page o.html o
mv o.html first.html
page o.html o
ok cmp -s o.html first.html "the same build gives the same page"
cp -r o copy
mkdir -p else/where
(cd else/where && "$KILN" report --html=../../copy.html --title=o ../../copy)
"$KILN" report --html=titled.html --title=o o
is "$(sed 's/"name":"[^"]*"//' copy.html | sha256sum)" "$(sed 's/"name":"[^"]*"//' titled.html | sha256sum)" \
	"elsewhere, by another name"
is "$(grep -c "$tap_dir" o.html)" 0 "no absolute path is in it"
is "$(grep -Eo '(https?:)?//[a-z][^" ]*' o.html | sort -u)" "http://www.w3.org/2000/svg" "no address is in it, but SVG's name"
lacks "$(cat o.html)" "import" "and no import"
is "$(find . -maxdepth 1 -name "*tmp*")" "" "no temporary file is left"
page o.o.html o/fs/calls.o

refused() {	# MESSAGE ARG...
	refused=$1
	shift
	run "$KILN" report "$@"
	is "$status $out$err" "2 kiln: error: $refused" "report $*"
}
refused "--json, --csv and --html are different outputs: choose one" --json --html=x.html o
refused "--by is for tables: the page of --html has all of them" --by=file --html=x.html o
refused "--title is the title of a page: --html=FILE writes one" --title=x o
refused "two builds are for --html=FILE; 'kiln diff' compares them as text" o o
refused "'nowhere/x.html' cannot be written: No such file or directory" --html=nowhere/x.html o
refused "'/dev/null' is there, and no file that a page can be written to" --html=/dev/null o
refused "'o' is there, and no file that a page can be written to" --html=o o
mkdir nothing
refused "'nothing' has no records: build with 'kiln make', or with the plugin's argument 'record'" --html=x.html nothing
refused "'nothing' has no records: build with 'kiln make', or with the plugin's argument 'record'" --html=x.html o nothing
echo before >full.html
# shellcheck disable=SC2016
run sh -c 'trap "" XFSZ; ulimit -f 8; "$@"' sh "$KILN" report --html=full.html o
is "$status $err" "2 kiln: error: 'full.html' cannot be written: File too large" "a disk that is full"
is "$(cat full.html)" "before" "what was there stays"
is "$(find . -maxdepth 1 -name "*tmp*")" "" "and nothing else is left"
ok test ! -e x.html "an error writes no page"

# ---- what is missing

cp -r o m
rm m/fs/.limits.o.kiln m/fs/calls.o
echo 'cmd := gcc -fplugin=/x/kiln.so -fplugin-arg-kiln-record -c limits.c' >m/fs/.limits.o.cmd
: >m/fs/calls.s
run "$KILN" report --html=m.html m
is "$status $out" "0 " "a record and an object that are missing"
is "$err" "kiln: note: of 1 unit of 'm' there is no object that can be read: sizes are GCC's estimates there
kiln: note: 1 object was made with the plugin, and there is no record: nothing is known of what was inlined there. \
A compiler cache that had the objects gives no records" "it is said"
cp -r o d
sed '$d' o/fs/.limits.o.kiln >d/fs/.limits.o.kiln
head -c 100 o/net/near.o >d/net/near.o
run "$KILN" report --html=d.html d
status_is 2 "a record and an object that are damaged"
has "$err" "d/fs/.limits.o.kiln:" "the record is said"
has "$err" "kiln: error: 'd/net/near.o' " "the object too"
mv d.html damaged.html
cat >both <<\EOF
#!/bin/sh
"$KILN" report --html=d.html d >html.out 2>&1
[ $? -le 2 ] || exit 99
exec "$KILN" report --json --by=function d
EOF
chmod +x both
export KILN
for how in cut bytes; do
	cp o/fs/.limits.o.kiln d/fs/.limits.o.kiln
	is "$("$sources/damage" d/fs/.limits.o.kiln $how 3 ./both d 2>&1)" "" "damage: $how"
done

# ---- the pages that are opened below

evil='</script><img src=x onerror=pwned=1>'
mkdir -p "odd/fs"
: >odd/fs/x.s
{
	printf 'kiln-record\t2\nunit\tfs/%s.c\tfs/x.o\tx86_64\nverdict\t0\t%s\n' "$evil" "$evil"
	printf 'function\t%s\nfunction\t<!--<script>\342\200\250\342\200\251\\n"\\\\\nfunction\t__proto__\n' "$evil"
	printf 'decisions\nflags\t%s\ninlined\t0\t1:4\nreason\t%s\t%s=1\nrefused\t3\t0\t2:7:9\n' "$evil" "$evil" "$evil"
	for i in 0 1 2; do printf 'size\t%s\t4\t4\t90\t9\ncode\t%s\t100\t-\t%s\n' $i $i "$evil"; done
	echo end
} >odd/fs/.x.o.kiln
cp -r odd "odd<b>&amp;"
run "$KILN" report --html=odd.html --title="$evil" "odd<b>&amp;"
status_is 0 "names that are HTML"
is "$(grep -c '</script>' odd.html)" 2 "two scripts, and they end where they should"
is "$(sed -n 's/.*id="data">//p' odd.html | grep -c "[<&]\|$(printf '\342\200[\250\251]')")" 0 "the data has no markup"
sed 's/\\u003c/</g; s/\\u003e/>/g; /Content-Security-Policy/d' odd.html >naive.html

if "$PLUGIN_CC" -pg -mfentry -mrecord-mcount -fno-pie -x c -c -o fentry.o /dev/null 2>/dev/null; then
	traced="-pg -mfentry -mrecord-mcount -fno-pie"
else
	traced=
fi
printf 'all --param=max-inline-insns-auto=60 --param=max-inline-insns-single=200\nfunc twins call twin_a noinline\n' >q.policy
# shellcheck disable=SC2086
build p.policy a $traced
# shellcheck disable=SC2086
build q.policy b $traced
page two.html --title="a and b" a b

python3 - <<\EOF
import os
for unit in range(3000):
    directory = f"large/dir_{unit % 90}"
    os.makedirs(directory, exist_ok=True)
    name = f"{directory}/unit_{unit}"
    open(name + ".s", "w").close()
    count = 9 if unit < 1000 else 8
    with open(f"{directory}/.unit_{unit}.o.kiln", "w") as record:
        put = record.write
        put(f"kiln-record\t2\nunit\tdir_{unit % 90}/unit_{unit}.c\tx.o\tx86_64\nverdict\t0\t--param=max-inline-insns-auto=30\n"
            "file\tinclude/linux/list.h\nfile\tinclude/linux/spinlock.h\n")
        for i in range(count):
            put(f"function\tfunction_{unit * 9 + i}\n")
        for i in range(60):
            put(f"function\theader_function_{unit % 50}_{i}\t0\tc\t{1 + i % 2}\n")
        put("decisions\nreason\tMAX_INLINE_INSNS_AUTO_LIMIT\tmax-inline-insns-auto=30\n")
        for i in range(count):
            put(f"early\t{i}\t" + " ".join(f"{count + (i * 7 + k) % 60}:{100 + k}" for k in range(8)) + "\n")
            for k in range(5):
                put(f"inlined\t{i}\t{count + (i * 5 + k) % 60}:{200 + k}\n")
            put(f"refused\t{i}\t0\t{(i + 1) % count}:{300 + i}:{40 + i}\n")
        for i in range(count + 60):
            put(f"size\t{i}\t{10 + i}\t20" + (f"\t{30 + (unit * i) % 900}\t40\n" if i < count else "\n"))
        for i in range(count):
            put(f"code\t{i}\t{8 * (i + unit % 7)}\tt\n")
        put("end\n")
EOF
run "$KILN" report --html=large.html large
status_is 0 "a page of 25,000 functions"

# ---- in a browser

missing=$("$sources/browse" missing)
case $KILN in
*-san/*) missing="the browser is no concern of a sanitizer" ;;
esac
if [ -n "$missing" ]; then
	skip "the pages in a browser" "$missing"
	done_testing
fi
set -- one o.html o "$KILN" \
	-- notes m.html "1 object made with the plugin without a record" \
	"1 unit without an object that could be read. Sizes there are GCC’s estimates and no bytes, marked with ≈: fs/calls.c" \
	-- notes damaged.html "1 unit left out, for the record is damaged or of another version." \
	"1 unit without an object that could be read." \
	-- hostile odd.html -- naive naive.html -- large large.html
if [ -n "$traced" ]; then
	set -- "$@" -- two two.html "a and b" a b
else
	skip "two builds in a browser" "$PLUGIN_CC has no -mfentry"
fi
run "$sources/browse" "$@"
is "$status $err" "0 " "the browser was asked everything"
echo "$out" >said
while IFS=$(printf '\037') read -r got want name; do
	case $got in
	end) ended=1 ;;
	"#") diag "$name" ;;
	*) is "$got" "$want" "$name" ;;
	esac
done <said
is "${ended:-}" 1 "to the end"

done_testing
