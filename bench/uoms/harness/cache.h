/* cache.h: memory out of the caches, and into them. */
#ifndef UOMS_CACHE_H
#define UOMS_CACHE_H

#include <stddef.h>

/* How: "flush" of the lines concerned by instruction, or "walk" over a buffer of twice the last cache */
const char *uoms_cache_method(void);

/* Takes the lines of a region out of all caches, those of other cores, too (walk: only out of what the caller
 * reaches). */
void uoms_cache_evict(void *data, size_t size_bytes);

/* Reads each line of a region, as a thread does that uses what it has received. */
void uoms_cache_read(const void *data, size_t size_bytes);

/* Bytes of the largest cache that /sys shows; 32 MiB if none */
size_t uoms_cache_largest(void);

#endif
