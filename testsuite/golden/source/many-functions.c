/* Many functions of one setting share a node, and the collector does not take it away. */
/* options: -O2 --param=ggc-min-expand=1 --param=ggc-min-heapsize=100 */
/* policy: func f1* --param=ipa-cp-eval-threshold=501 */
/* policy: func f2* --param=ipa-cp-eval-threshold=502 */
/* compare: plain */
#define F(name) int f##name(int *p, int x) { p[x] += x; return p[x] * 3 + name; }
F(10) F(11) F(20) F(21) F(30) F(12) F(22) F(19) F(29) F(111) F(222)
