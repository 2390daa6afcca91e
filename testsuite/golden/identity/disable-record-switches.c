/* arguments: disable */
/* options: -O2 -g -frecord-gcc-switches */
/* compare: plain */
#include "../kernel-like-part.h"
