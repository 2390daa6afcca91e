/* Extensions of the command line's CPU. */
/* target: aarch64 */
/* policy: on arm64 +nosve */
/* options: -O3 -g -mcpu=neoverse-v1 */
/* compare: -mcpu=neoverse-v1+nosve */
#include "../cpu-part.h"
