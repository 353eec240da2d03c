/*
 * layout.h: how data of a type lie in memory.
 */
#ifndef BN_MPI_FRONT_LAYOUT_H
#define BN_MPI_FRONT_LAYOUT_H

#include "front/below.h"
#include "platform/atomic_word.h"
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

/* The type that a thread has looked up last.  A handle means another one only after it has been freed.  Without a call
 * to find the variable: libbanyan-mpi is there from the start of the program. */
struct bn_layout_seen {
    MPI_Datatype type;
    uint32_t frees; /* of types, until then */
    const struct bn_layout *layout;
};
extern _Thread_local struct bn_layout_seen bn_layout_seen __attribute__((tls_model("initial-exec")));
extern uint32_t bn_layout_frees;

const struct bn_layout *bn_layout_look_up(MPI_Datatype type);

/** How data of a type lie; null if it is none, or has not been committed.  @cost A comparison where the thread has
 * asked for the same type before; a look-up, but at the first call for a type */
static inline const struct bn_layout *bn_layout_of(MPI_Datatype type)
{
    const struct bn_layout_seen *seen = &bn_layout_seen;
    if (__builtin_expect(seen->layout && seen->type == type && seen->frees == bn_word_see(&bn_layout_frees), 1))
        return seen->layout;
    return bn_layout_look_up(type);
}

#endif
