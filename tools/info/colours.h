// colours.h: the colours of distances in drawings, from near to far.
#pragma once

#include "topology/level.h"

namespace bn::info {

// "#rrggbb", distinguishable by people with red-green colour blindness
inline const char* level_colour(bn_level level)
{
    static constexpr const char* colours[BN_LEVEL_CLUSTER + 1] = {
        "#9aa5b1",  // core
        "#5b8def",  // cache
        "#2bb3c0",  // die
        "#1f9d76",  // numa
        "#8a63d2",  // socket
        "#c2569b",  // board
        "#e08a1e",  // node
        "#d1495b",  // switch
        "#7a1f2b",  // cluster
    };
    return colours[level];
}

}  // namespace bn::info
