// The same where programs find the macros of Berkeley UPC, and ask for its names with upc_ in front
// flags: -compat=bupc
#define BUPC_USE_UPC_NAMESPACE
#include "libraries_as_specified.upc"
