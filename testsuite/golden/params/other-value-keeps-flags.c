/* A function with a setting of its own keeps every other flag of the command line. */
/* options: KERNEL */
/* policy: func * --param=ipa-cp-eval-threshold=501 */
/* compare: plain */
/* expect: section .eh_frame is absent */
/* expect x86_64: open_file has push\s+%rbp */
/* expect x86_64: open_file calls __fentry__ */
/* expect aarch64: open_file has paciasp|hint\s+#0x19 */
#include "../kernel-like-part.h"
