#include "threads/slots.h"

#include <stdlib.h>
#include <string.h>

enum { SLOTS = 64 }; /* per process: 8 KiB of shared memory */

static struct {
    MPI_Win memory;
    int rank;
    uint64_t taken;                 /* a bit for each slot of this process; inside */
    struct bn_direct_words **words; /* by rank; null: no slots */
} slots;

static bool make_memory(MPI_Comm node, MPI_Win *memory)
{
    void *own;
    MPI_Aint bytes = BN_LINE_BYTES - 1 + SLOTS * (MPI_Aint)sizeof(struct bn_direct_words);
    bool has_memory = bn_below.Win_allocate_shared(bytes, 1, bn_handles.no_info, node, &own, memory) == MPI_SUCCESS;
    if (bn_direct_all_have(node, has_memory))
        return true;
    if (has_memory)
        bn_below.Win_free(memory);
    return false;
}

/* Mappings keep the alignment within a page. */
void bn_slots_begin(MPI_Comm node)
{
    int size, unit;
    MPI_Aint bytes;
    unsigned char *begin;
    bn_below.Comm_size(node, &size);
    bn_below.Comm_rank(node, &slots.rank);
    struct bn_direct_words **words = malloc((size_t)size * sizeof *words);
    if (!bn_direct_all_have(node, words != NULL) || !make_memory(node, &slots.memory)) {
        free(words);
        return;
    }
    for (int i = 0; i < size; i++) {
        bn_below.Win_shared_query(slots.memory, i, &bytes, &unit, &begin);
        words[i] = (struct bn_direct_words *)(void *)(begin + -(uintptr_t)begin % BN_LINE_BYTES);
    }
    slots.words = words;
}

void bn_slots_end(void)
{
    if (!slots.words)
        return;
    bn_below.Win_free(&slots.memory);
    free(slots.words);
    slots.words = NULL;
}

int bn_slots_take(void)
{
    if (!slots.words || slots.taken == UINT64_MAX)
        return -1;
    int slot = __builtin_ctzll(~slots.taken);
    slots.taken |= UINT64_C(1) << slot;
    memset(bn_slots_words(slots.rank, slot), 0, sizeof(struct bn_direct_words));
    return slot;
}

void bn_slots_give(int slot)
{
    if (slot >= 0)
        slots.taken &= ~(UINT64_C(1) << slot);
}

struct bn_direct_words *bn_slots_words(int process, int slot)
{
    return &slots.words[process][slot];
}
