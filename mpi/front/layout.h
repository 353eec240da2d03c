/*
 * layout.h: how data of a type lie in memory.
 */
#ifndef BN_MPI_FRONT_LAYOUT_H
#define BN_MPI_FRONT_LAYOUT_H

#include "front/below.h"
#include "types/runs.h"

#include <stddef.h>

enum { BN_LAYOUT_NAMED_BYTES = 64 }; /* no predefined type has a larger extent in any library known */

struct bn_layout {
    size_t size_bytes; /* of data in one */
    MPI_Aint extent, true_lb;
    bool is_named;       /* predefined */
    bool is_contiguous;  /* one behind the other, and each as it would be packed */
    struct bn_runs runs; /* of one; none if they are too many */
};

bool bn_layouts_begin(void);
void bn_layouts_end(void);

/** How data of a type lie; null if it is none.  @cost A look-up, but at the first call for a type */
const struct bn_layout *bn_layout_of(MPI_Datatype type);

#endif
