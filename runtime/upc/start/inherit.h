/* inherit.h: how POSIX threads get what a forked process has by the fork: the context (upc/context.h) as it is before
 * there are threads. */
#ifndef BN_UPC_START_INHERIT_H
#define BN_UPC_START_INHERIT_H

#include "base/status.h"

/* By the POSIX thread that has called bn_runtime_create, once, before it makes others */
void bn_context_offer(void);

/* By every thread, before bn_runtime_attach.  Not BN_OK, reported: no memory. */
bn_status_t bn_context_inherit(void);

#endif
