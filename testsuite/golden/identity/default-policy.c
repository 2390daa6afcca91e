/* Without an argument: the built-in policy `default`, the parameters of -O3's inliner. */
/* arguments: noguard */
/* options: KERNEL -g */
/* compare: --param=early-inlining-insns=14 --param=inline-heuristics-hint-percent=600 --param=inline-min-speedup=15 --param=max-inline-insns-auto=30 --param=max-inline-insns-single=200 */
#include "../kernel-like-part.h"
