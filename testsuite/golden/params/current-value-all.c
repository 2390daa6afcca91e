/* The same for a unit. */
/* options: KERNEL */
/* policy: all --param=max-inline-insns-auto=15 --param=early-inlining-insns=6 -fno-strict-aliasing */
/* compare: plain */
/* expect: section .eh_frame is absent */
#include "../kernel-like-part.h"
