// Rules for other files and functions.
// policy: file drivers/** --param=max-inline-insns-auto=1000
/* policy: func no_such_function keep */
/* policy: file net/core/dev.c func * noinline */
/* options: KERNEL -g */
/* compare: plain */
#include "../kernel-like-part.h"
