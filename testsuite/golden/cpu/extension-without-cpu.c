/* There is nothing to take away from a CPU that nobody named. */
/* target: aarch64 */
/* policy: on arm64 +nosve */
/* options: -O3 -g */
/* compare: plain */
#include "../cpu-part.h"
