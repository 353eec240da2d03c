/*
 * signal.h: writes data and then a word that announces it, for shmem.c: with one call if OpenSHMEM has it (1.5,
 * signal_put.c), otherwise with three (signal_fence.c).  The build configuration selects the file.
 */
#ifndef BN_TRANSPORT_SIGNAL_H
#define BN_TRANSPORT_SIGNAL_H

#include <stddef.h>
#include <stdint.h>

/** Puts data to a PE and sets a word there; the PE does not see the word before the data.  Addresses are symmetric; src
 * may be changed on return. */
void bn_shmem_put_signal(void *dst, const void *src, size_t size_bytes, uint64_t *word, uint64_t value, int pe);

#endif
