/* upc_strict.h: upc.h, and shared accesses are strict from here on.  Each inclusion says so again. */
#include <upc.h>
#pragma upc strict
