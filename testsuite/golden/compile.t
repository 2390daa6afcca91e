#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The golden compile tests of this directory: see testsuite/lib/golden --help.
exec "$(dirname "$0")/../lib/golden" "$@"
