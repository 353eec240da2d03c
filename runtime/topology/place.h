/*
 * place.h: where a thread runs, as far as it is known.
 */
#ifndef BN_TOPOLOGY_PLACE_H
#define BN_TOPOLOGY_PLACE_H

#include "topology/level.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BN_PLACE_UNKNOWN UINT32_MAX

/*
 * Per level the number of the part that the thread is in.  Numbers are unique within a level, over all nodes.  Threads
 * with equal numbers at a level have equal numbers at all levels above.  BN_PLACE_UNKNOWN: the thread may move between
 * parts of this level, or its part is not known; then all levels below are unknown, too.
 */
struct bn_place {
    uint32_t parts[BN_LEVEL_COUNT];
    bool is_near_network; /* in the memory region to which the network adapter is attached */
};

#ifdef __cplusplus
}
#endif

#endif
