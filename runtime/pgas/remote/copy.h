/*
 * copy.h: blocks of shared memory, near or far.  Addresses are window addresses.  bn_copy is platform/copy.h's.
 */
#ifndef BN_PGAS_REMOTE_COPY_H
#define BN_PGAS_REMOTE_COPY_H

#include <stddef.h>

/** Sets all bytes. */
void bn_fill_shared(void *dst, int value, size_t size_bytes);

#endif
