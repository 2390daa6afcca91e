/* The command line's own -mtune= stays when only -march= is set. */
/* target: x86_64 */
/* policy: all -march=znver2 */
/* options: -O2 -g -mtune=skylake -Wall */
/* compare: -march=znver2 */
#include "../cpu-part.h"
