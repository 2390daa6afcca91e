/* -frecord-gcc-switches puts the command line into the object. */
/* arguments: policy=rfc */
/* options: -O2 -frecord-gcc-switches */
/* compare: --param=early-inlining-insns=14 --param=inline-heuristics-hint-percent=600 --param=inline-min-speedup=15 --param=max-inline-insns-auto=30 --param=max-inline-insns-single=200 */
#include "../kernel-like-part.h"
