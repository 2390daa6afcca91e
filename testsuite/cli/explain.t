#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

# explains NAME ARG...: the lines on stdin, "|" between fields, are the answer of
# "kiln explain p.policy ARG..." for x86_64 without the guard.
explains() {
	name=$1
	shift
	want=$(tr '|' '\t')
	run "$KILN" explain --arch=x86_64 --no-guard p.policy "$@"
	status_is 0 "$name"
	is "$out" "$want" "$name: answer"
}

# ---- a later line wins, flag by flag

cat >p.policy <<'END'
all --param=early-inlining-insns=14 -fno-gcse
on arm64 -fno-ivopts
on x86 -ftracer
file net/** --param early-inlining-insns=20
file net/** func tcp_* -fgcse ?-fno-new
END
explains "unit scope alone" fs/open.c do_open <<'END'
--param=early-inlining-insns=14|p.policy:1:5|unit|holds
-fno-gcse|p.policy:1:37|unit|holds
-ftracer|p.policy:3:8|unit|holds
END
is "$err" "" "nothing is said besides"
explains "a later line wins" net/ipv4/tcp.c tcp_ack <<'END'
--param=early-inlining-insns=14|p.policy:1:5|unit|replaced by p.policy:4:13
-fno-gcse|p.policy:1:37|unit|replaced by p.policy:5:24
-ftracer|p.policy:3:8|unit|holds
--param=early-inlining-insns=20|p.policy:4:13|unit|holds
-fgcse|p.policy:5:24|function|holds
?-fno-new|p.policy:5:31|function|holds
END
explains "the unit as a whole" net/ipv4/tcp.c <<'END'
--param=early-inlining-insns=14|p.policy:1:5|unit|replaced by p.policy:4:13
-fno-gcse|p.policy:1:37|unit|holds
-ftracer|p.policy:3:8|unit|holds
--param=early-inlining-insns=20|p.policy:4:13|unit|holds
END
run "$KILN" explain --arch=aarch64 --no-guard p.policy fs/open.c
has "$out" "-fno-ivopts" "--arch chooses the rules of an architecture"
lacks "$out" "-ftracer" "and leaves out those of others"

printf 'func a keep\n' >p.policy
explains "no rule" fs/open.c b </dev/null
is "$err" "kiln: note: no rule holds for b of fs/open.c" "no rule: it is said"

# ---- default

cat >p.policy <<'END'
all -fno-gcse
func a keep
file drivers/** default
file drivers/** func a noinline
END
explains "default" drivers/a.c a <<'END'
-fno-gcse|p.policy:1:5|unit|undone by p.policy:3:17
keep|p.policy:2:8|function|undone by p.policy:3:17
noinline|p.policy:4:24|function|holds
END

# ---- keep, noinline, inline

cat >p.policy <<'END'
func a keep
func a noinline
func a inline
func b inline
func b keep
func c keep noinline
func d keep
func ? keep
END
explains "inline undoes keep and noinline" x.c a <<'END'
keep|p.policy:1:8|function|undone by p.policy:3:8
noinline|p.policy:2:8|function|undone by p.policy:3:8
inline|p.policy:3:8|function|undone by p.policy:8:8
keep|p.policy:8:8|function|holds
END
explains "keep undoes inline, the last keep counts" x.c b <<'END'
inline|p.policy:4:8|function|undone by p.policy:5:8
keep|p.policy:5:8|function|replaced by p.policy:8:8
keep|p.policy:8:8|function|holds
END
explains "noinline does not weaken keep" x.c c <<'END'
keep|p.policy:6:8|function|replaced by p.policy:8:8
noinline|p.policy:6:13|function|holds
keep|p.policy:8:8|function|holds
END

# ---- leave, force, the guard

cat >p.policy <<'END'
all -fno-gcse
func a leave
func a -fno-ivopts
func a keep
func a force -ftracer
END
explains "leave takes all but force and keep" x.c a <<'END'
-fno-gcse|p.policy:1:5|unit|left alone by p.policy:2:8
leave|p.policy:2:8|function|holds
-fno-ivopts|p.policy:3:8|function|left alone by p.policy:2:8
keep|p.policy:4:8|function|holds
-ftracer|p.policy:5:14|function|holds
END

cat >p.policy <<'END'
func a -fno-gcse
func a force inline
func a leave
func a -fgcse
func a keep
END
explains "what is left alone replaces nothing, keep undoes a forced inline" x.c a <<'END'
-fno-gcse|p.policy:1:8|function|left alone by p.policy:3:8
inline|p.policy:2:14|function|undone by p.policy:5:8
leave|p.policy:3:8|function|holds
-fgcse|p.policy:4:8|function|left alone by p.policy:3:8
keep|p.policy:5:8|function|holds
END

cat >p.policy <<'END'
func a leave
func a force -ftracer
func a -fno-tracer
func a force -ftracer
func a default
func a -fno-gcse
END
explains "default undoes leave" x.c a <<'END'
leave|p.policy:1:8|function|undone by p.policy:5:8
-ftracer|p.policy:2:14|function|replaced by p.policy:3:8
-fno-tracer|p.policy:3:8|function|replaced by p.policy:4:14
-ftracer|p.policy:4:14|function|undone by p.policy:5:8
-fno-gcse|p.policy:6:8|function|holds
END

cat >p.policy <<'END'
all -fno-gcse
all default
all -fno-ivopts
func a force -ftracer
END
run "$KILN" explain p.policy x.c a --section=.noinstr.text
status_is 0 "the guard by section"
guard=$("$KILN" policies guard | awk '/^section [.]noinstr[.]text/ {
	print "<built-in guard>:" NR ":" index($0, "leave") }')
is "$out" "-fno-gcse${tab}p.policy:1:5${tab}unit${tab}undone by p.policy:2:5
-fno-ivopts${tab}p.policy:3:5${tab}unit${tab}left alone by $guard
-ftracer${tab}p.policy:4:14${tab}function${tab}holds
leave${tab}$guard${tab}function${tab}holds" "the guard by section: answer"
run "$KILN" explain p.policy x.c a
lacks "$out" "guard" "the guard leaves other functions"
run "$KILN" explain p.policy arch/x86/boot/main.c
like "$out" "^leave${tab}<built-in guard>:[0-9]+:[0-9]+${tab}unit${tab}holds$" \
	"the guard by file has unit scope"
run "$KILN" explain --no-guard p.policy arch/x86/boot/main.c
lacks "$out" "guard" "--no-guard"

# ---- files: source, object, the file of the definition

cat >p.policy <<'END'
file kernel/sched/rt.c -fno-gcse
file kernel/sched/build_policy.o -fno-ivopts
file kernel/sched/rt.c func a keep
END
explains "the file of the definition" kernel/sched/build_policy.c a \
	--defined-in=kernel/sched/rt.c <<'END'
-fno-gcse|p.policy:1:24|function|holds
-fno-ivopts|p.policy:2:34|unit|holds
keep|p.policy:3:31|function|holds
END
explains "another file of the unit" kernel/sched/build_policy.c a <<'END'
-fno-ivopts|p.policy:2:34|unit|holds
END
explains "an object of another name" kernel/sched/rt.c --object=kernel/sched/build_policy.o <<'END'
-fno-gcse|p.policy:1:24|unit|holds
-fno-ivopts|p.policy:2:34|unit|holds
END

mkdir -p linux/include/linux linux/fs
: >linux/include/linux/kconfig.h
printf 'file fs/open.c keep\nfile /** noinline\n' >p.policy
for path in fs/open.c ./fs/../fs/open.c linux/fs/open.c "$tap_dir/linux/fs/open.c"; do
	explains "path $path" "$path" <<'END'
keep|p.policy:1:16|unit|holds
END
done
explains "a file outside any tree" /nowhere/fs/open.c <<'END'
noinline|p.policy:2:10|unit|holds
END

# ---- calls

cat >p.policy <<'END'
func a call b inline
func a call c noinline
func a inline
END
explains "calls" x.c a <<'END'
inline|p.policy:1:15|call b|holds
noinline|p.policy:2:15|call c|holds
inline|p.policy:3:8|function|holds
END
explains "calls of another function" x.c b </dev/null
cat >p.policy <<'END'
func a call b inline
func a default
func a call b inline
func a call * noinline
func a call b noinline
END
explains "calls, and what comes later" x.c a <<'END'
inline|p.policy:1:15|call b|undone by p.policy:2:8
inline|p.policy:3:15|call b|replaced by p.policy:5:15
noinline|p.policy:4:15|call *|holds
noinline|p.policy:5:15|call b|holds
END
cat >p.policy <<'END'
func a call b inline
func a call c force inline
func a leave
END
explains "calls of a function left alone" x.c a <<'END'
inline|p.policy:1:15|call b|left alone by p.policy:3:8
inline|p.policy:2:21|call c|holds
leave|p.policy:3:8|function|holds
END

# ---- the default policy

run "$KILN" explain default fs/open.c do_sys_openat2
status_is 0 "the default policy"
is "$(echo "$out" | grep -c "^--param=[a-z-]*=[0-9]*${tab}<built-in rfc>:[0-9]*:5${tab}unit${tab}holds$")" \
	5 "it has five parameters"
like "$out" "^keep${tab}<built-in keep>:[0-9]+:[0-9]+${tab}function${tab}holds$" \
	"it keeps do_sys_openat2"
answer=$out
run "$KILN" explain default fs/open.c do_sys_openat2
is "$out" "$answer" "the same question has the same answer"

done_testing
