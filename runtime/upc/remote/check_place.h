/* check_place.h: room for the books of -fcheck in a thread's segment, behind its static data. */
#ifndef BN_UPC_REMOTE_CHECK_PLACE_H
#define BN_UPC_REMOTE_CHECK_PLACE_H

#include <stdint.h>

/** Where the room ends that begins behind begin_bytes of a segment whose heaps take heap_bytes each.  static_bytes of
 * it are the program's static data.  Before the segments are made. */
uint64_t bn_check_place_layout(uint64_t static_bytes, uint64_t begin_bytes, uint64_t heap_bytes);

#endif
