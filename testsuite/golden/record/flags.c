/* The flags that steer the inliner, however they come about. */
/* options: -O2 -fconserve-stack -fno-inline-functions-called-once -fno-ipa-sra */
/* policy: all --param=max-inline-insns-auto=33 */
/* record: flags -O2 -fconserve-stack -fno-inline-functions-called-once -fno-ipa-sra --param=large-stack-frame-growth=40 --param=large-stack-frame=100 --param=max-inline-insns-auto=33 */
/* record: caller refused once:13 \w+ .* */
extern int out(int x, int y);
static int once(int x)
{
	return out(x, 1) + out(x, 2) + out(x, 3) + out(x, 4) * out(x, 5) + out(x, 6) * out(x, 7) + out(x, 8) * out(x, 9);
}
int caller(int x)
{
	return once(x) + once(x + 1);
}
