/* Options of the CPU at the very end of the command line. */
/* target: x86_64 */
/* policy: all -march=znver2 */
/* options: -O2 -g -msse3 -mtune=skylake */
/* compare: -march=znver2 */
#include "../cpu-part.h"
