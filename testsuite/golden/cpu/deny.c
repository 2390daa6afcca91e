/* What a kernel cannot use: TBM comes with bdver4. */
/* target: x86_64 */
/* policy: all -march=bdver4 -mtune=bdver4 */
/* policy: include deny */
/* options: -O2 */
/* compare: -march=bdver4 -mtune=bdver4 -mno-avx -mno-avx512f -mno-fma4 -mno-xop -mno-sse4a -mno-tbm -mno-lwp */
#include "../cpu-part.h"
