/* Compile-time asserts, three calls deep, build wherever they build without the plugin. */
/* policy: all --param=early-inlining-insns=0 --param=max-inline-insns-auto=0 */
/* policy: all --param=max-inline-insns-single=0 */
/* policy: func read_* --param=inline-min-speedup=0 */
/* options: KERNEL */
/* expect: read_one does not call bad_size */
/* expect: read_two does not call bad_size */
#include "chain-part.h"
