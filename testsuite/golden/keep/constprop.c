/* IPA-CP makes a copy for an argument that is the same constant in every call. */
/* policy: func scaled keep */

/* plain: scaled is absent */
/* plain: scaled has a clone */
/* expect: scaled is present */
/* expect: scaled has no clone */
static __attribute__((noinline)) int scaled(const int *values, int count, int factor)
{
	int sum = 0;

	for (int i = 0; i < count; i++)
		sum += values[i] * factor + (factor > 4 ? values[i] / factor : i);
	return sum;
}

/* The constant is passed all the same: the third argument, in its ABI register. */
/* expect: caller calls scaled */
/* expect x86_64: caller has mov +\$0x7,%edx */
/* expect aarch64: caller has mov\s+w2, #0x7 */
int caller(const int *values, int count)
{
	return scaled(values, count, 7) ^ scaled(values + 1, count - 1, 7);
}
