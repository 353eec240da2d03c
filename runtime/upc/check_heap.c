/*
 * check_heap.c: the heap under -fcheck.
 *
 *     block                    object                           spare
 *     | head: who, where ...   | nbytes, live to the byte ...   | a granule or more |
 *
 * A global object has its head on thread 0; on the others the same place is empty.  Freed blocks wait in the line of
 * the thread that freed them until the line is long; so a pointer to one finds it freed, not reused.  A thread that
 * finds no room empties the lines of all threads.
 */
#include "platform/atomic_word.h"
#include "platform/memory.h"
#include "sync/spinlock.h"
#include "upc/check.h"
#include "upc/check_memory.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"

#include <stdio.h>
#include <string.h>

enum {
    FILE_BYTES = 108,
    LINE_BLOCKS = 1 << 14,
    LINE_MAX_BYTES = 16 << 20,
    LINE_SHARE = 64,
    LOOK_BACK_BYTES = 64 << 20
};

enum state { STATE_LIVE = 0x6576696c, STATE_FREED = 0x64656572 };

struct place {
    int line;
    char file[FILE_BYTES]; /* its end, if it is long */
};

struct head {
    uint32_t state; /* enum state; atomic */
    int alloc_thread;
    int free_thread;
    uint32_t is_global;
    uint64_t nblocks; /* 1 if local */
    uint64_t nbytes;
    struct place alloc_place;
    struct place free_place;
};

_Static_assert(sizeof(struct head) % 64 == 0, "objects stay aligned");

struct line {
    struct bn_spinlock lock;
    unsigned first, count;
    uint64_t size_bytes;
    struct {
        uint64_t address;
        uint64_t size_bytes;
    } blocks[LINE_BLOCKS]; /* a ring */
} __attribute__((aligned(BN_LINE_BYTES)));

static struct line *lines; /* shared, one per thread */

bn_status_t bn_check_heap_create(void)
{
    void *memory;
    bn_status_t status = bn_memory_share((uint64_t)bn_context.thread_count * sizeof(struct line), &memory);
    lines = status == BN_OK ? memory : NULL;
    return status;
}

static void note_place(struct place *place)
{
    const char *file = bn_check_here.file ? bn_check_here.file : "";
    size_t length = strlen(file);
    place->line = bn_check_here.line;
    snprintf(place->file, sizeof place->file, "%s", file + (length < FILE_BYTES ? 0 : length - FILE_BYTES + 1));
}

/* " at a.upc:7", or nothing if it was in unchecked code */
static void print_place(const struct place *place, char *text, size_t text_bytes)
{
    text[0] = '\0';
    if (place->file[0])
        snprintf(text, text_bytes, " at %s:%d", place->file, place->line);
}

/* Under the line's lock */
static void reuse_oldest(struct line *line)
{
    line->size_bytes -= line->blocks[line->first].size_bytes;
    bn_heaps_free(&bn_context.heaps, bn_context.thread, line->blocks[line->first].address);
    line->first = (line->first + 1) % LINE_BLOCKS;
    line->count--;
}

/* How long a line may be: some memory, but little of a small heap, since only its owner can make all of a heap's room
 * whole again */
static uint64_t line_max_bytes(void)
{
    uint64_t share = bn_context.segments.limit_bytes / LINE_SHARE;
    return share < LINE_MAX_BYTES ? share : LINE_MAX_BYTES;
}

static void reuse_later(uint64_t address, uint64_t size_bytes)
{
    struct line *line = &lines[bn_context.thread];
    bn_spinlock_acquire(&line->lock);
    if (line->count == LINE_BLOCKS)
        reuse_oldest(line);
    unsigned last = (line->first + line->count++) % LINE_BLOCKS;
    line->blocks[last].address = address;
    line->blocks[last].size_bytes = size_bytes;
    line->size_bytes += size_bytes;
    while (line->size_bytes > line_max_bytes())
        reuse_oldest(line);
    bn_spinlock_release(&line->lock);
}

static void reuse_all(void)
{
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        bn_spinlock_acquire(&lines[thread].lock);
        while (lines[thread].count > 0)
            reuse_oldest(&lines[thread]);
        bn_spinlock_release(&lines[thread].lock);
    }
}

/* Bytes on the thread of an object that takes so many on thread 0 */
static uint64_t bytes_on(const struct head *head, int thread)
{
    return head->is_global ? upc_affinitysize(head->nblocks * head->nbytes, head->nbytes, (size_t)thread)
                           : head->nbytes;
}

static struct head make_head(size_t nblocks, size_t nbytes, bool is_global)
{
    struct head head = {STATE_LIVE, bn_context.thread, -1, is_global, nblocks, nbytes, {0, ""}, {0, ""}};
    note_place(&head.alloc_place);
    return head;
}

/* Marks a part of an object, with what is around it, in a block of size_bytes */
static void mark_part(uint64_t block, uint64_t size_bytes, uint64_t live_bytes)
{
    uint64_t object = block + sizeof(struct head);
    bn_check_set(block, size_bytes, BN_CHECK_AROUND);
    bn_check_set(block, sizeof(struct head), BN_CHECK_HEAD);
    bn_check_set_live(object, live_bytes);
}

/* Bytes of a block for an object; 0 if they cannot be counted */
static uint64_t block_bytes(uint64_t object_bytes)
{
    uint64_t size_bytes;
    if (__builtin_add_overflow(object_bytes, sizeof(struct head) + 2 * BN_CHECK_GRANULE - 1, &size_bytes))
        return 0;
    return size_bytes & ~(uint64_t)(BN_CHECK_GRANULE - 1);
}

uint64_t bn_check_alloc_local(size_t nbytes)
{
    uint64_t size_bytes = block_bytes(nbytes);
    if (size_bytes == 0)
        return 0;
    uint64_t block = bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, size_bytes);
    if (block == 0) {
        reuse_all();
        block = bn_heaps_alloc_local(&bn_context.heaps, bn_context.thread, size_bytes);
    }
    if (block == 0)
        return 0;
    *(struct head *)block = make_head(1, nbytes, false);
    mark_part(block, size_bytes, nbytes);
    return block + sizeof(struct head);
}

uint64_t bn_check_alloc_global(size_t nblocks, size_t nbytes)
{
    struct head head = make_head(nblocks, nbytes, true);
    uint64_t size_bytes = block_bytes(bytes_on(&head, 0));
    if (size_bytes == 0)
        return 0;
    uint64_t block = bn_heaps_alloc_global(&bn_context.heaps, size_bytes);
    if (block == 0) {
        reuse_all();
        block = bn_heaps_alloc_global(&bn_context.heaps, size_bytes);
    }
    if (block == 0)
        return 0;
    *(struct head *)block = head;
    for (int thread = 0; thread < bn_context.thread_count; thread++)
        mark_part(block + bn_stride((uint64_t)thread), size_bytes, bytes_on(&head, thread));
    return block + sizeof(struct head);
}

/* The head of the object that begins at address; null if none does */
static struct head *head_of(uint64_t address)
{
    uint64_t offset = address - bn_check_map.window_base;
    if (offset >= bn_check_map.window_bytes || offset < sizeof(struct head) || address % BN_CHECK_GRANULE != 0 ||
        bn_check_mark_at(address) == BN_CHECK_HEAD || bn_check_mark_at(address - 1) != BN_CHECK_HEAD)
        return NULL;
    struct head *head = (struct head *)(address - sizeof(struct head));
    return head->state == STATE_LIVE || head->state == STATE_FREED ? head : NULL;
}

bool bn_check_free(const char *function, uint64_t address)
{
    struct head *head = head_of(address);
    uint32_t live = STATE_LIVE;
    if (!head)
        return false;
    if (!bn_word_change(&head->state, &live, STATE_FREED)) {
        char text[256];
        bn_check_describe_block(address, text, sizeof text);
        bn_upc_fatal(function, "the memory was freed before: %s; free it once, by one thread", text);
    }
    head->free_thread = bn_context.thread;
    note_place(&head->free_place);
    int parts = head->is_global ? bn_context.thread_count : 1;
    for (int part = 0; part < parts; part++)
        bn_check_set(address + bn_stride((uint64_t)part), bytes_on(head, part), BN_CHECK_FREED);
    reuse_later(address - sizeof(struct head), block_bytes(bytes_on(head, 0)));
    return true;
}

void bn_check_free_made(uint64_t address, uint64_t size_bytes)
{
    reuse_later(address, size_bytes);
}

/* The head that lies before address, on its thread or, of a global object, on thread 0; null if none is near */
static const struct head *nearest_head(uint64_t address, uint64_t *object_p)
{
    int thread;
    uint64_t offset;
    enum bn_segment_place place = bn_segment_classify(&bn_context.segments, address, &thread, &offset);
    uint64_t granule = address & ~(uint64_t)(BN_CHECK_GRANULE - 1);
    uint64_t least = offset < LOOK_BACK_BYTES ? granule - offset : granule - LOOK_BACK_BYTES;
    while (granule > least && bn_check_mark_at(granule) != BN_CHECK_HEAD)
        granule -= BN_CHECK_GRANULE;
    if (bn_check_mark_at(granule) != BN_CHECK_HEAD)
        return NULL;
    if (bn_check_mark_at(address) == BN_CHECK_HEAD) /* in the head itself: the object begins behind it */
        while (bn_check_mark_at(granule + BN_CHECK_GRANULE) == BN_CHECK_HEAD)
            granule += BN_CHECK_GRANULE;
    *object_p = granule + BN_CHECK_GRANULE;
    uint64_t head = *object_p - sizeof(struct head);
    return (const struct head *)(place == BN_PLACE_GLOBAL_HEAP ? head - bn_stride((uint64_t)thread) : head);
}

void bn_check_describe_block(uint64_t address, char *text, size_t text_bytes)
{
    uint64_t object;
    const struct head *head = nearest_head(address, &object);
    char where[FILE_BYTES + 32], how_far[64] = "in";
    text[0] = '\0';
    if (!head)
        return;
    uint64_t part_bytes = bytes_on(head, (int)bn_thread_of_address(address));
    if (address < object)
        snprintf(how_far, sizeof how_far, "%llu bytes before", (unsigned long long)(object - address));
    else if (address >= object + part_bytes)
        snprintf(how_far, sizeof how_far, "%llu bytes beyond", (unsigned long long)(address - object - part_bytes));
    print_place(&head->alloc_place, where, sizeof where);
    int used = snprintf(text, text_bytes, "%s the %llu bytes that thread %d allocated%s", how_far,
                        (unsigned long long)(head->nblocks * head->nbytes), head->alloc_thread, where);
    if (head->state != STATE_FREED || used < 0 || (size_t)used >= text_bytes)
        return;
    print_place(&head->free_place, where, sizeof where);
    snprintf(text + used, text_bytes - (size_t)used, " and thread %d freed%s", head->free_thread, where);
}
