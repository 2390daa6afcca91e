/* So does -mtune=generic, which the driver might have added, too. */
/* target: x86_64 */
/* policy: all -march=skylake */
/* options: -O2 -g -mtune=generic -Wall */
/* compare: -march=skylake */
#include "../cpu-part.h"
