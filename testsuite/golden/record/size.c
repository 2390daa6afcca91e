/* -Os */
/* options: -Os -flive-patching=inline-clone */
/* policy: func no_such keep */
/* record: flags -Os .*-flive-patching=inline-clone.* */
int f(int x)
{
	return x + 1;
}
