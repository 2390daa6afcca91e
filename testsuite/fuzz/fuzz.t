#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck source=../lib/tap.sh
. "$(dirname "$0")/../lib/tap.sh"

# A short run of each fuzzer: what is in its corpus, and $FUZZ_RUNS inputs made of
# that, the same every time. What they find new goes into build/fuzz/corpus.

set -- "$top"/build/fuzz/fuzz_*
[ -x "$1" ] || skip_all "clang has no libFuzzer here (packages clang and libclang-rt-dev)"

for fuzzer in "$@"; do
	name=${fuzzer##*fuzz_}
	found=$top/build/fuzz/corpus/$name
	mkdir -p "$found"
	kept=$(find "$top/testsuite/fuzz/corpus/$name" -type f | wc -l)
	run "$fuzzer" "-runs=${FUZZ_RUNS:-20000}" -seed=1 -max_len=4096 -timeout=20 -rss_limit_mb=2048 \
		-close_fd_mask=2 "-artifact_prefix=$top/build/fuzz/" "$found" \
		"$top/testsuite/fuzz/corpus/$name"
	status_is 0 "$name"
	like "$err$out" "Done [0-9]+ runs" "$name: $kept files of its corpus, and more"
done

done_testing
