#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"
# shellcheck source=kiln.sh
. "$top/testsuite/cli/kiln.sh"

# Kiln in a kernel's source tree, and out again. testsuite/kernel/integrate builds
# with it.

kiln_dir=scripts/gcc-plugins/kiln
here=$PWD

# Of a kernel as much as is looked at.
kernel_tree() {	# DIRECTORY
	mkdir -p "$1/scripts/gcc-plugins"
	touch "$1/Kbuild" "$1/Makefile"
	cat >"$1/scripts/Makefile.gcc-plugins" <<-'END'
	gcc-plugin-$(CONFIG_GCC_PLUGIN_OTHER) += other_plugin.so

	# Of all plugins,
	# the flags.
	GCC_PLUGINS_CFLAGS := $(strip $(gcc-plugin-cflags-y))
	export GCC_PLUGINS_CFLAGS
	END
	printf 'menuconfig GCC_PLUGINS\n\tbool "endif"\n\nif GCC_PLUGINS\n\nendif\n' \
		>"$1/scripts/gcc-plugins/Kconfig"
	printf 'always-y += $(GCC_PLUGIN)\n\nGCC_PLUGINS_DIR = $(shell $(CC))\n' \
		>"$1/scripts/gcc-plugins/Makefile"
	chmod 640 "$1/scripts/gcc-plugins/Makefile"
}

# All that a tree is, but for times.
picture() {	# DIRECTORY
	(cd "$1" && find . -printf '%p %y %m %l\n' | sort && find . -type f | sort | xargs sha256sum)
}
stamps() {	# DIRECTORY
	(cd "$1" && find . -printf '%p %i %T@\n' | sort)
}

# The tree is as it was before the last refusal.
refused() {	# PATTERN NAME
	status_is 2 "$2"
	like "$err" "$1" "$2: it is told"
	is "$(picture t)" "$before" "$2: nothing is changed"
}

new_tree() {
	rm -rf t
	kernel_tree t
	before=$(picture t)
}

# ---- there and back

new_tree
original=$before
run "$KILN" integrate t
status_is 0 "integrate"
like "$err" "^kiln: note: Kiln [0-9.]+ is in '$here/t' now; CONFIG_GCC_PLUGIN_KILN=y" "it is told"
is "$(cat t/scripts/Makefile.gcc-plugins)" 'gcc-plugin-$(CONFIG_GCC_PLUGIN_OTHER) += other_plugin.so

# kiln integrate: begin
include $(srctree)/scripts/gcc-plugins/kiln/Makefile.flags
# kiln integrate: end

# Of all plugins,
# the flags.
GCC_PLUGINS_CFLAGS := $(strip $(gcc-plugin-cflags-y))
export GCC_PLUGINS_CFLAGS' "the flags' makefile, before the comment"
is "$(tail -n 6 t/scripts/gcc-plugins/Kconfig)" '
# kiln integrate: begin
source "scripts/gcc-plugins/kiln/Kconfig"
# kiln integrate: end

endif' "Kconfig"
is "$(sed -n 3,7p t/scripts/gcc-plugins/Makefile)" '# kiln integrate: begin
include $(srctree)/scripts/gcc-plugins/kiln/Makefile
# kiln integrate: end

GCC_PLUGINS_DIR = $(shell $(CC))' "the makefile"
is "$(stat -c %a t/scripts/gcc-plugins/Makefile)" 640 "a file keeps its mode"
is "$(cd t/$kiln_dir && find . -type f | sed 's|^\./||' | sort)" \
	"$(sed '1s/.*/files/' t/$kiln_dir/files | sort)" "all files are in the list"
is "$(head -n 1 t/$kiln_dir/files)" "$("$KILN" --version | sed 's/kiln //')" "and the version is"
is "$(find t -name '*.kiln-*')" "" "no temporary files"
for pair in core/rule.c:plugin/core gcc/plugin.c:plugin/gcc include/kiln/policy.h:include/kiln \
	policies/guard.policy:kbuild/policies cli/make/refresh.c:kbuild/cli/make Kconfig:kbuild/tree; do
	name=${pair%%:*}
	ok cmp -s "t/$kiln_dir/$name" "$top/${pair#*:}/${name##*/}" "$name is the project's"
done

before_again=$(stamps t)
run "$KILN" integrate t
status_is 0 "integrate again"
is "$(stamps t)" "$before_again" "no file is touched"
like "$err" "is in '$here/t' already; nothing is to be changed$" "it is told"
run "$KILN" integrate --patch t
is "$out$err" "" "nor has it a patch"

run "$KILN" integrate --remove t
status_is 0 "remove"
is "$(picture t)" "$original" "the tree is what it was"
run "$KILN" integrate t --remove
status_is 0 "remove again"
like "$err" "^kiln: note: there is no Kiln in '$here/t'; nothing is to be removed$" "it is told"
is "$(picture t)" "$original" "nothing is changed"

# ---- what lies beside the files

"$KILN" integrate t 2>/dev/null
touch t/$kiln_dir/kiln-refresh t/$kiln_dir/builtin-table.c t/$kiln_dir/core/rule.o \
	t/$kiln_dir/core/.rule.o.cmd t/$kiln_dir/my.policy
run "$KILN" integrate --remove t
status_is 0 "remove from where there is more"
like "$err" "note: '$here/t/$kiln_dir/my.policy' is left: it is not Kiln's" "a user's file is told of"
is "$(find t/$kiln_dir -type f)" "t/$kiln_dir/my.policy" "and left, and what was built is not"
before=$(picture t)
run "$KILN" integrate t
refused "/t/$kiln_dir' is there, without the list of files" "a directory that may be somebody's"

# ---- another version

new_tree
"$KILN" integrate t 2>/dev/null
good=$(picture t)
sed -i '1s/.*/0.0.1/; 2i core/obsolete.c' t/$kiln_dir/files
echo '/* obsolete */' >t/$kiln_dir/core/obsolete.c
echo '/* older */' >>t/$kiln_dir/core/rule.c
sed -i 's|kiln/Kconfig|kiln/Kconfig.older|' t/scripts/gcc-plugins/Kconfig
run "$KILN" integrate --patch t
like "$out" "^Subject: \[PATCH\] gcc-plugins: update Kiln from 0\.0\.1 to " "an update as a patch"
(cd t && printf '%s\n' "$out" | patch -s -p1)
is "$(picture t)" "$good" "the patch brings it up to date"
(cd t && printf '%s\n' "$out" | patch -s -p1 -R)
run "$KILN" integrate t
status_is 0 "an older version is there"
like "$err" "^kiln: note: Kiln [0-9.]+ in '$here/t' takes the place of 0\.0\.1$" "it is told"
is "$(picture t)" "$good" "it is brought up to date"
printf '0.0.1\nKconfig\n../../../Makefile\n' >t/$kiln_dir/files
before=$(picture t)
run "$KILN" integrate --remove t
refused "^kiln: error: $kiln_dir/files:3: '\.\./\.\./\.\./Makefile' is not the name" "a list that leads elsewhere"

# ---- patches

new_tree
run "$KILN" integrate --patch t
status_is 0 "a patch"
is "$err" "" "a patch: no messages"
is "$(picture t)" "$before" "a patch: the tree is not changed"
printf '%s\n' "$out" >add.patch
run "$KILN" integrate --patch -o add2.patch t
is "$(cat add2.patch)" "$(cat add.patch)" "the same into a file"
"$KILN" integrate t 2>/dev/null
after=$(picture t)
"$KILN" integrate --remove --patch t >remove.patch
new_tree
(cd t && patch -s -p1 <../add.patch)
is "$(picture t)" "$after" "patch -p1 does what integrate does"
run "$KILN" integrate t
like "$err" "already; nothing is to be changed" "which integrate finds done"
(cd t && patch -s -p1 <../remove.patch)
is "$(picture t)" "$before" "and the other patch takes it out"
if command -v git >/dev/null; then
	export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t
	run git -C t -c init.defaultBranch=x init -q
	git -C t add . && git -C t commit -q -m kernel
	run git -C t am -q ../add.patch
	status_is 0 "git am"
	is "$err" "" "git am: no complaints"
	run "$KILN" integrate t
	like "$err" "already; nothing is to be changed" "which integrate finds done too"
	is "$(git -C t status --porcelain)" "" "git am: all of it is committed"
	is "$(git -C t show -s --format=%s)" "gcc-plugins: add Kiln $("$KILN" --version | sed 's/kiln //')" \
		"git am: a subject"
	run git -C t am -q ../remove.patch
	is "$(git -C t diff --stat HEAD~2)" "" "git am of the other"
else
	skip "git am" "no git"
fi
run "$KILN" integrate -o x.patch t
status_is 2 "-o without --patch"

# ---- refusals

new_tree
mkdir o && ln -s "$here/t" o/source && touch o/Makefile
run "$KILN" integrate o
status_is 2 "where a kernel is built"
like "$err" "'o' is where a kernel is built, not its source tree; that is 'o/source'" "it is told"
is "$(ls -A o)" "Makefile
source" "nothing is put there"
run "$KILN" integrate .
status_is 2 "no kernel"
like "$err" "'\.' is not the source tree of a kernel that has GCC plugins: there is no Kbuild in it" "it is told"
run "$KILN" integrate nowhere
status_is 2 "no such directory"
like "$err" "'nowhere' cannot be used: No such file" "it is told"
run "$KILN" integrate
status_is 2 "no tree"

spoil() {	# SED-COMMAND FILE PATTERN NAME
	new_tree
	sed -i "$1" "t/$2"
	before=$(picture t)
	run "$KILN" integrate t
	refused "$3" "$4"
}
spoil /GCC_PLUGINS_CFLAGS/d scripts/Makefile.gcc-plugins \
	"^kiln: error: scripts/Makefile\.gcc-plugins: no line begins with 'GCC_PLUGINS_CFLAGS := '.* not known" \
	"a makefile of another kind"
spoil 's/^endif/end/' scripts/gcc-plugins/Kconfig "^kiln: error: scripts/gcc-plugins/Kconfig: no line begins with 'endif'" \
	"a Kconfig of another kind"
spoil '$aif X\nendif' scripts/gcc-plugins/Kconfig \
	"^kiln: error: scripts/gcc-plugins/Kconfig:8: this line begins with 'endif' as line 6 does" "two places"
spoil '1i# kiln integrate: begin' scripts/gcc-plugins/Makefile \
	"^kiln: error: scripts/gcc-plugins/Makefile:1: this is not the mark that is expected" "a mark without its end"
spoil '1i# kiln integrate: end' scripts/gcc-plugins/Makefile "Makefile:1: this is not the mark" "an end without its begin"
spoil '1i# kiln integrate: begin\n# kiln integrate: end\n# kiln integrate: begin' scripts/gcc-plugins/Makefile \
	"Makefile:3: this is not the mark" "two marks"
spoil 's/export/\x00/' scripts/Makefile.gcc-plugins "Makefile\.gcc-plugins: there is a NUL byte" "a NUL byte"
new_tree
rm t/scripts/gcc-plugins/Makefile
before=$(picture t)
run "$KILN" integrate t
refused "scripts/gcc-plugins/Makefile: this file is missing" "a file that is missing"

new_tree
mv t/scripts/gcc-plugins/Kconfig real && ln -s "$here/real" t/scripts/gcc-plugins/Kconfig
cp real real.before
before=$(picture t)
run "$KILN" integrate t
refused "'$here/t/scripts/gcc-plugins/Kconfig' is a link" "a file that is a link"
ok cmp -s real real.before "what it leads to is not touched"
new_tree
mv t/scripts/gcc-plugins plugins && ln -s "$here/plugins" t/scripts/gcc-plugins
before=$(picture t)
run "$KILN" integrate t
refused "'$here/t/scripts/gcc-plugins' is a link" "a directory that is a link"
is "$(ls plugins)" "Kconfig
Makefile" "what it leads to is not touched"
rm -r plugins

# Half of it is done when the other half cannot be.
new_tree
mkdir t/scripts/gcc-plugins/Makefile.kiln-old
before=$(picture t)
run "$KILN" integrate t
refused "'$here/t/scripts/gcc-plugins/Makefile.kiln-old' cannot be made: File exists" "a failure on the way"
new_tree
mkdir -p t/scripts/Makefile.gcc-plugins.kiln-new/x
before=$(picture t)
run "$KILN" integrate t
refused "'$here/t/scripts/Makefile.gcc-plugins.kiln-new' cannot be written: File exists" "a failure at the start"

new_tree
if [ "$(id -u)" -eq 0 ] && mount -t tmpfs -o size=200k tmpfs t 2>/dev/null; then
	trap 'umount "$here/t"; tap_cleanup' EXIT
	kernel_tree t
	before=$(picture t)
	run "$KILN" integrate t
	refused "kiln-new' cannot be written: No space left" "a full disk"
	mount -o remount,ro t
	run "$KILN" integrate t
	refused "'$here/t/scripts' cannot be written: Read-only" "a tree that cannot be written"
	umount t
	trap tap_cleanup EXIT
else
	skip "a full disk" "no tmpfs can be mounted"
	chmod a-w t/scripts
	before=$(picture t)
	run "$KILN" integrate t
	refused "'$here/t/scripts' cannot be written: Permission denied" "a tree that cannot be written"
	chmod u+w t/scripts
fi

# ---- installed

mkdir -p i/bin i/share/kiln
cp "$KILN" i/bin/kiln
new_tree
run i/bin/kiln integrate t
refused "'$here/i/share/kiln/tree/files' is missing: the sources .* are not installed" "an installation without them"
cp -r "$(dirname "$(dirname "$KILN")")/tree" i/share/kiln/tree
run i/bin/kiln integrate t
status_is 0 "an installed kiln"
is "$(picture t)" "$after" "does the same"
rm i/share/kiln/tree/core/rule.c
new_tree
run i/bin/kiln integrate t
refused "'$here/i/share/kiln/tree/core/rule.c' is missing; install kiln again" "a file of it is missing"

done_testing
