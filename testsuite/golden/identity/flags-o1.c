/* The flags of a unit under another optimization level. */
/* arguments: noguard */
/* options: -O1 */
/* policy: all --param=max-inline-insns-auto=100 -fno-tree-vectorize -fno-ipa-cp */
/* compare: --param=max-inline-insns-auto=100 -fno-tree-vectorize -fno-ipa-cp */
#include "../kernel-like-part.h"
