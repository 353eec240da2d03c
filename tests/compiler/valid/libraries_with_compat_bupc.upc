// The same where upc.h declares all of Berkeley UPC, under both of its names
// flags: -compat=bupc
#define BUPC_USE_UPC_NAMESPACE
#include "libraries_as_specified.upc"
