/*
 * copy.h: blocks of shared memory, near or far.  Addresses are window addresses.
 */
#ifndef BN_PGAS_REMOTE_COPY_H
#define BN_PGAS_REMOTE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** From now on platform/copy.h's functions move what lies in the window between threads of all nodes. */
void bn_remote_move_window(void);

/** Sets all bytes. */
void bn_fill_shared(void *dst, int value, size_t size_bytes);

/*
 * Begin copies from and to private memory.  The result is the number of the transfer for bn_transfer_end, which returns
 * when it is done; 0 means that it is done already, as are all those of near memory.  Numbers count up.
 */
uint64_t bn_transfer_get(void *dst, const void *src, size_t size_bytes);
uint64_t bn_transfer_put(void *dst, const void *src, size_t size_bytes);

/* bn_copy, which is under way if one end is near. */
uint64_t bn_transfer_copy(void *dst, const void *src, size_t size_bytes);

/* False if there has never been such a transfer.  @cost OpenSHMEM waits for all transfers at once, and fences do so,
 * too. */
bool bn_transfer_end(uint64_t transfer);

#endif
