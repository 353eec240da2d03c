/*
 * Small blocks come from slabs: runs of pages cut into slots of one size, with a bit per slot.  A slab's bits, and the
 * bits by which other threads free slots, lie outside the heap, in a table of slabs.  Large blocks are runs of pages.
 *
 * Freeing by other threads: the thread sets the slot's bit in freed[] by an atomic OR, which also detects a second
 * free; then it puts the slab on the heap's list of pending work, unless the slab is on it already.  The owner takes
 * the whole list at once, so the list has no ABA problem.  The owner clears is_pending before it collects the bits: a
 * bit that it misses was set later, and the thread that set it sees is_pending clear and puts the slab on the list
 * again.
 *
 * tests/models/heap.pml checks these steps:
 *
 *     F0  refuse what is free                        O1  take the whole list
 *     F1  set the bit; refuse if it is set           O2  look at the next slab in it
 *     F2  is_pending = 1; done if it was             O3  is_pending = 0
 *     F3  own next = head of the list                O4  take the bits
 *     F4  head: what it was -> own; else F3 again
 */
#include "pgas/heap.h"

#include "pgas/heap_pages.h"
#include "platform/cache_line.h"

#include <stddef.h>

enum {
    SLOT_ALIGN = 16,
    LINEAR_BYTES = 128, /* up to here one class per 16 bytes, */
    LINEAR_CLASSES = LINEAR_BYTES / SLOT_ALIGN,
    STEPS_PER_DOUBLING = 4, /* then four classes per doubling, */
    SMALL_BYTES = 16384,    /* up to here */
    DOUBLINGS = 7,
    CLASS_COUNT = LINEAR_CLASSES + DOUBLINGS * STEPS_PER_DOUBLING,
    LITTLE_BYTES = 1024, /* up to here slabs have LITTLE_SLAB_PAGES */
    LITTLE_SLAB_PAGES = 4,
    SLAB_PAGES = 16,
    WORD_BITS = 64,
    SLAB_WORDS = LITTLE_SLAB_PAGES * HEAP_PAGE_BYTES / SLOT_ALIGN / WORD_BITS,
    KEEP_MAX_BYTES = 16 * 1024 * 1024, /* freed memory that stays with the heap: this, or a share of its limit */
    KEEP_SHARE = 8,
};

_Static_assert(LINEAR_BYTES << DOUBLINGS == SMALL_BYTES, "classes cover all small sizes");

struct slab {
    /* Used by the owner */
    uint64_t free[SLAB_WORDS]; /* bit set: slot is free; atomic, because other threads read it when they free */
    uint32_t words_with_free;  /* bit set: word has a bit set */
    uint32_t first_page;
    uint32_t page_count;
    uint32_t slot_bytes;
    uint32_t reciprocal; /* ceil(2^32 / slot_bytes): divides offsets within a slab */
    uint32_t slot_count;
    uint32_t free_count;
    uint32_t prev, next; /* in the list of its class, or of unused slabs (next only); index + 1 */
    /* Used by all threads */
    uint64_t freed[SLAB_WORDS] __attribute__((aligned(BN_LINE_BYTES))); /* bit set: slot was freed by another thread */
    uint32_t is_pending;
    uint32_t next_pending;
};

struct bn_heap {
    struct heap_pages pages;
    struct slab *slabs;
    uint32_t slab_count;             /* slabs ever used */
    uint32_t unused_slab;            /* index + 1 */
    uint32_t with_free[CLASS_COUNT]; /* first slab of each class that has a free slot; index + 1 */
    /* Head of the list of what others have freed: (page or slab) + 1, shifted, and PENDING_IS_SLAB; 0: empty */
    uint32_t pending __attribute__((aligned(BN_LINE_BYTES)));
};

enum { PENDING_IS_SLAB = 1, PENDING_SHIFT = 1 };

/* ---- Geometry ---- */

static uint64_t page_limit_of(uint64_t limit_bytes)
{
    return limit_bytes >> HEAP_PAGE_SHIFT;
}

static uint64_t table_bytes(uint64_t count, uint64_t entry_bytes)
{
    return (count * entry_bytes + BN_LINE_BYTES - 1) / BN_LINE_BYTES * BN_LINE_BYTES;
}

static uint64_t slab_limit_of(uint64_t page_limit)
{
    /* A slab has at least four pages; if there is no such run, a block gets a run of its own size. */
    return page_limit / LITTLE_SLAB_PAGES + 1;
}

uint64_t bn_heap_size_bytes(uint64_t limit_bytes)
{
    uint64_t page_limit = page_limit_of(limit_bytes);
    return sizeof(struct bn_heap) + table_bytes(page_limit + 1, sizeof(struct heap_page)) +
           table_bytes(slab_limit_of(page_limit), sizeof(struct slab));
}

void bn_heap_init(struct bn_heap *heap, uint64_t limit_bytes, struct bn_heap_backing backing)
{
    uint64_t page_limit = page_limit_of(limit_bytes);
    uint64_t keep_bytes = limit_bytes / KEEP_SHARE < KEEP_MAX_BYTES ? limit_bytes / KEEP_SHARE : KEEP_MAX_BYTES;
    heap->pages.backing = backing;
    heap->pages.pages = (struct heap_page *)(heap + 1);
    heap->pages.page_limit = (uint32_t)page_limit;
    heap->pages.large_page = (uint32_t)(backing.large_page_bytes >> HEAP_PAGE_SHIFT);
    if (backing.large_page_bytes > 0)
        heap->pages.pages_before = (uint32_t)(backing.begin_bytes % backing.large_page_bytes >> HEAP_PAGE_SHIFT);
    heap->pages.dirty_keep = (uint32_t)(keep_bytes >> HEAP_PAGE_SHIFT);
    heap->slabs = (struct slab *)((char *)(heap + 1) + table_bytes(page_limit + 1, sizeof(struct heap_page)));
}

static uint32_t class_of(uint32_t size_bytes)
{
    if (size_bytes <= LINEAR_BYTES)
        return (size_bytes - 1) / SLOT_ALIGN;
    uint32_t log = 31 - (uint32_t)__builtin_clz(size_bytes - 1);
    uint32_t doubling = log - 7;
    return LINEAR_CLASSES + doubling * STEPS_PER_DOUBLING + ((size_bytes - 1) >> (log - 2)) - STEPS_PER_DOUBLING;
}

static uint32_t class_bytes(uint32_t size_class)
{
    if (size_class < LINEAR_CLASSES)
        return (size_class + 1) * SLOT_ALIGN;
    uint32_t doubling = (size_class - LINEAR_CLASSES) / STEPS_PER_DOUBLING;
    uint32_t step = (size_class - LINEAR_CLASSES) % STEPS_PER_DOUBLING;
    uint32_t step_bytes = (uint32_t)(LINEAR_BYTES / STEPS_PER_DOUBLING) << doubling;
    return step_bytes * (STEPS_PER_DOUBLING + 1 + step);
}

/* ---- Slabs ---- */

static void link_slab(struct bn_heap *heap, uint32_t index, uint32_t size_class)
{
    struct slab *slab = &heap->slabs[index];
    uint32_t *head = &heap->with_free[size_class];
    slab->prev = 0;
    slab->next = *head;
    if (*head)
        heap->slabs[*head - 1].prev = index + 1;
    *head = index + 1;
}

static void unlink_slab(struct bn_heap *heap, const struct slab *slab, uint32_t size_class)
{
    if (slab->prev)
        heap->slabs[slab->prev - 1].next = slab->next;
    else
        heap->with_free[size_class] = slab->next;
    if (slab->next)
        heap->slabs[slab->next - 1].prev = slab->prev;
}

static uint32_t take_slab_index(struct bn_heap *heap)
{
    if (!heap->unused_slab)
        return heap->slab_count++;
    uint32_t index = heap->unused_slab - 1;
    heap->unused_slab = heap->slabs[index].next;
    return index;
}

static void fill_slab(struct slab *slab, uint32_t first_page, uint32_t page_count, uint32_t slot_bytes)
{
    uint32_t slot_count = page_count * HEAP_PAGE_BYTES / slot_bytes;
    slab->first_page = first_page;
    slab->page_count = page_count;
    slab->slot_bytes = slot_bytes;
    slab->reciprocal = (uint32_t)(((UINT64_C(1) << 32) + slot_bytes - 1) / slot_bytes);
    slab->slot_count = slot_count;
    slab->free_count = slot_count;
    slab->words_with_free = 0;
    for (uint32_t word = 0; word < SLAB_WORDS; word++) {
        uint32_t left = slot_count > word * WORD_BITS ? slot_count - word * WORD_BITS : 0;
        uint64_t bits = left >= WORD_BITS ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
        bn_word64_set(&slab->free[word], bits);
        if (bits)
            slab->words_with_free |= 1u << word;
    }
}

static bool add_slab(struct bn_heap *heap, uint32_t size_class)
{
    uint32_t slot_bytes = class_bytes(size_class);
    uint32_t page_count = slot_bytes <= LITTLE_BYTES ? LITTLE_SLAB_PAGES : SLAB_PAGES;
    uint32_t first = heap_pages_take(&heap->pages, page_count);
    if (first == HEAP_NO_PAGE)
        return false;
    uint32_t index = take_slab_index(heap);
    fill_slab(&heap->slabs[index], first, page_count, slot_bytes);
    for (uint32_t page = first; page < first + page_count; page++) {
        heap->pages.pages[page].number = index;
        heap_page_set_kind(&heap->pages, page, HEAP_PAGE_SLAB);
    }
    link_slab(heap, index, size_class);
    return true;
}

static void remove_slab(struct bn_heap *heap, uint32_t index, uint32_t size_class)
{
    struct slab *slab = &heap->slabs[index];
    unlink_slab(heap, slab, size_class);
    for (uint32_t page = slab->first_page; page < slab->first_page + slab->page_count; page++)
        heap_page_set_kind(&heap->pages, page, HEAP_PAGE_INSIDE);
    heap_pages_give(&heap->pages, slab->first_page, slab->page_count);
    slab->next = heap->unused_slab;
    heap->unused_slab = index + 1;
}

/* Frees slots that were in use: count bits of one word */
static void give_slots(struct bn_heap *heap, uint32_t index, uint32_t word, uint64_t bits, uint32_t count)
{
    struct slab *slab = &heap->slabs[index];
    bn_word64_set(&slab->free[word], bn_word64_get(&slab->free[word]) | bits);
    slab->words_with_free |= 1u << word;
    bool was_full = slab->free_count == 0;
    slab->free_count += count;
    if (!was_full && slab->free_count < slab->slot_count)
        return;
    if (was_full)
        link_slab(heap, index, class_of(slab->slot_bytes));
    /* The last slab of a class is kept; otherwise a program that repeatedly allocates and frees one block would make a
     * slab each time. */
    if (slab->free_count == slab->slot_count && (slab->prev || slab->next))
        remove_slab(heap, index, class_of(slab->slot_bytes));
}

/* ---- Taking back what others have freed ---- */

static void collect_slab(struct bn_heap *heap, uint32_t index)
{
    struct slab *slab = &heap->slabs[index];
    bn_word_swap(&slab->is_pending, 0); /* O3 */
    uint32_t words = (slab->slot_count + WORD_BITS - 1) / WORD_BITS;
    for (uint32_t word = 0; word < words; word++) {
        if (bn_word64_get(&slab->freed[word]) == 0)
            continue;
        uint64_t bits = bn_word64_swap(&slab->freed[word], 0); /* O4 */
        bits &= ~bn_word64_get(&slab->free[word]);
        if (bits)
            give_slots(heap, index, word, bits, (uint32_t)__builtin_popcountll(bits));
    }
}

static void collect_pending(struct bn_heap *heap)
{
    if (bn_word_get(&heap->pending) == 0)
        return;
    uint32_t item = bn_word_swap(&heap->pending, 0); /* O1 */
    while (item) {
        uint32_t index = (item >> PENDING_SHIFT) - 1;
        if (item & PENDING_IS_SLAB) {
            /* Read the link first: once the slab is not pending, others may link it again. */
            item = heap->slabs[index].next_pending; /* O2 */
            collect_slab(heap, index);
        } else {
            item = heap->pages.pages[index].next;
            heap_pages_give(&heap->pages, index, heap->pages.pages[index].number);
        }
    }
}

static void push_pending(struct bn_heap *heap, uint32_t item, uint32_t *next)
{
    uint32_t head = bn_word_get(&heap->pending);
    do
        *next = head; /* F3 */
    while (!bn_word_change(&heap->pending, &head, item)); /* F4 */
}

void bn_heap_trim(struct bn_heap *heap)
{
    collect_pending(heap);
    for (uint32_t size_class = 0; size_class < CLASS_COUNT; size_class++) {
        uint32_t head = heap->with_free[size_class];
        if (head && heap->slabs[head - 1].free_count == heap->slabs[head - 1].slot_count)
            remove_slab(heap, head - 1, size_class);
    }
}

/* ---- Allocation ---- */

static uint64_t alloc_run(struct bn_heap *heap, uint64_t size_bytes)
{
    uint64_t count = (size_bytes + HEAP_PAGE_BYTES - 1) >> HEAP_PAGE_SHIFT;
    collect_pending(heap);
    if (size_bytes > (uint64_t)heap->pages.page_limit << HEAP_PAGE_SHIFT)
        return BN_HEAP_NONE;
    uint32_t first = heap_pages_take(&heap->pages, (uint32_t)count);
    if (first == HEAP_NO_PAGE) {
        bn_heap_trim(heap);
        first = heap_pages_take(&heap->pages, (uint32_t)count);
    }
    if (first == HEAP_NO_PAGE)
        return BN_HEAP_NONE;
    heap->pages.pages[first].number = (uint32_t)count;
    heap_page_set_kind(&heap->pages, first, HEAP_PAGE_RUN);
    return (uint64_t)first << HEAP_PAGE_SHIFT;
}

/* Not inlined, because it runs only once for many blocks. */
static __attribute__((noinline)) bool refill(struct bn_heap *heap, uint32_t size_class)
{
    collect_pending(heap);
    return heap->with_free[size_class] || add_slab(heap, size_class);
}

uint64_t bn_heap_alloc(struct bn_heap *heap, uint64_t size_bytes)
{
    if (size_bytes > SMALL_BYTES)
        return alloc_run(heap, size_bytes);
    uint32_t size_class = class_of((uint32_t)size_bytes);
    if (!heap->with_free[size_class] && !refill(heap, size_class))
        return alloc_run(heap, size_bytes);
    struct slab *slab = &heap->slabs[heap->with_free[size_class] - 1];
    uint32_t word = (uint32_t)__builtin_ctz(slab->words_with_free);
    uint64_t bits = bn_word64_get(&slab->free[word]);
    uint32_t slot = word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
    bits &= bits - 1;
    bn_word64_set(&slab->free[word], bits);
    if (!bits)
        slab->words_with_free &= ~(1u << word);
    if (--slab->free_count == 0)
        unlink_slab(heap, slab, size_class);
    return ((uint64_t)slab->first_page << HEAP_PAGE_SHIFT) + (uint64_t)slot * slab->slot_bytes;
}

/* ---- Freeing ---- */

struct place {
    uint32_t page;
    uint32_t kind;
    uint32_t slab;
    uint32_t slot;
};

static enum bn_heap_result find_block(const struct bn_heap *heap, uint64_t offset, struct place *place)
{
    uint64_t page = offset >> HEAP_PAGE_SHIFT;
    if (page >= heap->pages.page_limit)
        return BN_HEAP_NOT_ALLOCATED;
    place->page = (uint32_t)page;
    place->kind = heap_page_kind(&heap->pages, place->page);
    if (place->kind == HEAP_PAGE_SLAB) {
        place->slab = heap->pages.pages[page].number;
        const struct slab *slab = &heap->slabs[place->slab];
        uint32_t slab_offset = (uint32_t)(offset - ((uint64_t)slab->first_page << HEAP_PAGE_SHIFT));
        place->slot = (uint32_t)(((uint64_t)slab_offset * slab->reciprocal) >> 32);
        if (place->slot * slab->slot_bytes != slab_offset)
            return BN_HEAP_INTERIOR;
        if (place->slot >= slab->slot_count)
            return BN_HEAP_NOT_ALLOCATED;
        uint64_t bit = UINT64_C(1) << place->slot % WORD_BITS;
        /* F0 */
        return bn_word64_get(&slab->free[place->slot / WORD_BITS]) & bit ? BN_HEAP_ALREADY_FREE : BN_HEAP_FREED;
    }
    if (place->kind == HEAP_PAGE_RUN)
        return offset % HEAP_PAGE_BYTES == 0 ? BN_HEAP_FREED : BN_HEAP_INTERIOR;
    return place->kind == HEAP_PAGE_RUN_PENDING ? BN_HEAP_ALREADY_FREE : BN_HEAP_NOT_ALLOCATED;
}

enum bn_heap_result bn_heap_free(struct bn_heap *heap, uint64_t offset)
{
    struct place place;
    enum bn_heap_result result = find_block(heap, offset, &place);
    if (result != BN_HEAP_FREED)
        return result;
    if (place.kind == HEAP_PAGE_RUN) {
        heap_pages_give(&heap->pages, place.page, heap->pages.pages[place.page].number);
        return BN_HEAP_FREED;
    }
    uint32_t word = place.slot / WORD_BITS;
    uint64_t bit = UINT64_C(1) << place.slot % WORD_BITS;
    if (bn_word64_get(&heap->slabs[place.slab].freed[word]) & bit)
        return BN_HEAP_ALREADY_FREE;
    give_slots(heap, place.slab, word, bit, 1);
    return BN_HEAP_FREED;
}

enum bn_heap_result bn_heap_free_remote(struct bn_heap *heap, uint64_t offset)
{
    struct place place;
    enum bn_heap_result result = find_block(heap, offset, &place);
    if (result != BN_HEAP_FREED)
        return result;
    if (place.kind == HEAP_PAGE_RUN) {
        struct heap_page *page = &heap->pages.pages[place.page];
        uint32_t run = HEAP_PAGE_RUN;
        if (!bn_word_change(&page->kind, &run, HEAP_PAGE_RUN_PENDING))
            return BN_HEAP_ALREADY_FREE;
        push_pending(heap, (place.page + 1) << PENDING_SHIFT, &page->next);
        return BN_HEAP_FREED;
    }
    struct slab *slab = &heap->slabs[place.slab];
    uint64_t bit = UINT64_C(1) << place.slot % WORD_BITS;
    if (bn_word64_set_bits(&slab->freed[place.slot / WORD_BITS], bit) & bit) /* F1 */
        return BN_HEAP_ALREADY_FREE;
    if (bn_word_swap(&slab->is_pending, 1) == 0) /* F2 */
        push_pending(heap, (place.slab + 1) << PENDING_SHIFT | PENDING_IS_SLAB, &slab->next_pending);
    return BN_HEAP_FREED;
}

uint64_t bn_heap_used_bytes(const struct bn_heap *heap)
{
    return (uint64_t)heap->pages.used << HEAP_PAGE_SHIFT;
}
