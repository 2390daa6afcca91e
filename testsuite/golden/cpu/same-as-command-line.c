/* What the command line says already changes nothing. */
/* target: x86_64 */
/* policy: all -march=znver2 */
/* options: -O2 -march=znver2 -mtune=znver2 */
/* compare: plain */
#include "../cpu-part.h"
