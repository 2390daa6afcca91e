/* A CPU that this GCC does not know leaves the one before it. */
/* target: aarch64 */
/* policy: on arm64 -mcpu=neoverse-n1 */
/* policy: on arm64 ?-mcpu=neoverse-n99 ?-mcpu=neoverse-n1+noextension */
/* options: -O2 -g */
/* compare: -mcpu=neoverse-n1 */
#include "../cpu-part.h"
