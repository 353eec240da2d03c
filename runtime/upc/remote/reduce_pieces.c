/* reduce_pieces.c: elements of far threads, fetched piece by piece into a buffer of this process. */
#include "upc/collective/reduce_pieces.h"

#include "pgas/remote/remote.h"
#include "platform/copy.h"
#include "upc/fatal.h"

#include <stdlib.h>

enum { BUFFER_BYTES = 256 << 10 };

struct bn_fetched {
    unsigned char *places[BN_REMOTE_THREADS];  /* in the buffer, by thread; null: none, or near */
    unsigned char *origins[BN_REMOTE_THREADS]; /* where these elements were fetched from */
    size_t sizes[BN_REMOTE_THREADS];
    unsigned char buffer[BUFFER_BYTES] __attribute__((aligned(64)));
};

static struct bn_fetched *get_buffer(void)
{
    static BN_PER_THREAD struct bn_fetched *fetched;
    if (!fetched)
        fetched = malloc(sizeof *fetched);
    if (!fetched)
        bn_upc_fatal("reduction", "there is no memory for elements of other nodes; run fewer threads on each node");
    return fetched;
}

bool bn_pieces_are_mapped(void)
{
    return bn_remote.node_count == 1;
}

struct bn_pieces bn_pieces_begin(const struct bn_cyclic *layout, size_t first, size_t elem_count)
{
    bool is_at_hand = bn_pieces_are_mapped() || (layout->block_elems == 0 && bn_is_near((void *)layout->origin));
    return (struct bn_pieces){
        .layout = layout,
        .first = first,
        .left = elem_count,
        .fetched = is_at_hand || elem_count == 0 ? NULL : get_buffer(),
    };
}

static int thread_of(const void *address)
{
    return (int)(((uint64_t)address - bn_remote.window_base) >> BN_STRIDE_SHIFT);
}

/* Fetches the run of a far thread to a place in the buffer. */
static unsigned char *fetch(struct bn_fetched *fetched, int thread, struct bn_elem_run run, size_t elem_bytes,
                            unsigned char *place)
{
    fetched->places[thread] = NULL;
    if (run.elem_count == 0 || bn_is_near(run.address))
        return place;
    fetched->places[thread] = place;
    fetched->origins[thread] = run.address;
    fetched->sizes[thread] = run.elem_count * elem_bytes;
    bn_copy(place, run.address, fetched->sizes[thread]);
    return place + fetched->sizes[thread];
}

bool bn_pieces_next(struct bn_pieces *pieces)
{
    const struct bn_cyclic *layout = pieces->layout;
    struct bn_fetched *fetched = pieces->fetched;
    pieces->first += pieces->elem_count;
    pieces->elem_count = pieces->left;
    if (fetched && pieces->elem_count > BUFFER_BYTES / layout->elem_bytes)
        pieces->elem_count = BUFFER_BYTES / layout->elem_bytes;
    pieces->left -= pieces->elem_count;
    if (!fetched || pieces->elem_count == 0)
        return pieces->elem_count != 0;
    unsigned char *place = fetched->buffer;
    for (int thread = 0; thread < bn_remote.thread_count; thread++)
        place = fetch(fetched, thread, bn_cyclic_part(layout, pieces->first, pieces->elem_count, (size_t)thread),
                      layout->elem_bytes, place);
    return true;
}

void bn_pieces_store(const struct bn_pieces *pieces, ptrdiff_t distance)
{
    const struct bn_fetched *fetched = pieces->fetched;
    for (int thread = 0; fetched && thread < bn_remote.thread_count; thread++) {
        if (fetched->places[thread])
            bn_copy(fetched->origins[thread] + distance, fetched->places[thread], fetched->sizes[thread]);
    }
}

unsigned char *bn_fetched_at(const struct bn_fetched *fetched, unsigned char *address)
{
    int thread = thread_of(address);
    return fetched->places[thread] ? fetched->places[thread] + (address - fetched->origins[thread]) : address;
}
