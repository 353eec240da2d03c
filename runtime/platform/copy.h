/*
 * copy.h: copies between "places": addresses of this process, or numbers in the form of an address that name memory
 * that is not mapped here (far memory).
 *
 * bn_far_set defines once which numbers may be far and how data moves from and to them (docs/design/011-reach.md).  On
 * one machine, where all of UPC's memory is mapped, nothing is far, and a copy is a test and a memcpy.
 */
#ifndef BN_PLATFORM_COPY_H
#define BN_PLATFORM_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Functions that move data when one of two places may be far; they accept mapped places, too. */
struct bn_far_mover {
    void (*copy)(void *dst, const void *src, size_t size_bytes);
    bool (*is_mapped)(const void *place);
    void (*copy_begin)(void *dst, const void *src, size_t size_bytes);
    void (*copies_end)(void);
    unsigned long long (*copied_bytes)(void);
};

/* A place with none of the mask's bits set is mapped.  All zero: nothing is far. */
extern struct bn_far {
    uint64_t mask;
    const struct bn_far_mover *mover;
} bn_far;

/** Sets which places may be far.  Called once, before the first copy. */
void bn_far_set(uint64_t mask, const struct bn_far_mover *mover);

/** Whether one of two places may be far. */
static inline bool bn_may_be_far(const void *dst, const void *src)
{
    return __builtin_expect((((uint64_t)dst | (uint64_t)src) & bn_far.mask) != 0, 0);
}

/** Whether a place can be accessed by load and store. */
static inline bool bn_is_mapped(const void *place)
{
    return !bn_may_be_far(place, place) || bn_far.mover->is_mapped(place);
}

/**
 * Copies size_bytes between two places that do not overlap, or are the same.  src may be changed on return.  Data
 * written to memory that is not mapped here arrives before a flag that is raised afterwards (sync/flag.h), and before
 * the next fence returns.
 *
 * @cost That of memcpy if both places are mapped.
 */
static inline void bn_copy(void *dst, const void *src, size_t size_bytes)
{
    if (bn_may_be_far(dst, src))
        bn_far.mover->copy(dst, src, size_bytes);
    /* Blocks that are already in place are not copied.  Copies of constant size are never in place. */
    else if (__builtin_constant_p(size_bytes) || dst != src)
        memcpy(dst, src, size_bytes);
}

/** Like bn_copy, but only begins the copy: neither place may be touched before bn_copies_end, which completes all
 * copies that have begun. */
static inline void bn_copy_begin(void *dst, const void *src, size_t size_bytes)
{
    if (bn_may_be_far(dst, src))
        bn_far.mover->copy_begin(dst, src, size_bytes);
    else
        memcpy(dst, src, size_bytes);
}

static inline void bn_copies_end(void)
{
    if (__builtin_expect(bn_far.mover != NULL, 0))
        bn_far.mover->copies_end();
}

/* Memory for copies of data that are not mapped here; it grows and is kept.  All zero is a valid initial state. */
struct bn_scratch {
    void *memory;
    size_t size_bytes;
};

/** Returns an address where size_bytes from src on can be read: src itself if it is mapped, otherwise a copy in
 * scratch, valid until the next use of scratch.  Null if there is no memory. */
const void *bn_bring(const void *src, size_t size_bytes, struct bn_scratch *scratch);

/** The number of bytes that this thread has copied to and from memory that is not mapped here. */
unsigned long long bn_copied_far(void);

#ifdef __cplusplus
}
#endif

#endif
