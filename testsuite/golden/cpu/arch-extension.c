/* Where there is an -march=, extensions belong to it, not to -mcpu=. */
/* target: aarch64 */
/* policy: on arm64 -mtune=neoverse-n1 +lse */
/* options: -O2 -g -march=armv8-a */
/* compare: -mtune=neoverse-n1 -march=armv8-a+lse */
/* expect: exchange has swpal */
#include "../cpu-part.h"
