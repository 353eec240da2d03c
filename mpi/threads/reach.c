#include "threads/reach.h"

#include "threads/typed_copies.h"
#include "types/runs.h"

#include <stdlib.h>

/* Per transfer: 32 MiB */
enum { RUNS_MOST = 1 << 20 };

/* Copies the first bytes of runs from or to contiguous bytes. */
static bool move_runs(const struct bn_direct_member *member, unsigned char *place, const struct bn_runs *runs,
                      unsigned char *packed, size_t left_bytes, bool puts)
{
    bool is_right = true;
    for (size_t i = 0; i < runs->count; i++) {
        const struct bn_run *run = &runs->list[i];
        uintptr_t there = (uintptr_t)place + (uintptr_t)run->offset;
        for (size_t j = 0; j < run->number && left_bytes > 0 && is_right; j++, there += (uintptr_t)run->stride) {
            size_t bytes = run->bytes < left_bytes ? run->bytes : left_bytes;
            is_right = puts ? bn_reach_put(member, (void *)there, packed, bytes)
                            : bn_reach_get(member, (void *)there, packed, bytes);
            packed += bytes;
            left_bytes -= bytes;
        }
    }
    return is_right;
}

/* Transfers data of any type in private memory of another process by way of a packed copy here. */
static bool move_packed(const struct bn_direct_member *member, unsigned char *place, const struct bn_data *there,
                        void *here_begin, const struct bn_data *here, bool puts)
{
    struct bn_runs runs = {0};
    MPI_Count bytes = bn_data_bytes(puts ? here : there);
    unsigned char *packed = bytes < 0 ? NULL : malloc((size_t)bytes + 1);
    bool is_right = packed && bn_runs_find(&runs, there->type, there->count, RUNS_MOST);
    if (puts)
        is_right = is_right && bn_typed_copy(here_begin, here->count, here->type, packed, bytes, bn_handles.byte);
    is_right = is_right && move_runs(member, place, &runs, packed, (size_t)bytes, puts);
    if (!puts)
        is_right = is_right && bn_typed_copy(packed, bytes, bn_handles.byte, here_begin, here->count, here->type);
    bn_runs_free(&runs);
    free(packed);
    return is_right;
}

bool bn_reach_bring(const struct bn_direct_member *member, unsigned char *place, const struct bn_data *there, void *to,
                    const struct bn_data *here)
{
    if (member->process != 0)
        return move_packed(member, place, there, to, here, false);
    return bn_typed_copy(place, there->count, there->type, to, here->count, here->type);
}

bool bn_reach_carry(const struct bn_direct_member *member, unsigned char *place, const struct bn_data *there,
                    const void *from, const struct bn_data *here)
{
    if (member->process != 0)
        return move_packed(member, place, there, (void *)(uintptr_t)from, here, true);
    return bn_typed_copy(from, here->count, here->type, place, there->count, there->type);
}
