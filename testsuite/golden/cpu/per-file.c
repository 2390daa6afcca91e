/* A rule for another file sets nothing here; a later line undoes an earlier one. */
/* target: x86_64 */
/* policy: all -march=znver3 */
// policy: file **/other.c -march=skylake
// policy: file **/per-file.c default
// policy: file **/per-file.c -mtune=znver2
/* options: -O2 -g */
/* compare: -mtune=znver2 */
#include "../cpu-part.h"
