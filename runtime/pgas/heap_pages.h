/*
 * heap_pages.h: internals of the heap: runs of pages, found in constant time.
 *
 * Free runs are in lists by size: eight lists per power of two, and a bit map of the lists that are not empty (the
 * two-level segregated fit of Masmano et al.).  A run is taken from the first list whose runs are all large enough or,
 * before the heap grows, from among the first few runs of the list below it; the remainder is put back.  Adjacent free
 * runs are found through the table of pages and merged immediately.  Pages beyond the last run in use are in no list:
 * the end of the heap moves down.
 */
#ifndef BN_PGAS_HEAP_PAGES_H
#define BN_PGAS_HEAP_PAGES_H

#include "pgas/heap.h"
#include "platform/atomic_word.h"

enum {
    HEAP_PAGE_SHIFT = 12,
    HEAP_PAGE_BYTES = 1 << HEAP_PAGE_SHIFT,
    HEAP_LEVELS = 22,    /* powers of two from 8 pages on, after the level of 1 to 7 pages */
    HEAP_STEP_SHIFT = 3, /* lists per level, as a shift */
    HEAP_STEPS = 1 << HEAP_STEP_SHIFT,
};

enum heap_page_kind {
    HEAP_PAGE_INSIDE = 0,  /* inside a run, or beyond the end */
    HEAP_PAGE_FREE,        /* first page of a free run */
    HEAP_PAGE_FREE_LAST,   /* last page of a free run of more than one page */
    HEAP_PAGE_RUN,         /* first page of a run in use as one block */
    HEAP_PAGE_RUN_PENDING, /* the same, freed by another thread and not yet taken back */
    HEAP_PAGE_SLAB,        /* any page of a slab */
};

struct heap_page {
    uint32_t kind;   /* enum heap_page_kind; atomic, since threads that free read it */
    uint32_t number; /* of a run: its pages; of a slab: its index */
    uint32_t next;   /* in a list of free runs, or of pending blocks; page + 1, 0 for none */
    uint32_t prev;   /* in a list of free runs; page + 1, 0 for none */
};

struct heap_pages {
    struct bn_heap_backing backing;
    struct heap_page *pages;
    uint32_t page_limit;
    uint32_t large_page;   /* pages of a large page; 0 if blocks begin at any page */
    uint32_t pages_before; /* from the large page before the heap to the heap */
    uint32_t page_end;     /* pages below belong to the heap */
    uint32_t dirty_end;    /* pages from page_end to here may still hold memory */
    uint32_t dirty_free;   /* pages in free runs that may still hold memory */
    uint32_t dirty_keep;   /* how many of both are kept for reuse */
    uint32_t used;         /* pages in runs in use */
    uint32_t level_map;
    uint32_t step_map[HEAP_LEVELS];
    uint32_t lists[HEAP_LEVELS][HEAP_STEPS]; /* page + 1, 0 for none */
};

#define HEAP_NO_PAGE UINT32_MAX

/* Takes a run of count > 0 pages and returns its first page; HEAP_NO_PAGE if there is none. */
uint32_t heap_pages_take(struct heap_pages *pages, uint32_t count);

/* Gives a run back.  Its first page may be of any kind. */
void heap_pages_give(struct heap_pages *pages, uint32_t first, uint32_t count);

static inline uint32_t heap_page_kind(const struct heap_pages *pages, uint32_t page)
{
    return bn_word_get(&pages->pages[page].kind);
}

static inline void heap_page_set_kind(struct heap_pages *pages, uint32_t page, enum heap_page_kind kind)
{
    bn_word_set(&pages->pages[page].kind, kind);
}

#endif
