/* The prototype comes first, as in a kernel header; keep must reach the definition. */
/* policy: func do_open keep */
int do_open(int directory, const char *name, int flags);
extern int work(int directory, const char *name, int flags);

/* plain: caller does not call do_open */
/* expect: caller calls do_open */
/* expect x86_64: caller has mov +%rsi,%rdx|mov +%rdi,%rsi */
/* expect aarch64: caller has mov\s+x1, x0 */
int caller(const char *name)
{
	return do_open(-100, name, 2) + 1;
}

/* expect: do_open is present */
/* expect: do_open has no clone */
int do_open(int directory, const char *name, int flags)
{
	return work(directory, name, flags);
}
