/*
 * signal.h: writes data and then a word that announces them, for shmem.c: by one call if OpenSHMEM has it (1.5,
 * signal_put.c), else by three (signal_fence.c).  Configuring the build chooses the file.
 */
#ifndef BN_TRANSPORT_SIGNAL_H
#define BN_TRANSPORT_SIGNAL_H

#include <stddef.h>
#include <stdint.h>

/** Puts data and sets a word of a PE, which does not see the word before the data.  Addresses are symmetric; src may be
 * changed on return. */
void bn_shmem_put_signal(void *dst, const void *src, size_t size_bytes, uint64_t *word, uint64_t value, int pe);

#endif
