/* upc_relaxed.h: includes upc.h and makes shared accesses relaxed from here on.  Each inclusion repeats the pragma. */
#include <upc.h>
#pragma upc relaxed
