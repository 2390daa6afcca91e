/* Work for every optimizer: compiled by flags.t with each flag of GCC, never run. */
#include <stdarg.h>
#include <stddef.h>

struct point {
	int x, y;
	double weight;
};

struct list {
	struct list *next;
	struct point at;
	char name[24];
	unsigned flags : 5, kind : 3;
};

extern void log_line(const char *format, ...) __attribute__((cold, format(printf, 1, 2)));
extern int read_byte(void *from);
extern void fail(int why) __attribute__((noreturn));
extern size_t strlen(const char *text);
extern void *memcpy(void *to, const void *from, size_t size);
extern double sqrt(double x);
extern int table[64], result[64];
extern volatile int device;

static int square(int x)
{
	return x * x;
}

static inline int clamp(int x, int low, int high)
{
	if (x < low)
		return low;
	return x > high ? high : x;
}

static int scaled(const struct point *point, int factor, int unused)
{
	int sum = 0;

	for (int i = 0; i < point->x; i++)
		sum += table[i & 63] * factor + (factor > 4 ? table[i & 31] / factor : i);
	return sum;
}

int use_scaled(const struct point *one, const struct point *other)
{
	return scaled(one, 7, 1) + scaled(other, 7, 2) * scaled(one, 3, 3);
}

void add_arrays(int *restrict to, const int *restrict a, const int *restrict b, int count)
{
	for (int i = 0; i < count; i++)
		to[i] = a[i] * 3 + b[i];
}

double dot(const double *a, const double *b, int count)
{
	double sum = 0;

	for (int i = 0; i < count; i++)
		sum += a[i] * b[i] / 3.0;
	return sqrt(sum) + (sum > 10 ? sum - sum * 0.5 : sum);
}

int dispatch(int op, int a, int b)
{
	switch (op) {
	case 0: return a + b;
	case 1: return a - b;
	case 2: return a * b;
	case 3: return b ? a / b : 0;
	case 4: return a << (b & 31);
	case 5: return a & b;
	case 6: return a | b;
	case 7: return square(a) + square(b);
	case 100: log_line("op %d", op); return -1;
	case 1000: return clamp(a, b, 100);
	default: fail(op);
	}
}

int walk(struct list *list, const char *name)
{
	int found = 0;

	for (; list; list = list->next) {
		if (list->kind == 3 && list->flags & 4)
			continue;
		if (strlen(list->name) > 10 || list->name[0] == name[0]) {
			list->at.weight += 1.5;
			found += clamp(list->at.x, 0, 10);
		}
		if (__builtin_expect(found < 0, 0)) {
			log_line("negative %d in %s", found, name);
			fail(1);
		}
	}
	return found;
}

int copy_points(struct point *to, const struct point *from, int count)
{
	struct point local[8];

	if (count > 8 || !to)
		return -22;
	memcpy(local, from, count * sizeof(*from));
	for (int i = 0; i < count; i++) {
		struct point swap = local[i];

		swap.x = local[i].y;
		swap.y = -local[i].x;
		to[i] = swap;
	}
	return to[0].x == from[0].x;
}

int ackermann(int m, int n)
{
	if (m == 0)
		return n + 1;
	if (n == 0)
		return ackermann(m - 1, 1);
	return ackermann(m - 1, ackermann(m, n - 1));
}

static int parse(void *from, int *ret_value)
{
	int value = 0, byte;

	while ((byte = read_byte(from)) >= '0' && byte <= '9')
		value = value * 10 + byte - '0';
	if (byte == 'k')
		value <<= 10;
	if (byte < 0 && value == 0)
		return -1;
	*ret_value = value;
	return 0;
}

int parse_two(void *from)
{
	int a, b;

	if (parse(from, &a) || parse(from, &b))
		return 0;
	device = a;
	while (device & 1)
		;
	return a * 12345 + b / 7 + b % 10;
}

int sum_all(int count, ...)
{
	va_list list;
	int sum = 0;

	va_start(list, count);
	while (count-- > 0)
		sum += va_arg(list, int);
	va_end(list);
	return sum;
}

void matrix(float a[16][16], float b[16][16], float c[16][16])
{
	for (int i = 0; i < 16; i++)
		for (int j = 0; j < 16; j++)
			for (int k = 0; k < 16; k++)
				c[i][j] += a[i][k] * b[k][j];
}

unsigned int hash(const unsigned char *bytes, unsigned int count)
{
	unsigned int h = 2166136261u;

	for (unsigned int i = 0; i < count; i++)
		h = (h ^ bytes[i]) * 16777619u;
	for (int i = 0; i < 64; i++)
		result[i] = table[63 - i] > 5 ? table[i] : result[i];
	return (h << 5 | h >> 27) + __builtin_popcount(h);
}

static int twin_a(int x)
{
	return read_byte(&table[x]) * 3 + read_byte(&table[x + 1]);
}

static int twin_b(int x)
{
	return read_byte(&table[x]) * 3 + read_byte(&table[x + 1]);
}

int (*const handlers[])(int) = { twin_a, twin_b, square };
