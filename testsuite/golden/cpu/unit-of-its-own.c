/* The kernel gives some units a CPU of their own; what they count on of it stays. */
/* target: aarch64 */
/* policy: on arm64 -mcpu=neoverse-n1 */
// policy: file **/unit-of-its-own.c ?+crypto
/* options: -O2 -g -mcpu=generic+crypto */
/* compare: -mcpu=neoverse-n1+crypto */
#include "../cpu-part.h"
