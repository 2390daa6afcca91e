extern void bad_size(void) __attribute__((error("size is not a constant power of two")));

static inline __attribute__((always_inline)) void check(unsigned long size)
{
	if (!__builtin_constant_p(size) || (size & (size - 1)))
		bad_size();
}

static inline __attribute__((always_inline)) int reserve(int *at, unsigned long size)
{
	check(size);
	*at += size;
	return *at;
}

static inline __attribute__((always_inline)) int get(int *at, int wide)
{
	return wide ? reserve(at, 8) : reserve(at, 4);
}

int read_one(int *at)
{
	return get(at, 1);
}

int read_two(int *at, int wide)
{
	return get(at, wide) + get(at, !wide);
}
