# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2154
#
# What the tests of the command share; sourced after tap.sh. $KILN is the command
# to test, build/host/kiln of this tree if it is not set.

KILN=${KILN:-$top/build/host/kiln}
case $KILN in
/*) ;;
*) KILN=$OLDPWD/$KILN ;;
esac
if [ ! -x "$KILN" ]; then
	echo "Bail out! $KILN is missing: make command"
	exit 1
fi
unset KILN_PLUGIN

# shellcheck disable=SC2034
tab=$(printf '\t')
