/*
 * Setting what is set changes nothing, under a kernel's whole command line: no flag
 * gets lost (frame pointer, red zone, mfentry...) and no .eh_frame comes.
 */
/* options: KERNEL */
/* policy: func * --param=max-inline-insns-auto=15 --param=early-inlining-insns=6 */
/* policy: func * --param=inline-min-speedup=30 -fno-strict-aliasing -fconserve-stack */
/* compare: plain */
/* expect: section .eh_frame is absent */
#include "../kernel-like-part.h"
