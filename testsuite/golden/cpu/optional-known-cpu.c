/* A CPU that it does know replaces it. */
/* target: aarch64 */
/* policy: on arm64 -mcpu=neoverse-n1 */
/* policy: on arm64 ?-mcpu=neoverse-v1 ?+nosve ?+noextension */
/* options: -O3 -g */
/* compare: -mcpu=neoverse-v1+nosve */
#include "../cpu-part.h"
