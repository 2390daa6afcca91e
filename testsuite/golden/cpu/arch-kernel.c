/* Under a kernel's flags: no vector instructions, whatever the CPU. */
/* target: x86_64 */
/* policy: all -march=znver2 -mtune=znver2 */
/* options: -O2 KERNEL */
/* compare: -march=znver2 -mtune=znver2 */
/* expect: copy lacks [xyz]mm */
#include "../cpu-part.h"
