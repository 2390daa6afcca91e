/* Code that each instruction set and each tuning makes something else of. */
struct big {
	long words[40];
};

static inline long mix(long x, long y)
{
	return (x & ~y) ^ (x >> (y & 63)) ^ __builtin_ctzl(x | 1);
}

void copy(struct big *to, const struct big *from)
{
	*to = *from;
}

long sum(const long *values, int count)
{
	long sum = 0;

	for (int i = 0; i < count; i++)
		sum += mix(values[i], i) / (count + 3);
	return sum;
}

int exchange(int *where, int value)
{
	return __atomic_exchange_n(where, value, __ATOMIC_SEQ_CST);
}

/* What the front end sees. */
#define STRINGS(x) #x
#define STRING(x) STRINGS(x)
#ifdef __BMI2__
const char bmi2[] = "bmi2";
#endif
#ifdef __ARM_FEATURE_ATOMICS
const char atomics[] = "atomics";
#endif
#ifdef __ARM_FEATURE_SVE
const char sve[] = "sve " STRING(__ARM_FEATURE_SVE);
#endif
#ifdef __tune_znver3__
const char tune[] = "znver3";
#endif
