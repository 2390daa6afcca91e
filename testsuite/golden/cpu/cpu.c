/* -mcpu= sets the instruction set and the schedule. */
/* target: aarch64 */
/* policy: on arm64 -mcpu=neoverse-n1 */
/* options: -O2 -g */
/* compare: -mcpu=neoverse-n1 */
/* expect: exchange has swpal */
/* plain: exchange lacks swpal */
#include "../cpu-part.h"
