/* A policy that says nothing. */
/* policy: # nothing */
/* options: KERNEL -g */
/* compare: plain */
#include "../kernel-like-part.h"
