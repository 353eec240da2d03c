/* cache.h: moves memory out of the caches, and into them. */
#ifndef UOMS_CACHE_H
#define UOMS_CACHE_H

#include <stddef.h>

/* Method of eviction: "flush" of the lines concerned by instructions, or "walk" over a buffer of twice the last
 * cache */
const char *uoms_cache_method(void);

/* Evicts the lines of a region from all caches, including those of other cores (walk: only from those the caller
 * uses). */
void uoms_cache_evict(void *data, size_t size_bytes);

/* Reads each line of a region, as a thread does that uses received data. */
void uoms_cache_read(const void *data, size_t size_bytes);

/* Bytes of the largest cache in /sys; 32 MiB if there is none */
size_t uoms_cache_largest(void);

#endif
