/*
 * place.h: where the records of -fcheck lie, which all threads read and write: marks of memory (memory.c), freed blocks
 * (heap.c), the board (board.c).
 *
 * They are accessed through bn_copy (platform/copy.h), since those of threads on other nodes are not mapped.  A
 * thread's own are mapped.
 */
#ifndef BN_UPC_CHECK_PLACE_H
#define BN_UPC_CHECK_PLACE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Zeroed memory, as much for each thread; multiples of a cache line */
struct bn_check_parts {
    unsigned char *first; /* that of thread 0 */
    uint64_t stride;
};

static inline void *bn_check_part_of(const struct bn_check_parts *parts, int thread)
{
    return parts->first + (uint64_t)thread * parts->stride;
}

/** Makes such memory; before any other thread may use it.  @errors Reported. */
bn_status_t bn_check_parts_create(uint64_t bytes_each, struct bn_check_parts *parts);

/** The threads whose records this process creates before the program starts, [*first_p, *end_p). */
void bn_check_makes(int *first_p, int *end_p);

/**
 * Makes the marks of all memory, none of which lives: what bn_check_map.shadow is, where marks of memory that is mapped
 * here are found by address.  @errors Reported.
 */
bn_status_t bn_check_marks_create(uint64_t window_bytes, signed char **shadow_p);

/**
 * Where the mark of an address in the window is; those of the bytes behind it follow, as far as *bytes_p says, counted
 * from the address. Null if there is no memory to mark.
 */
signed char *bn_check_marks_of(uint64_t address, uint64_t *bytes_p);

/** Copies marks, which may be as old as this thread's last fence: a program that relies on newer ones has a race. */
void bn_check_read_marks(signed char *dst, const signed char *marks, uint64_t count);

/** Replaces a word of 8 bytes of shared memory by value, and returns true, if it is expected.  Atomic. */
bool bn_check_change(uint64_t address, uint64_t expected, uint64_t value);

#endif
