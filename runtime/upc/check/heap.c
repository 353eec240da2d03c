/*
 * heap.c: the heap for -fcheck.
 *
 *     block                    object                           spare
 *     | head: who, where ...   | nbytes, live to the byte ...   | a granule or more |
 *
 * A global object has its head on thread 0; on the other threads the same place is empty.  Freed blocks wait in a line,
 * a queue of the thread that freed them, until the line is long.  So an access through a stale pointer finds the block
 * freed, not reused.  A thread that finds no room empties the lines of all threads.
 *
 * Heads and lines may be on other nodes, so they are copied before they are read.
 */
#include "platform/copy.h"
#include "upc/check/check.h"
#include "upc/check/memory.h"
#include "upc/check/place.h"
#include "upc/context.h"
#include "upc/fatal.h"
#include "upc/upc_c.h"

#include <stdio.h>
#include <string.h>

enum {
    FILE_BYTES = 100,
    LINE_BLOCKS = 1 << 14,
    LINE_MAX_BYTES = 16 << 20,
    LINE_SHARE = 64,
    LOOK_BACK_BYTES = 64 << 20
};

#define STATE_LIVE UINT64_C(0x6576696c)
#define STATE_FREED UINT64_C(0x64656572)

struct place {
    int line;
    char file[FILE_BYTES]; /* truncated at the front if it is long */
};

struct head {
    uint64_t link;  /* used by the heap once the block may be reused (pgas/remote/heaps.c) */
    uint64_t state; /* STATE_LIVE or STATE_FREED; atomic */
    int alloc_thread;
    uint32_t is_global;
    uint64_t nblocks; /* 1 if local */
    uint64_t nbytes;
    struct place alloc_place;
    struct {
        int thread;
        struct place place;
    } freed;
};

_Static_assert(sizeof(struct head) % 64 == 0, "objects stay aligned");

struct freed_block {
    uint64_t address;
    uint64_t size_bytes;
};

/* The used part of a line, which is a ring buffer */
struct extent {
    unsigned first, count;
    uint64_t size_bytes;
};

struct line {
    unsigned char lock[BN_LOCK_BYTES] __attribute__((aligned(BN_LINE_BYTES)));
    struct extent extent;
    struct freed_block blocks[LINE_BLOCKS];
} __attribute__((aligned(BN_LINE_BYTES)));

static struct bn_check_parts lines;

uint64_t bn_check_heap_bytes(void)
{
    return sizeof(struct line);
}

static struct line *line_of(int thread)
{
    return bn_check_part_of(&lines, thread);
}

bn_status_t bn_check_heap_create(void)
{
    int first, end;
    bn_status_t status = bn_check_parts_create(bn_check_heap_bytes(), &lines);
    if (status != BN_OK)
        return status;
    bn_check_makes(&first, &end);
    for (int thread = first; thread < end; thread++)
        bn_lock_init((struct bn_lock *)line_of(thread)->lock);
    return BN_OK;
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

/* Locks a line until close_line. */
static struct extent open_line(struct line *line)
{
    struct extent extent;
    bn_lock_acquire((struct bn_lock *)line->lock, bn_context.thread, &bn_context.locks);
    bn_copy(&extent, &line->extent, sizeof extent);
    return extent;
}

static void close_line(struct line *line, const struct extent *extent)
{
    bn_copy(&line->extent, extent, sizeof *extent);
    bn_lock_release((struct bn_lock *)line->lock, bn_context.thread);
}

static void reuse_oldest(const struct line *line, struct extent *extent)
{
    struct freed_block block;
    bn_copy(&block, &line->blocks[extent->first], sizeof block);
    bn_heaps_free(&bn_context.heaps, bn_context.thread, block.address);
    extent->first = (extent->first + 1) % LINE_BLOCKS;
    extent->count--;
    extent->size_bytes -= block.size_bytes;
}

/* Most bytes in a line: limited, and only a small part of a small heap, because only its owner can merge a heap's free
 * memory again */
static uint64_t line_max_bytes(void)
{
    uint64_t share = bn_context.segments.limit_bytes / LINE_SHARE;
    return share < LINE_MAX_BYTES ? share : LINE_MAX_BYTES;
}

static void reuse_later(uint64_t address, uint64_t size_bytes)
{
    struct line *line = line_of(bn_context.thread);
    struct extent extent = open_line(line);
    if (extent.count == LINE_BLOCKS)
        reuse_oldest(line, &extent);
    line->blocks[(extent.first + extent.count++) % LINE_BLOCKS] = (struct freed_block){address, size_bytes};
    extent.size_bytes += size_bytes;
    while (extent.size_bytes > line_max_bytes())
        reuse_oldest(line, &extent);
    close_line(line, &extent);
}

static void reuse_all(void)
{
    for (int thread = 0; thread < bn_context.thread_count; thread++) {
        struct line *line = line_of(thread);
        struct extent extent = open_line(line);
        while (extent.count > 0)
            reuse_oldest(line, &extent);
        close_line(line, &extent);
    }
}

/* Bytes that an object has on a thread */
static uint64_t bytes_on(const struct head *head, int thread)
{
    return head->is_global ? BN_OWN(upc_affinitysize)(head->nblocks * head->nbytes, head->nbytes, (size_t)thread)
                           : head->nbytes;
}

static struct head make_head(size_t nblocks, size_t nbytes, bool is_global)
{
    struct head head = {.state = STATE_LIVE,
                        .alloc_thread = bn_context.thread,
                        .is_global = is_global,
                        .nblocks = nblocks,
                        .nbytes = nbytes,
                        .freed = {.thread = -1}};
    note_place(&head.alloc_place);
    return head;
}

/* Marks a thread's part of an object and the memory around it, in a block of size_bytes.  No mark is written twice,
 * because between nodes writes to one place wait for each other. */
static void mark_part(uint64_t block, uint64_t size_bytes, uint64_t live_bytes)
{
    uint64_t object = block + sizeof(struct head);
    uint64_t taken_bytes = (live_bytes + BN_CHECK_GRANULE - 1) & ~(uint64_t)(BN_CHECK_GRANULE - 1);
    bn_check_set(block, sizeof(struct head), BN_CHECK_HEAD);
    bn_check_set_live(object, live_bytes);
    bn_check_set(object + taken_bytes, size_bytes - sizeof(struct head) - taken_bytes, BN_CHECK_AROUND);
}

/* Size of the block for an object; 0 if it overflows */
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
    bn_copy((void *)block, &head, sizeof head);
    for (int thread = 0; thread < bn_context.thread_count; thread++)
        mark_part(block + bn_stride((uint64_t)thread), size_bytes, bytes_on(&head, thread));
    bn_fence(); /* all threads see the marks before they see the pointer */
    return block + sizeof(struct head);
}

/* Copies the head of the object that begins at address; false if no object begins there. */
static bool find_head(uint64_t address, struct head *head)
{
    uint64_t offset = address - bn_check_map.window_base;
    if (offset >= bn_check_map.window_bytes || offset < sizeof *head || address % BN_CHECK_GRANULE != 0 ||
        bn_check_mark_at(address) == BN_CHECK_HEAD || bn_check_mark_at(address - 1) != BN_CHECK_HEAD)
        return false;
    bn_copy(head, (const void *)(address - sizeof *head), sizeof *head);
    return head->state == STATE_LIVE || head->state == STATE_FREED;
}

bool bn_check_free(const char *function, uint64_t address)
{
    struct head head;
    if (!find_head(address, &head))
        return false;
    struct head *place = (struct head *)(address - sizeof head);
    if (!bn_check_change((uint64_t)&place->state, STATE_LIVE, STATE_FREED)) {
        char text[256];
        bn_check_describe_block(address, text, sizeof text);
        bn_upc_fatal(function, "the memory was freed before: %s; free it once, by one thread", text);
    }
    head.freed.thread = bn_context.thread;
    note_place(&head.freed.place);
    bn_copy(&place->freed, &head.freed, sizeof head.freed);
    int parts = head.is_global ? bn_context.thread_count : 1;
    for (int part = 0; part < parts; part++)
        bn_check_set(address + bn_stride((uint64_t)part), bytes_on(&head, part), BN_CHECK_FREED);
    bn_fence();
    reuse_later(address - sizeof head, block_bytes(bytes_on(&head, 0)));
    return true;
}

void bn_check_free_made(uint64_t address, uint64_t size_bytes)
{
    reuse_later(address, size_bytes);
}

/* Copies the nearest head before address, from the same thread or, for a global object, from thread 0; *object_p
 * becomes where its object begins on the thread of address.  False if no head is near. */
static bool find_nearest_head(uint64_t address, struct head *head, uint64_t *object_p)
{
    int thread;
    uint64_t offset;
    enum bn_segment_place place = bn_segment_classify(&bn_context.segments, address, &thread, &offset);
    if (place == BN_PLACE_OUTSIDE || offset < bn_context.segments.global_begin)
        return false;
    offset -= offset >= BN_SEGMENT_HALF_BYTES ? BN_SEGMENT_HALF_BYTES : bn_context.segments.global_begin;
    uint64_t granule = address & ~(uint64_t)(BN_CHECK_GRANULE - 1);
    uint64_t least =
        (address - (offset < LOOK_BACK_BYTES ? offset : LOOK_BACK_BYTES)) & ~(uint64_t)(BN_CHECK_GRANULE - 1);
    if (!bn_check_find_back(&granule, least, BN_CHECK_HEAD))
        return false;
    if (bn_check_mark_at(address) == BN_CHECK_HEAD) /* address is in the head itself: the object begins after it */
        while (bn_check_mark_at(granule + BN_CHECK_GRANULE) == BN_CHECK_HEAD)
            granule += BN_CHECK_GRANULE;
    *object_p = granule + BN_CHECK_GRANULE;
    uint64_t found = *object_p - sizeof *head;
    bn_copy(head, (const void *)(place == BN_PLACE_GLOBAL_HEAP ? found - bn_stride((uint64_t)thread) : found),
            sizeof *head);
    return true;
}

void bn_check_describe_block(uint64_t address, char *text, size_t text_bytes)
{
    uint64_t object;
    struct head head;
    char where[FILE_BYTES + 32], how_far[64] = "in";
    text[0] = '\0';
    if (!find_nearest_head(address, &head, &object))
        return;
    uint64_t part_bytes = bytes_on(&head, (int)bn_thread_of_address(address));
    if (address < object)
        snprintf(how_far, sizeof how_far, "%llu bytes before", (unsigned long long)(object - address));
    else if (address >= object + part_bytes)
        snprintf(how_far, sizeof how_far, "%llu bytes beyond", (unsigned long long)(address - object - part_bytes));
    print_place(&head.alloc_place, where, sizeof where);
    int used = snprintf(text, text_bytes, "%s the %llu bytes that thread %d allocated%s", how_far,
                        (unsigned long long)(head.nblocks * head.nbytes), head.alloc_thread, where);
    if (head.state != STATE_FREED || used < 0 || (size_t)used >= text_bytes)
        return;
    print_place(&head.freed.place, where, sizeof where);
    snprintf(text + used, text_bytes - (size_t)used, " and thread %d freed%s", head.freed.thread, where);
}
