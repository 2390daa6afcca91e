/* -mtune= alone leaves the instruction set as it is. */
/* target: x86_64 */
/* policy: all -mtune=znver2 */
/* options: -O2 -g */
/* compare: -mtune=znver2 */
/* expect: sum lacks (shrx|sarx|andn) */
#include "../cpu-part.h"
