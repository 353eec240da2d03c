#include "threads/slots.h"

#include "platform/shared_file.h"

#include <string.h>

enum { SLOTS = 64 }; /* per process: 8 KiB of shared memory */

static struct {
    void *memory;
    uint64_t size_bytes;
    int rank;
    uint64_t taken;                /* a bit for each slot of this process; inside */
    struct bn_direct_words *words; /* SLOTS for each rank, behind a line with the file's mark; null: no slots */
} slots;

/* What the first process tells the others about its file */
struct offer {
    char path[BN_SHARED_FILE_PATH_BYTES];
    uint64_t mark; /* 0: there is no file */
};

static int make_file(struct offer *offer, uint64_t mark)
{
    int file = bn_shared_file_make(slots.size_bytes, offer->path);
    if (file >= 0 && bn_shared_file_mark(file, mark))
        offer->mark = mark;
    return file;
}

/* Not MPI_Win_allocate_shared: in Open MPI 4.1, if /dev/shm is full, it fails in one process and the others hang. */
static void *map_together(MPI_Comm node, uint64_t mark)
{
    struct offer offer = {.mark = 0};
    int file = slots.rank == 0 ? make_file(&offer, mark) : -1;
    bn_below.Bcast(&offer, (int)sizeof offer, bn_handles.byte, 0, node);
    if (slots.rank != 0 && offer.mark != 0)
        file = bn_shared_file_take(offer.path, offer.mark);
    void *memory = file >= 0 && offer.mark != 0 ? bn_shared_file_map(file, slots.size_bytes, 0) : NULL;
    bool have_all = bn_direct_all_have(node, memory != NULL); /* then nobody needs the path any more */
    if (file >= 0)
        bn_shared_file_close(file);
    if (!have_all && memory) {
        bn_shared_file_unmap(memory, slots.size_bytes);
        memory = NULL;
    }
    return memory;
}

void bn_slots_begin(MPI_Comm node, uint64_t mark)
{
    int size;
    bn_below.Comm_size(node, &size);
    bn_below.Comm_rank(node, &slots.rank);
    slots.size_bytes = BN_LINE_BYTES + (uint64_t)size * SLOTS * sizeof(struct bn_direct_words);
    slots.memory = map_together(node, mark);
    if (slots.memory)
        slots.words = (struct bn_direct_words *)((uintptr_t)slots.memory + BN_LINE_BYTES);
}

void bn_slots_end(void)
{
    if (slots.memory)
        bn_shared_file_unmap(slots.memory, slots.size_bytes);
    slots.memory = NULL;
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
    return &slots.words[process * SLOTS + slot];
}
