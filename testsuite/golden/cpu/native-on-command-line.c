/* What the driver has made of it by then cannot be taken back. */
/* target: x86_64 */
/* policy: all -march=haswell -mno-avx */	/* warning: 5: '-march=native' on the command line adds this machine's features to those of '-march=haswell' */
/* policy: all -mtune=haswell */		/* warning: 5: '-mtune=native' on the command line */
/* options: -O2 -march=native -mtune=native */
int unused;
