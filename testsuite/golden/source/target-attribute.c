/* A target attribute of the source stays. */
/* target: x86_64 */
/* policy: func a --param=ipa-cp-eval-threshold=501 -fno-ipa-sra */
/* expect: a is unchanged */
/* expect: a has popcnt */
__attribute__((target("popcnt"))) int a(unsigned int x)
{
	return __builtin_popcount(x) + 1;
}
