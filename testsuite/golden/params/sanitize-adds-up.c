/* GCC adds what -fsanitize=A and -fsanitize=B name; two lines of a policy do the same. */
/* policy: all -fsanitize=shift */
/* policy: all -fsanitize=bounds */
/* arguments: noguard */
/* compare: -fsanitize=shift -fsanitize=bounds */
/* expect: f calls __ubsan_handle_shift_out_of_bounds */
/* expect: f calls __ubsan_handle_out_of_bounds */
int table[8];

int f(int i, int n)
{
	return table[i] << n;
}
