/* A parameter that only other versions of GCC have. */
/* arguments: verbose noguard */
/* policy: all ?--param=does-not-exist=1 ?-fno-such-flag */ /* note: 5: '--param=does-not-exist=1' is skipped: GCC [0-9.]+ has no such flag */ /* note: 31: '-fno-such-flag' is skipped */ /* note: 5: unit flag --param=does-not-exist=1 */ /* note: 31: unit flag */
/* message: ^kiln: note: unit .*params/optional.c, object .*, (x86_64|aarch64) */
/* compare: plain */
int a(int x)
{
	return x;
}
