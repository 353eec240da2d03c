/*
 * signal.h: data, and then a word that says so, for shmem.c: by one call where OpenSHMEM has it (1.5, signal_put.c),
 * else by three (signal_fence.c).  Which file is built is found out at configure time.
 */
#ifndef BN_TRANSPORT_SIGNAL_H
#define BN_TRANSPORT_SIGNAL_H

#include <stddef.h>
#include <stdint.h>

/** Puts data and sets a word of a PE, which sees the word not before the data.  Addresses are symmetric; src is free on
 * return. */
void bn_shmem_put_signal(void *dst, const void *src, size_t size_bytes, uint64_t *word, uint64_t value, int pe);

#endif
