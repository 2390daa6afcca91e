/* The command line's own -mtune= stays when only -march= is set. */
/* target: x86_64 */
/* policy: all -march=znver3 */
/* options: -O2 -g -mtune=skylake -Wall */
/* compare: -march=znver3 */
#include "../cpu-part.h"
