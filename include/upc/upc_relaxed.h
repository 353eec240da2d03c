/* upc_relaxed.h: upc.h, and shared accesses are relaxed from here on.  Each inclusion says so again. */
#include <upc.h>
#pragma upc relaxed
