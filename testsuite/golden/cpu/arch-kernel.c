/* Under a kernel's flags: no vector instructions, whatever the CPU. */
/* target: x86_64 */
/* policy: all -march=znver3 -mtune=znver3 */
/* options: -O2 KERNEL */
/* compare: -march=znver3 -mtune=znver3 */
/* expect: copy lacks [xyz]mm */
#include "../cpu-part.h"
