/* System calls: a global alias of a static function that a third one inlines. */
/* policy: func __do_sys_thing keep */
extern int work(long a, int b);

/* plain: __do_sys_thing is absent */
/* expect: __do_sys_thing is present */
static inline int __do_sys_thing(long a, int b)
{
	return work(a, b);
}

/* expect: __se_sys_thing calls __do_sys_thing */
long __se_sys_thing(long a, long b)
{
	return __do_sys_thing(a, (int)b);
}

long sys_thing(long a, long b) __attribute__((alias("__se_sys_thing")));
