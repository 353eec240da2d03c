/* memory.h: marks in the shadow of the window (banyan/check.h), for heap.c. */
#ifndef BN_UPC_CHECK_MEMORY_H
#define BN_UPC_CHECK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Besides 1 .. 16 (live) and BN_CHECK_FREED */
enum bn_check_mark {
    BN_CHECK_NOBODY = 0,  /* was never allocated */
    BN_CHECK_AROUND = -1, /* next to an object */
    BN_CHECK_HEAD = -3,   /* heap.c's record in front of an object */
};

/* Mark size_bytes from address on, a multiple of BN_CHECK_GRANULE: as live, exact to the byte, or with mark. */
void bn_check_set_live(uint64_t address, uint64_t size_bytes);
void bn_check_set(uint64_t address, uint64_t size_bytes, signed char mark);

/* The mark of an address in the window */
signed char bn_check_mark_at(uint64_t address);

/* Finds the last granule that has a mark, from that of *address_p down to least, both multiples of BN_CHECK_GRANULE. */
bool bn_check_find_back(uint64_t *address_p, uint64_t least, signed char mark);

/* ---- heap.c, for messages ---- */

/*
 * Describes in words where address lies relative to the heap object that contains it or precedes it: "4 bytes beyond
 * the 40 bytes that thread 0 allocated at a.upc:7".  Empty if there is no object nearby.
 */
void bn_check_describe_block(uint64_t address, char *text, size_t text_bytes);

#endif
