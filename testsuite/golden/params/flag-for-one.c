/* A code generation flag that is no parameter, for one function. */
/* options: -O2 -fcf-protection=none */
/* policy: func a -fno-jump-tables */
/* target: x86_64 */
extern int work(int x);

#define SWITCH(x) \
	switch (x) { \
	case 1: return work(11); \
	case 2: return work(2) + 3; \
	case 3: return work(5) * 7; \
	case 4: return work(9) - 4; \
	case 5: return work(1) ^ x; \
	case 6: return work(3) | 8; \
	case 7: return work(4) & 3; \
	} \
	return 0

/* plain: a has jmpq? +\*% */
/* expect: a lacks jmpq? +\*% */
int a(int x)
{
	SWITCH(x);
}

/* expect: b has jmpq? +\*% */
int b(int x)
{
	SWITCH(x);
}
