/* An extension needs a CPU to be added to. */
/* target: aarch64 */
/* policy: on arm64 +nosve +lse */		/* error: 17: '\+lse' has no -mcpu= or -march= to be added to */
int f;
