/* The policy wins over the command line's CPU. */
/* target: x86_64 */
/* policy: all -march=x86-64-v2 -mtune=generic */
/* options: -O2 -g -march=znver2 -mtune=znver2 */
/* compare: -march=x86-64-v2 -mtune=generic */
#include "../cpu-part.h"
