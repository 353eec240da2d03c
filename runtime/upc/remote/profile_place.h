/* profile_place.h: how start-up code makes room for the books of profiles in segments of several nodes. */
#ifndef BN_UPC_REMOTE_PROFILE_PLACE_H
#define BN_UPC_REMOTE_PROFILE_PLACE_H

#include <stdint.h>

/** Lays the book of a thread behind so many bytes of its segment; where it ends.  Before the number of threads is
 *  known, so there is room for the most. */
uint64_t bn_profile_place_layout(uint64_t begin_bytes);

#endif
