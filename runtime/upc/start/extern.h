/* extern.h: <bupc_extern.h>, under the runtime's rules for visibility. */
#ifndef BN_UPC_START_EXTERN_H
#define BN_UPC_START_EXTERN_H

#include "upc/own.h"

#pragma GCC visibility push(default)
#include "upc/bupc_extern.h"
#pragma GCC visibility pop

BN_OWN_DECLARE(bupc_init);

#endif
