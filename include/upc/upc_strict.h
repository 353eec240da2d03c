/* upc_strict.h: includes upc.h and makes shared accesses strict from here on.  Each inclusion repeats the pragma. */
#include <upc.h>
#pragma upc strict
