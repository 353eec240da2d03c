/* check_place.h: room for the records of -fcheck in a thread's segment, after its static data. */
#ifndef BN_UPC_REMOTE_CHECK_PLACE_H
#define BN_UPC_REMOTE_CHECK_PLACE_H

#include <stdint.h>

/** Reserves that room after the first begin_bytes of a segment, of which static_bytes are the program's static data;
 * heap_bytes is the heap size per thread.  Returns where the room ends.  Called before the segments are made. */
uint64_t bn_check_place_layout(uint64_t static_bytes, uint64_t begin_bytes, uint64_t heap_bytes);

#endif
