/* An optional extension is left out where there is no CPU that it could be added to. */
/* target: aarch64 */
/* policy: on arm64 ?+lse */
/* options: -O2 -g */
/* compare: plain */
#include "../cpu-part.h"
