#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

tests=tools/testing/selftests
ftrace=$tests/ftrace/test.d

# A kernel tree in miniature: put FILE makes one file of it from stdin.
tree=tree
put() {
	mkdir -p "$tree/$(dirname "$1")"
	cat >"$tree/$1"
}

# Bare tree: what makes a directory a kernel tree.
bare() {
	rm -rf "$tree"
	put Makefile <<'END'
# a comment
VERSION = 6
PATCHLEVEL = 99
SUBLEVEL = 3
EXTRAVERSION = -rc1
NAME = None
END
}

# defines NAME...: the kernel has functions of these names.
defines() {
	for name; do echo "void $name(void);"; done | put include/defined.h
}

names() {	# the names in $out, on one line
	echo "$out" | sed -n 's/^func \([^	]*\)	.*/\1/p' | tr '\n' ' ' | sed 's/ $//'
}

# found WANT NAME: the names that the tree has.
found() {
	run "$KILN" keep --from=$tree
	status_is 0 "$2"
	is "$(names)" "$1" "$2: names"
}

# ---- the output

bare
put kernel/b.c <<'END'
BTF_ID(func, zeta)
END
put kernel/a.c <<'END'
BTF_ID(func, zeta)
BTF_ID(func, alpha)
END
put net/c.c <<'END'
BTF_ID(func, zeta)
END
run "$KILN" keep --from=$tree
status_is 0 "a tree"
is "$out" "# Functions that Linux 6.99.3-rc1 has relied on by name: by selftests, BTF lists
# and error injection.
#
# Made by:	kiln keep --from=TREE

func alpha	keep	# kernel/a.c
func zeta	keep	# kernel/a.c and 2 more" "the list"
is "$err" "" "nothing is said besides"
"$KILN" keep --from=$tree >list.policy
run "$KILN" check list.policy
status_is 0 "the list is a policy"
run "$KILN" keep --from="$PWD/$tree"
is "$out" "$(cat list.policy)" "an absolute path makes the same list"
printf 'own\n' >names
run "$KILN" keep --from=$tree "$PWD/names"
has "$out" "# Made by:	kiln keep --from=TREE names" "no absolute path is in it"
has "$out" "func own	keep	# names" "nor in an origin"
run "$KILN" keep names
is "$out" "# Functions that are relied on by name.
#
# Made by:	kiln keep names

func own	keep	# names" "files alone"

# ---- the kernel's own lists, in C

bare
put kernel/lists.c <<'END'
BTF_ID(func, in_set)
BTF_ID(struct, some_struct)
BTF_ID_FLAGS(func, with_flags, KF_A | KF_B)
BTF_ID_FLAGS(func,
	     on_lines /* why */,
	     KF_A)
  BTF_ID ( func , with_blanks )
BTF_ID_LIST_SINGLE(list, func, in_single)
BTF_ID_LIST_SINGLE(list, struct, other_struct)
BTF_ID_LIST_GLOBAL_SINGLE(list, func, in_global)
BTF_SET8_START(set)
ALLOW_ERROR_INJECTION(may_fail, ERRNO);
/* BTF_ID(func, in_comment) */
// BTF_ID(func, in_line_comment)
/*
 * ALLOW_ERROR_INJECTION(in_long_comment, ERRNO)
 */
static const char *s = "BTF_ID(func, in_string)", c = '"', *t = "\"BTF_ID(func, in_string2)";
#define EACH(name, ...) BTF_ID(func, name)
#define MORE(x) \
	BTF_ID(func, x) \
	ALLOW_ERROR_INJECTION(sys_##x, ERRNO)
#if 1 /* a comment that
	BTF_ID(func, in_directive)
	goes on */
#endif
MY_BTF_ID(func, other_macro)
BTF_ID(func)
BTF_ID(func, two words)
BTF_ID
END
found "in_global in_set in_single may_fail on_lines with_blanks with_flags" "BTF and error injection"

bare
put kernel/kfuncs.h <<'END'
__bpf_kfunc_start_defs();
__bpf_kfunc int plain(int a, int b);
__bpf_kfunc struct thing *
next_line(void (*callback)(int))
{
}
__bpf_kfunc __printf(1, 2) void with_attribute(const char *f, ...);
__bpf_kfunc static u32 *star(void) { call(1); }
#define __bpf_kfunc __used noinline
__bpf_kfunc_end_defs();
END
found "next_line plain star with_attribute" "kfuncs"

bare
put samples/kprobes/sample.c <<'END'
static char symbol[SIZE] = "by_variable";
#define TARGET "by_macro"
static struct kprobe a = { .symbol_name = "literal" };
static struct kprobe b = { .symbol_name = symbol, };
static struct kretprobe c = { .kp.symbol_name = TARGET };
static struct klp_func d[] = { { .old_name = "patched", .new_func = f }, {} };
	kp.symbol_name = "assigned";
	kp.symbol_name = "no" "thing";
	kp.symbol_name = kstrdup("copied", GFP_KERNEL);
	if (kp.symbol_name == "compared") return 0;
	.old_name = __stringify(FN_PREFIX) "sys_x",
	printk("symbol_name = \"printed\";\n");
	register_fprobe(&fp, "fprobed_*", "not_fprobed");
	register_fprobe(&fp, nothing, "not_fprobed");
END
found "assigned by_macro by_variable fprobed_* literal patched" "probes and livepatches"

bare
printf '\357\273\277BTF_ID(func, crlf)\r\n#define X \\\r\n BTF_ID(func, y)\r\nBTF_ID(func, last)' |
	put kernel/crlf.c
head -c 100000 /dev/urandom | put kernel/binary.c
printf 'BTF_ID(func, cut' | put kernel/cut.c
printf '"BTF_ID(func, open' | put kernel/open.c
printf '/* BTF_ID(func, open' | put kernel/open.h
found "crlf last" "odd bytes and line ends"

# ---- tests: BPF programs

bare
defines entry both_here kp_here multi_here session_here sleepy ret_here mod_here off_here \
	auto_here by_call by_define by_array by_target open_file exit_here
put security/hooks.h <<'END'
HOOK(int, 0, file_check, struct file *file)
HOOK(int, 0, group_check, struct file *file)
END
put $tests/bpf/progs/all.c <<'END'
SEC("fentry/entry") int p1(void) {}
SEC("fexit/exit_here") int p2;
SEC("fmod_ret/ret_here") int p3;
SEC("kprobe/kp_here")
SEC("kretprobe/both_here") SEC("kprobe.multi/multi_here")
SEC("kprobe.session/session_here")
SEC("fentry.s/sleepy")
SEC("?fentry/auto_here")
SEC("fentry/module:mod_here")
SEC("kprobe/off_here+0x5")
SEC("lsm/file_check") SEC("lsm.s/file_check") SEC("lsm_cgroup/group_check")
SEC("lsm/no_such_hook")
SEC("uprobe/entry_uprobe") SEC("tp/entry_tp") SEC("raw_tp/entry_raw")
SEC("freplace/entry_replace") SEC("ksyscall/entry_sys")
SEC("fentry/" PREFIX "entry_joined")
SEC("fentry/not_in_kernel") SEC("fentry/FUNC") SEC("fentry/only_in_samples")
SEC("fentry/mentioned_only") SEC("fentry") SEC("license") SEC(name) SEC("kprobe/")
/* SEC("fentry/commented") */
END
put include/others.h <<'END'
void entry_uprobe(void), entry_tp(void), entry_raw(void), entry_replace(void), entry_sys(void);
void of_the_tests_module(void), commented(void), FUNC(void), entry_joined(void), in_printf(void), subprogram(void);
/* mentioned_only is no function */
END
put samples/bpf/x.c <<'END'
void only_in_samples(void) {}
END
put Documentation/y.c <<'END'
void not_in_kernel(void) {}
END
put tools/lib/z.c <<'END'
void not_in_kernel(void) {}
END
put $tests/bpf/prog_tests/attach.c <<'END'
#define NAME "by_define"
static const char *syms[] = { "by_array", "not_in_kernel" };
	link = bpf_program__attach_kprobe(prog, false, "by_call");
	bpf_program__attach_kprobe_opts(prog,
					NAME, &opts);
	bpf_program__set_attach_target(prog, 0, "by_target");
	bpf_program__set_attach_target(prog, other, "subprogram");
	printf("%s", "in_printf");
END
put $tests/bpf/module.c <<'END'
BTF_ID(func, of_the_tests_module)
END
found "auto_here both_here bpf_lsm_file_check bpf_lsm_group_check by_array by_call by_define by_target entry exit_here \
kp_here mod_here multi_here off_here ret_here session_here sleepy" "BPF programs"

bare
defines few_a few_b few_ab many_$(seq -s ' many_' 1 17) abc_x
put $tests/bpf/globs.c <<'END'
SEC("kprobe.multi/few_*") SEC("kprobe.multi/many_*") SEC("kprobe.multi/*few") SEC("kprobe.multi/abc*")
SEC("kprobe.multi/few_?") SEC("kprobe.multi/few_*x*") SEC("kprobe.multi/none_*")
END
found "few_*" "globs of tests"

# ---- tests: shell

bare
defines dentry_put file_read file_open symlink forked old_fork do_thing later inner_one inner_two \
	quoted piped by_tee local_one looped_a looped_b notraced graphed ungraphed stacked here_def \
	here_filter triggered untriggered by_var by_brace heard not_probed
put $ftrace/functions <<'END'
# all tests have this
FORK=`(if grep forked /proc/kallsyms > /dev/null; then
	echo forked; else echo 'old_fork'; fi)`
END
put $ftrace/kprobe/probes.tc <<'END'
#!/bin/sh
# description: it isn't a probe: p not_probed
# requires: kprobe_events
echo 'p:event dentry_put name=$arg1:%pd' > kprobe_events
echo "r10:grp/event file_read \$retval" >> kprobe_events
printf "%s" "f:x file_open%return ret=\$retval" >> dynamic_events
echo 'p:event symlink path=+0($arg3):ustring' \
	> kprobe_events
echo "p:event $FORK" > kprobe_events
check_error 'p:^/bar quoted'		# an apostrophe's comment
! echo p do_thing+4 >> kprobe_events
use() {
	echo "p:ev ${LATE} \$stack" > kprobe_events
	echo "p:ev $1" > kprobe_events
	local LOCAL=local_one
	DEF="p:ev $LOCAL"
}
LATE=later
UNKNOWN=$(cat list | head -n 1)
echo "p:ev $UNKNOWN" > kprobe_events
echo "p:ev ${LATE}_$UNKNOWN ${LATE%r}" > kprobe_events
CUT=not_probed
echo "p:ev ${CUT%x}" > kprobe_events
CHANGED=$(echo not_probed | tr a b)
echo "p:ev $CHANGED" > kprobe_events
echo "p:ev none_such p:x" > kprobe_events
echo "p:ev 0xffff symlink" > kprobe_events
echo "-:ev not_probed" >> kprobe_events
echo "t:ev not_probed" >> kprobe_events
echo "p /bin/not_probed:10" >> uprobe_events
for f in looped_a looped_b; do echo "p:ev_$f $f"; done > kprobe_events
if true; then FUNC="by_var"; else FUNC=by_brace; fi
echo "p:ev module:${FUNC} a=1" > kprobe_events
cat > kprobe_events <<EOF
p:don't here_def
EOF
echo "p:ev $(echo inner_one; echo inner_two)" > kprobe_events
echo "r:ev piped" | tee -a kprobe_events
echo "p:heard heard" > kprobe_events
END
found "by_brace by_var dentry_put do_thing file_open file_read forked heard here_def inner_one \
inner_two later local_one looped_a looped_b old_fork piped quoted symlink" "probe definitions"

rm -r "$tree/$ftrace/kprobe"
put $ftrace/ftrace/filters.tc <<'END'
echo file_read > set_ftrace_filter
echo "triggered:traceoff:3" >> foo/set_ftrace_filter
echo '!untriggered:traceoff' > ../set_ftrace_filter
echo notraced > $TRACING/set_ftrace_notrace
FILE=set_graph_function
echo $FORK graphed > $FILE
echo "ungraphed" >set_graph_notrace; echo > set_ftrace_filter
[ -f stack_trace_filter ] && echo stacked > stack_trace_filter
echo by_tee | tee set_ftrace_filter
echo 'here*' > set_ftrace_filter
echo '*lock*' > set_ftrace_filter
echo '*:mod:module' > set_ftrace_filter
echo not_probed > set_event
echo "$1" > set_ftrace_filter
echo '#not_probed' > set_ftrace_filter
cat > set_ftrace_filter <<-'EOF'
	local_one
	EOF
END
found "by_tee file_read forked graphed here* local_one notraced old_fork stacked triggered \
ungraphed untriggered" "filters"

rm -r "$tree/$ftrace/ftrace"
put $ftrace/own.tc <<'END'
FUNC=`head -n 1 list`
echo "p:ev $FUNC" > kprobe_events
echo "p:ev file_read" > kprobe_events
END
found "file_read" "what a command prints is unknown, and not what another one does"

rm "$tree/$ftrace/own.tc"
put $tests/perf/probe.sh <<'END'
perf probe -a 'file_read count pos'
sudo perf probe --add=ev=file_open:3
perf probe -q -m not_probed grp:ev=symlink%return
perf \
	probe later@fs/open.c+4
perf probe -x /bin/sh not_probed
perf probe -d not_probed
perf probe fs/not_probed.c:12
perf record not_probed
END
printf '#!/bin/bash\nperf probe heard\n' | put $tests/perf/no-suffix
printf 'perf probe not_probed\n' | put $tests/perf/README
found "file_open file_read heard later symlink" "perf probe"

# A test that asks for itself, and one that would take a machine's memory.
rm -r "${tree:?}/$tests/perf"
{
	# shellcheck disable=SC2016
	echo 'A=file_read; A="$A$A"; A="$A$A$A$A$A$A$A$A"; echo "p:x $A" > kprobe_events'
	i=0
	while [ $i -lt 200 ]; do
		# shellcheck disable=SC2016
		printf '$(echo (`"${'
		i=$((i + 1))
	done
} | put $tests/nested.sh
found "file_read" "nested and growing variables"

# ---- the walk

bare
defines outside linked
put kernel/x.c <<'END'
BTF_ID(func, real)
END
mkdir elsewhere
echo 'BTF_ID(func, outside)' >elsewhere/x.c
ln -s ../elsewhere "$tree/out"
ln -s . "$tree/kernel/loop"
ln -s ../../elsewhere/x.c "$tree/kernel/link.c"
ln -s none "$tree/kernel/dangling.c"
mkfifo "$tree/kernel/fifo.c"
put tools/perf/x.c <<'END'
BTF_ID(func, of_a_tool)
END
put Documentation/x.c <<'END'
BTF_ID(func, of_a_document)
END
put include/generated/x.h <<'END'
BTF_ID(func, of_a_build)
END
put .hidden/x.c <<'END'
BTF_ID(func, hidden)
END
put kernel/x.S <<'END'
BTF_ID(func, assembly)
END
put kernel/x.txt <<'END'
BTF_ID(func, text)
END
run timeout 20 "$KILN" keep --from=$tree
is "$(names)" "real" "links are not followed, and only source is read"

bare
many() { seq -f "$1" 1 200; }
{ many 'BTF_ID(func, a%.0f)'; many 'BTF_ID(func, b%.0f)'; } | put kernel/one.c
many 'BTF_ID(func, a%.0f)' | put kernel/two.c
put mm/three.c <<'END'
BTF_ID(func, a1)
END
cp -r "$tree" copy
mkdir -p "other/place/$tree/mm" "other/place/$tree/kernel"
for file in mm/three.c kernel/two.c kernel/one.c Makefile; do
	cp "copy/$file" "other/place/$tree/$file"
done
"$KILN" keep --from=$tree >list1
"$KILN" keep --from="other/place/$tree" >list2
ok cmp -s list1 list2 "the same tree elsewhere makes the same bytes"
is "$(grep -c '^func' list1)" 400 "all names are there"
is "$(grep '^func' list1 | cut -d' ' -f2 | cut -f1)" "$(grep '^func' list1 | cut -d' ' -f2 | cut -f1 | sort -u)" \
	"sorted, and each once"
has "$(cat list1)" "func a1	keep	# kernel/one.c and 2 more" "the first origin in the order of names"

# ---- what is no tree

refused() {	# MESSAGE ARG...: nothing on stdout, status 2
	message=$1
	shift
	run "$KILN" keep "$@"
	status_is 2 "keep $*"
	is "$err" "$message" "keep $*: message"
	is "$out" "" "keep $*: nothing on stdout"
}
refused "kiln: error: 'none' is no kernel tree: its Makefile cannot be read: No such file or directory" \
	--from=none
refused "kiln: error: 'elsewhere' is no kernel tree: its Makefile cannot be read: No such file or \
directory" --from=elsewhere
mkdir other-make
echo 'all: ; VERSION := 3' >other-make/Makefile
refused "kiln: error: 'other-make' is no kernel tree: its Makefile has no VERSION and PATCHLEVEL" \
	--from=other-make
bare
put kernel/x.c </dev/null
refused "kiln: error: no function's name is in what was read" --from=$tree
: >empty
refused "kiln: error: no function's name is in what was read" empty
refused "kiln: error: 'none' cannot be read: No such file or directory" none
refused "kiln: error: '.' cannot be read: Is a directory" .
refused "none.policy: error: policy 'none.policy' cannot be read: No such file or directory" none.policy

mkdir "$tree/locked"
chmod 000 "$tree/locked"
if [ "$(id -u)" -ne 0 ]; then
	run "$KILN" keep --from=$tree
elif command -v setpriv >/dev/null; then
	chmod 755 .
	install -m 755 "$KILN" kiln-copy
	run setpriv --reuid=65534 --regid=65534 --clear-groups ./kiln-copy keep --from=$tree
else
	status=none
fi
chmod 755 "$tree/locked"
if [ "$status" = none ]; then
	skip "an unreadable directory" "root without setpriv"
else
	status_is 2 "an unreadable directory"
	is "$err" "kiln: error: '$tree/locked' of the kernel tree cannot be read: Permission denied" \
		"an unreadable directory: message"
fi

# ---- files of the user: every name counts

# holds WANT FILE: the names in it; the file's text is on stdin.
holds() {
	cat >"$2"
	run "$KILN" keep "./$2"
	status_is 0 "$2"
	is "$(names)" "$1" "$2: names"
	is "$err" "" "$2: no complaint"
	"$KILN" keep "./$2" >made.policy
	run "$KILN" check made.policy
	status_is 0 "$2: the list is a policy"
}

holds "_x a tcp_* vfs_[rw]* vfs_read with_module" names <<'END'
# a comment
vfs_read
  tcp_*	# another
with_module [ext4]

a.isra.0
_x [mod]	# and a comment
vfs_[rw]*
vfs_read
END
printf 'crlf\r\nlast' >text
holds "crlf last" crlf <text

holds "a b c_* d e f g h i j quoted with_module" probes.bt <<'END'
#!/usr/bin/env bpftrace
// kprobe:no
/* kprobe:no */
struct no { int kprobe; }
kprobe:a { printf("kprobe:no { }"); }
kretprobe:b, k:c_*
/ pid == 1 || comm == "} kprobe:no" && @a["kprobe:no{", 2] == 3/
{ @x = 1; if (1) { kprobe:no } }
kr:d{}
kfunc:e,fentry:f , fexit:vmlinux:g
kretfunc:module:h { // kprobe:no }
}
kprobe:i+4 {} kprobe:"quoted"+0x10 {}
tracepoint:no:no { } uprobe:/bin/no:no /pid/ { } BEGIN { } k:j
{ }
kprobe:m:with_module { }
kprobe:* { } kprobe:0xffff { }
END
printf '#!/usr/bin/bpftrace\nkprobe:by_line {}\n' >text
holds "by_line" script <text

printf '#!/usr/bin/stap\nprobe kernel.function("by_line") {}\n' >text
holds "by_line" script <text
holds "a b c d_* e f g" probes.stp <<'END'
# kernel.function("no")
probe kernel.function("a@fs/open.c:12").call, kernel.function("b").return { print("no") }
probe module("ext4").function("c") {} /* module("no") */
probe kernel.statement("d_*@fs/*.c:*") {} // kernel.function("no")
probe kprobe.function("e"), kprobe.module("no").function("f").return {}
probe process("no").function("no") {}
probe kernel.trace("no"), timer.s(1) { function("no") x = "kernel.function(\"no\")" }
probe kernel . function ( "g" ) . inline {}
END

holds "a b c d e" program.c <<'END'
SEC("fentry/a") int f(void) { }
BTF_ID(func, b)
ALLOW_ERROR_INJECTION(c, ERRNO);
static struct kprobe k = { .symbol_name = "d" };
#define NAME "e"
	bpf_program__attach_kprobe(p, 0, NAME);
END

holds "_y a b c_* d" script.sh <<'END'
echo "p:x a" > /sys/kernel/tracing/kprobe_events
F=b; echo $F > /sys/kernel/tracing/set_ftrace_filter
echo 'c_*' _y > set_ftrace_filter
perf probe --add 'd arg'
END

# What was taken for a definition: the words of a loop, "f in a b".
holds "_listed a vfs_write" words-of-loops.sh <<'END'
echo p vfs_write >> $T/kprobe_events
for f in no1 no2; do echo $f >> set_event; done
for p in no1 no2
do :; done
for r in no1; do :; done
select f in no1 no2; do :; done
case f in no1) ;; esac
case $1 in p) ;; esac
local f no1 no2
while read p no1; do unset r no1; done
for name in _listed; do echo "$name" >> set_ftrace_filter; done
for text in "p:x a"; do echo "$text" >> kprobe_events; done
END

# Names that printf makes, and lines of a string, were passed over.
holds "a b c d e f g h i j k l m n no_o o" printed.sh <<'END'
printf 'p:x a\n' > kprobe_events
printf '%s\n' 'p:x b' 'p:x c' > kprobe_events
echo "p:x d
p:x e" > kprobe_events
echo -e 'p:x f\nr:x g' > kprobe_events
printf 'p:%s %s%s\n' x h '' x i+4 > kprobe_events
printf "p:x %-5s\tno1=%%di\n" "j" > kprobe_events
FORMAT='p:x %s\n'
printf "$FORMAT" 'p:x k' > dynamic_events
printf "%b" 'l\nm:traceoff\n' > set_ftrace_filter
echo -ne 'n\n' | tee set_ftrace_filter
O=$(printf 'o\n')
echo "$O" no_$O > set_ftrace_filter
printf 'no%s_%c\x41' 1 2 > set_ftrace_filter
printf '%s
END
holds "a1 b1" cut-formats.sh <<'END'
printf 'p:x a%' > kprobe_events; printf 'p:x a%s' 1 > kprobe_events
printf -- 'b%d\n' 1 > set_ftrace_filter; printf '%' > set_ftrace_filter
printf > set_ftrace_filter; printf -v > set_ftrace_filter; printf 'no\' > set_ftrace_filter
echo "p:x
no" > kprobe_events; echo > kprobe_events
END

# A part of a name was taken for one.
holds "a b c d e" choices.bt <<'END'
kprobe:no_{read,write} { }
kprobe:{no,nein},kprobe:a { no: }
kprobe:no_(read|write), kprobe:no@x, kprobe:no;, kprobe:no" { }
kprobe:"no,x" { } kprobe:b{exit()} kprobe:c+4 { }
kprobe:d/comm=="no:no"/{ x,y } kprobe:e{no++;}
END

cat >sub.policy <<'END'
func of_sub keep
END
holds "of_sub one two_*" my.policy <<'END'
include sub.policy
func one keep
func no noinline
file fs/** func two_* -fno-ipa-cp keep
file fs/no.c keep
func no default
END
run "$KILN" keep rfc
status_is 2 "a policy that keeps nothing"
run "$KILN" keep keep-6.1
status_is 0 "a built-in policy with a point in its name"
has "$out" "func do_execve*	keep	# <built-in keep-6.1>" "its names"
run "$KILN" keep names probes.bt program.c sub.policy
has "$out" "func a	keep	# names and 2 more" "several files"
has "$out" "# Made by:	kiln keep names probes.bt program.c sub.policy" "all are named"
mkdir -p odd
printf 'x\n' >"$(printf 'odd\nname')"
run "$KILN" keep "$(printf 'odd\nname')"
is "$out" "# Functions that are relied on by name.
#
# Made by:	kiln keep odd?name

func x	keep	# odd?name" "a newline in a file's name breaks no policy"

# ---- faults in lists, each with its place

advice="a list has a function's name or a glob in each line, like 'vfs_read' or 'tcp_*', and perhaps \
a module '[ext4]' after it; other files are known by their suffix (.sh, .bt, .stp, .c, .policy) or by \
'#!'"
fault() {	# PLACE TEXT LINE: as the second line of a list
	printf 'good\n%s\nlast good\n' "$3" >list
	run "$KILN" keep list
	status_is 2 "a list with '$3'"
	is "$err" "list:2:$1: error: $2
list:3:6: error: 'good' is no function's name: $advice" "a list with '$3': message"
	is "$out" "" "a list with '$3': no policy"
}
fault 1 "'3com' is no function's name: $advice" 3com
fault 3 "'a-b' is no function's name: $advice" '  a-b'
fault 5 "'two' is no function's name: $advice" "one two"
fault 1 "'fs/open.c' is no function's name: $advice" fs/open.c
fault 1 "'\"quoted\"' is no function's name: $advice" '"quoted"'
fault 1 "'[ab' is no function's name: $advice" '[ab'
fault 1 "the glob would keep every function: put letters in it, or write 'all keep' in a policy if that \
is meant" '**'
printf 'good\nnu\000l\n' >list
run "$KILN" keep list
status_is 2 "a NUL byte"
like "$err" "^list:2:3: error: " "a NUL byte: its place"
printf 'func a kepe\n' >bad.policy
run "$KILN" keep bad.policy
status_is 2 "a policy with a mistake"
is "$err" "bad.policy:1:8: error: unknown word 'kepe'; did you mean 'keep'?" "its message"

# ---- what a build made of the functions

cc=${HOST_CC:-gcc}
if ! command -v "$cc" >/dev/null; then
	skip "--check" "no compiler"
	done_testing
fi
cat >code.c <<'END'
int variable = 1;
int plain(int x) { return x; }
static __attribute__((noinline)) int copied(int x) { return variable + x; }
int use_copied(int x) { return copied(x); }
static int gone(int x) { return x + 1; }
int use_gone(int x) { return gone(x); }
END
cat >clones.c <<'END'
extern int other(int);
#define BODY { int r = 0; for (int i = 0; i < a; i++) r += a * b + i; return r; }
__attribute__((noinline)) int both(int a, int b) BODY
static __attribute__((noinline)) int only(int a, int b) BODY
int use_both(int a) { return both(a, 3) + both(a + 1, 3); }
int use_only(int a) { return only(a, 3) + only(a + 1, 3); }
static __attribute__((noinline)) int copied(int x) { return other(x) + 1; }
int use_copied_too(int x) { return copied(x); }
END
cat >clone.s <<'END'
	.section .note.GNU-stack
	.text
	.globl	both
	.type	both, @function
both:	.quad	0
	.size	both, 8
	.type	both.constprop.0, @function
both.constprop.0: .quad 0
	.size	both.constprop.0, 8
	.type	only.isra.0, @function
only.isra.0: .quad 0
	.size	only.isra.0, 8
	.type	only.part.1.constprop.0, @function
only.part.1.constprop.0: .quad 0
	.size	only.part.1.constprop.0, 8
	.type	plain.cold, @function
plain.cold: .quad 0
	.size	plain.cold, 8
	.type	split.constprop.0.cold, @function
split.constprop.0.cold: .quad 0
	.type	split, @function
split:	.quad	0
END
"$cc" -O2 -c code.c && "$cc" -O3 -fno-ipa-icf -c clones.c && "$cc" -c clone.s || echo "Bail out! $cc fails"
printf '%s\n' plain copied gone variable missing only both 'use_*' 'none_*' >list

checked() {	# STATUS FILE NAME...: what is told is on stdin
	expected=$1
	file=$2
	shift 2
	run "$KILN" keep "$@" --check="$file"
	status_is "$expected" "check of $file for $*"
	is "$out" "$(cat)" "check of $file for $*: answer"
	is "$err" "" "check of $file for $*: no complaint"
}
checked 1 code.o list <<'END'
variable	no function
10 names: 4 plain functions, 0 cloned, 0 only as clones, 1 not a function, 5 absent
END
checked 1 clone.o list <<'END'
both	cloned	both.constprop.0
only	only clones	only.isra.0 only.part.1.constprop.0
9 names: 0 plain functions, 1 cloned, 1 only as clones, 0 not functions, 7 absent
END
printf '%s\n' plain gone 'use_*' split >fine
checked 0 clone.o fine <<'END'
4 names: 1 plain function, 0 cloned, 0 only as clones, 0 not functions, 3 absent
END
printf '%s\n' 'on*' 'spl*' >globs
checked 1 clone.o globs <<'END'
only	only clones	only.isra.0 only.part.1.constprop.0
2 names: 1 plain function, 0 cloned, 1 only as clones, 0 not functions, 0 absent
END

printf '%s\n' other use_both >calls
checked 0 clones.o calls <<'END'
2 names: 1 plain function, 0 cloned, 0 only as clones, 0 not functions, 1 absent
END

# GCC itself clones by constant propagation.
run "$KILN" keep list --check=clones.o
status_is 1 "clones that GCC makes"
like "$out" "^only	only clones	only\.[a-z]+\.0" "a static function that is there only as a clone"

# A linked file has everything, or never will.
"$cc" -shared -fPIC -o linked.so code.c
run "$KILN" keep fine list --check=linked.so
status_is 1 "a linked file"
has "$out" "missing	absent" "what is absent is listed"
has "$out" "none_*	absent" "and a glob that nothing matches"
run "$KILN" keep fine --check=linked.so
status_is 0 "absence alone is no failure"

# With a plain build to compare with, what that one has must be there. clone.o has
# `only` as a clone alone.
printf '%s\n' plain missing 'use_*' 'none_*' only >compared
run "$KILN" keep compared --check=linked.so --plain=linked.so
status_is 0 "a build compared with itself"
is "$out" "3 names: 3 plain functions, 0 cloned, 0 only as clones, 0 not functions, 0 absent" \
	"of what it has not nothing is said"
printf 'int plain(int x) { return x; }\nint use_it(void) { return 2; }\n' >more.c
"$cc" -shared -fPIC -o more.so more.c
run "$KILN" keep compared --check=linked.so --plain=more.so
status_is 1 "a function that only the plain build has"
is "$out" "use_it	absent
2 names: 1 plain function, 0 cloned, 0 only as clones, 0 not functions, 1 absent" \
	"it is told, and nothing else; a glob stands for what it matches there"
run "$KILN" keep compared --check=clones.o --plain=more.so
status_is 1 "also in an object file, where absence is else normal"
run "$KILN" keep compared --check=linked.so --plain=clone.o
is "$out" "only	absent
1 name: 0 plain functions, 0 cloned, 0 only as clones, 0 not functions, 1 absent" \
	"a function that the plain build has as a clone is expected"
run "$KILN" keep compared --check=linked.so --plain=nowhere
status_is 2 "a plain build that is not there"
like "$err" "'nowhere' cannot be read" "is named"

# Two static functions of one name are plain, and told of.
printf 'copied\n' >one
ld -r -o two.o code.o clones.o
checked 0 two.o one <<'END'
copied	plain	2 copies
1 name: 1 plain function, 0 cloned, 0 only as clones, 0 not functions, 0 absent
END

# A module is an object file that is linked.
cat >module.c <<'END'
int plain(void) { return 0; }
__attribute__((section(".gnu.linkonce.this_module"))) int this_module = 1;
END
"$cc" -c module.c
run "$KILN" keep fine --check=module.o
has "$out" "gone	absent" "absence from a module is listed"

# Another class and byte order.
if command -v aarch64-linux-gnu-gcc >/dev/null; then
	aarch64-linux-gnu-gcc -mbig-endian -O2 -c -o big.o code.c
	checked 1 big.o list <<'END'
variable	no function
10 names: 4 plain functions, 0 cloned, 0 only as clones, 1 not a function, 5 absent
END
else
	skip "big endian" "no aarch64-linux-gnu-gcc"
fi
if "$cc" -m32 -O2 -c -o small.o code.c 2>/dev/null; then
	checked 1 small.o list <<'END'
variable	no function
10 names: 4 plain functions, 0 cloned, 0 only as clones, 1 not a function, 5 absent
END
else
	skip "32 bits" "no -m32"
fi

unread() {	# MESSAGE FILE
	run "$KILN" keep fine --check="$2"
	status_is 2 "check of $2"
	is "$err" "kiln: error: $1" "check of $2: message"
	is "$out" "" "check of $2: nothing on stdout"
}
unread "'none' cannot be read: No such file or directory" none
unread "'names' is no ELF file" names
unread "'empty' is no ELF file" empty
slim="has intermediate code of -flto instead of functions: check the kernel or module that is linked \
from it"
if "$cc" -O2 -flto -c -o slim.o code.c 2>/dev/null; then
	unread "'slim.o' $slim" slim.o	# said that all functions are absent
	ld -r -o half.o clone.o slim.o
	unread "'half.o' $slim" half.o
	"$cc" -O2 -flto -ffat-lto-objects -c -o fat.o code.c
	run "$KILN" keep fine --check=fat.o
	status_is 0 "an object file of -flto that has functions too"
	has "$out" "3 plain functions" "its functions"
else
	skip "-flto" "$cc has none"
fi
cp linked.so stripped
strip stripped
unread "'stripped' has no symbol table: it was stripped, or is damaged" stripped
size=$(wc -c <clone.o)
i=64
bad=
while [ $i -lt "$size" ]; do	# cut anywhere, it is an error or an answer, and no crash
	head -c $i clone.o >cut.o
	run "$KILN" keep fine --check=cut.o
	[ "$status" -le 2 ] || bad="$bad $i"
	i=$((i + 37))
done
is "$bad" "" "damaged files are no crash"

done_testing
