/* profile_place.h: room for the books of profiles in the segments of a job over several nodes. */
#ifndef BN_UPC_REMOTE_PROFILE_PLACE_H
#define BN_UPC_REMOTE_PROFILE_PLACE_H

#include <stdint.h>

/** Places a thread's book after the first begin_bytes of its segment, and returns where the book ends.  Called before
 *  the number of threads is known, so it reserves room for the maximum. */
uint64_t bn_profile_place_layout(uint64_t begin_bytes);

#endif
