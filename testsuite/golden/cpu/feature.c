/* Single features, on and off, and a parameter of the tuning. */
/* target: x86_64 */
/* policy: all -march=haswell -mno-bmi2 -mmovbe --param=l1-cache-size=48 */
/* options: -O2 -g */
/* compare: -march=haswell -mno-bmi2 -mmovbe --param=l1-cache-size=48 */
#include "../cpu-part.h"
