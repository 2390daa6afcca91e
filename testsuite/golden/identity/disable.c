/* arguments: disable policy=/does/not/exist */
/* options: KERNEL -g */
/* compare: plain */
#include "../kernel-like-part.h"
