/* Two policies in one command: the later one is read later. */
/* arguments: policy=rfc policy=keep noguard */
/* compare: --param=early-inlining-insns=14 --param=inline-heuristics-hint-percent=600 --param=inline-min-speedup=15 --param=max-inline-insns-auto=30 --param=max-inline-insns-single=200 */
#include "../kernel-like-part.h"
