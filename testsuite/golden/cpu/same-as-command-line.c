/* What the command line says already changes nothing. */
/* target: x86_64 */
/* policy: all -march=znver3 */
/* options: -O2 -march=znver3 -mtune=znver3 */
/* compare: plain */
#include "../cpu-part.h"
