/* The instruction set of one CPU, the schedule of another. */
/* target: x86_64 */
/* policy: all -march=x86-64 -mtune=znver2 */
/* options: -O3 -g */
/* compare: -march=x86-64 -mtune=znver2 */
#include "../cpu-part.h"
