/* -frecord-gcc-switches puts the command line into the object. */
/* target: x86_64 */
/* policy: all -march=znver2 -mno-avx -fno-gcse */
/* options: -O2 -frecord-gcc-switches -mno-red-zone */
/* compare: -march=znver2 -mno-avx -fno-gcse */
#include "../cpu-part.h"
