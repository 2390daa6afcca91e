// `file` also means the file where the function is defined: a header here.
// policy: file **/definition-file-part.h force keep
#include "definition-file-part.h"

/* expect: not_there is absent */
static int not_there(int x)
{
	return x + 7;
}

/* expect: a calls there */
int a(int x)
{
	return there(x) + not_there(x);
}
