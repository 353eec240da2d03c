/*
 * copy.h: copies of blocks where both ends are shared, near or far.  Addresses are window addresses.
 */
#ifndef BN_PGAS_REMOTE_COPY_H
#define BN_PGAS_REMOTE_COPY_H

#include <stddef.h>

/** From one thread's memory to another's; between two far threads in pieces through a buffer of this one. */
void bn_copy_shared(void *dst, const void *src, size_t size_bytes);

/** Sets all bytes. */
void bn_fill_shared(void *dst, int value, size_t size_bytes);

#endif
