/*
 * place.h: where the records of -fcheck lie, which all threads read and write: marks of memory (memory.c), freed blocks
 * (heap.c), the board (board.c).
 *
 * They are accessed through bn_copy (platform/copy.h), because those of threads on other nodes are not mapped.  A
 * thread's own records are mapped.
 */
#ifndef BN_UPC_CHECK_PLACE_H
#define BN_UPC_CHECK_PLACE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* Zeroed memory, the same amount for each thread, a multiple of a cache line */
struct bn_check_parts {
    unsigned char *first; /* thread 0's */
    uint64_t stride;
};

static inline void *bn_check_part_of(const struct bn_check_parts *parts, int thread)
{
    return parts->first + (uint64_t)thread * parts->stride;
}

/** Makes such memory, before any other thread may use it. @errors Reported. */
bn_status_t bn_check_parts_create(uint64_t bytes_each, struct bn_check_parts *parts);

/** The threads whose records this process creates before the program starts, [*first_p, *end_p). */
void bn_check_makes(int *first_p, int *end_p);

/**
 * Makes the marks of all memory, none of which is live. *shadow_p becomes the value of bn_check_map.shadow, by which
 * marks of memory that is mapped here are found from the address. @errors Reported.
 */
bn_status_t bn_check_marks_create(uint64_t window_bytes, signed char **shadow_p);

/**
 * Where the mark of an address in the window is.  The marks for *bytes_p bytes of memory from the address on are
 * contiguous.  Null if there is no memory to mark.
 */
signed char *bn_check_marks_of(uint64_t address, uint64_t *bytes_p);

/** Copies marks, which may be as old as this thread's last fence; a program whose accesses depend on newer ones has a
 * race. */
void bn_check_read_marks(signed char *dst, const signed char *marks, uint64_t count);

/** If an 8-byte word of shared memory equals expected, replaces it by value and returns true.  Atomic. */
bool bn_check_change(uint64_t address, uint64_t expected, uint64_t value);

#endif
