/* -march= without -mtune= tunes for that CPU, as on a command line without either. */
/* target: x86_64 */
/* policy: all -march=znver2 */
/* options: -O2 -g */
/* compare: -march=znver2 */
/* expect: sum has (shrx|sarx|andn) */
/* plain: sum lacks (shrx|sarx|andn) */
#include "../cpu-part.h"
