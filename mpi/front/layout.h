/*
 * layout.h: how data of an MPI datatype are laid out in memory.
 */
#ifndef BN_MPI_FRONT_LAYOUT_H
#define BN_MPI_FRONT_LAYOUT_H

#include "platform/atomic_word.h"
#include "types/runs.h"

#include <mpi.h>

#include <stddef.h>

enum { BN_LAYOUT_NAMED_BYTES = 64 }; /* no predefined type has a larger extent in any library known */

struct bn_layout {
    size_t size_bytes; /* of data in one element */
    MPI_Aint extent, true_lb;
    bool is_named;       /* predefined */
    bool is_contiguous;  /* without gaps, in the order in which MPI packs them */
    struct bn_runs runs; /* of one element; empty if there are too many */
};

bool bn_layouts_begin(void);
void bn_layouts_end(void);

/* The type that a thread looked up last.  A handle can mean another type only after a type was freed.  The variable
 * needs no call to find its address (initial-exec TLS), since libbanyan-mpi is loaded at the start of the program. */
struct bn_layout_seen {
    MPI_Datatype type;
    uint32_t frees; /* bn_layout_frees at that time */
    const struct bn_layout *layout;
};
extern _Thread_local struct bn_layout_seen bn_layout_seen __attribute__((tls_model("initial-exec")));
extern uint32_t bn_layout_frees;

static inline bool bn_layout_is_seen(const struct bn_layout_seen *seen, MPI_Datatype type)
{
    return seen->layout && seen->type == type && seen->frees == bn_word_see(&bn_layout_frees);
}

const struct bn_layout *bn_layout_look_up(MPI_Datatype type);

bool bn_layout_find_named(MPI_Datatype type);

/** Whether a type is predefined, as those that have been looked up before are known to be.  Calls nothing of the
 * library below.  @cost A comparison if it is the type that the thread asked for last; else a few */
static inline bool bn_layout_is_known_named(MPI_Datatype type)
{
    const struct bn_layout_seen *seen = &bn_layout_seen;
    if (__builtin_expect(bn_layout_is_seen(seen, type), 1))
        return seen->layout->is_named;
    return bn_layout_find_named(type);
}

/** The layout of a type; null if it is MPI_DATATYPE_NULL, invalid or not committed.  @cost A comparison if it is the
 * type that the thread asked for last; else a look-up; the first call for a type analyses it. */
static inline const struct bn_layout *bn_layout_of(MPI_Datatype type)
{
    const struct bn_layout_seen *seen = &bn_layout_seen;
    if (__builtin_expect(bn_layout_is_seen(seen, type), 1))
        return seen->layout;
    return bn_layout_look_up(type);
}

#endif
