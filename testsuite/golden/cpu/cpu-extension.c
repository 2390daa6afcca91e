/* Extensions are added to the CPU and taken from it. */
/* target: aarch64 */
/* policy: on arm64 -mcpu=neoverse-v1 */
/* policy: on arm64 +nosve +memtag */
/* options: -O3 -g */
/* compare: -mcpu=neoverse-v1+nosve+memtag */
#include "../cpu-part.h"
