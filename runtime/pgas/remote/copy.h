/*
 * copy.h: copies of blocks of shared memory, near or far.  Addresses are window addresses.
 */
#ifndef BN_PGAS_REMOTE_COPY_H
#define BN_PGAS_REMOTE_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Makes platform/copy.h's functions move memory of the window between threads on all nodes, from now on. */
void bn_remote_move_window(void);

/** Sets all bytes of a block to value. */
void bn_fill_shared(void *dst, int value, size_t size_bytes);

/*
 * Begin copies from and to private memory.  The result is the number of the transfer, to be passed to bn_transfer_end,
 * which returns when the transfer is done. 0 means that it is done already; copies of near memory always are.  Numbers
 * increase.
 */
uint64_t bn_transfer_get(void *dst, const void *src, size_t size_bytes);
uint64_t bn_transfer_put(void *dst, const void *src, size_t size_bytes);

/* Begins bn_copy; it proceeds asynchronously if one end is near. */
uint64_t bn_transfer_copy(void *dst, const void *src, size_t size_bytes);

/* Waits for the end of a transfer; false if there has never been such a transfer. @cost OpenSHMEM can only wait for all
 * transfers together; fences do so, too. */
bool bn_transfer_end(uint64_t transfer);

#endif
