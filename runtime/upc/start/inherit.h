/* inherit.h: gives POSIX threads what a forked process inherits: the context (upc/context.h) as it was before there
 * were threads. */
#ifndef BN_UPC_START_INHERIT_H
#define BN_UPC_START_INHERIT_H

#include "base/status.h"

/* Called once by the POSIX thread that has called bn_runtime_create, before it creates others */
void bn_context_offer(void);

/* Called by every thread, before bn_runtime_attach.  Anything but BN_OK, reported: no memory. */
bn_status_t bn_context_inherit(void);

#endif
