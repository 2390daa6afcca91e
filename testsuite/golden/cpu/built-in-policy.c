/* The CPU of a built-in policy, without its vectors that a kernel cannot use. */
/* target: aarch64 */
/* arguments: policy=graviton3 */
/* options: -O3 */
/* compare: -mcpu=neoverse-v1+nosve --param=early-inlining-insns=14 --param=inline-heuristics-hint-percent=600 --param=inline-min-speedup=15 --param=max-inline-insns-auto=30 --param=max-inline-insns-single=200 */
/* expect: sum lacks [^x]z[0-9]+\. */
#include "../cpu-part.h"
