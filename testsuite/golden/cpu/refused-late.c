/* GCC looks at this value with all others, and without a place. */
/* target: x86_64 */
/* policy: all -mtune=haswell --param=max-inline-insns-auto=40 */	/* note: 5: '-mtune=haswell' is a flag of this unit by this line */
/* policy: all -mrecip=nothing */		/* note: 5: '-mrecip=nothing' is a flag of this unit by this line; 'default' for the unit */
/* message: cc1: error: unknown option for .-mrecip=nothing. */
int unused;
