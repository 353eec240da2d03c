#include "pgas/heap_pages.h"

enum {
    FREE_DIRTY = 1u << 31, /* in number of a free run: its pages may hold memory */
    COUNT_MASK = FREE_DIRTY - 1,
    DISCARD_MIN_PAGES = 16, /* smaller runs are not worth a system call */
    SHORT_SEARCH = 16,      /* runs that are looked at before the heap grows instead */
};

struct bin {
    uint32_t level;
    uint32_t step;
};

static uint32_t log2_of(uint32_t n)
{
    return 31 - (uint32_t)__builtin_clz(n);
}

/* The list that a run of count pages belongs to */
static struct bin bin_of(uint32_t count)
{
    if (count < HEAP_STEPS)
        return (struct bin){0, count};
    uint32_t log = log2_of(count);
    return (struct bin){log - HEAP_STEP_SHIFT + 1, (count >> (log - HEAP_STEP_SHIFT)) - HEAP_STEPS};
}

/* ---- Lists of free runs ---- */

static void insert_free(struct heap_pages *pages, uint32_t first, uint32_t count, bool is_dirty)
{
    struct bin bin = bin_of(count);
    uint32_t *head = &pages->lists[bin.level][bin.step];
    struct heap_page *page = &pages->pages[first];
    heap_page_set_kind(pages, first, HEAP_PAGE_FREE);
    page->number = count | (is_dirty ? FREE_DIRTY : 0);
    page->prev = 0;
    page->next = *head;
    if (*head)
        pages->pages[*head - 1].prev = first + 1;
    *head = first + 1;
    if (count > 1) {
        heap_page_set_kind(pages, first + count - 1, HEAP_PAGE_FREE_LAST);
        pages->pages[first + count - 1].number = count;
    }
    if (is_dirty)
        pages->dirty_free += count;
    pages->step_map[bin.level] |= 1u << bin.step;
    pages->level_map |= 1u << bin.level;
}

/* Takes a free run out of its list; true if it is dirty */
static bool remove_free(struct heap_pages *pages, uint32_t first)
{
    struct heap_page *page = &pages->pages[first];
    uint32_t count = page->number & COUNT_MASK;
    bool is_dirty = page->number & FREE_DIRTY;
    struct bin bin = bin_of(count);
    if (page->prev)
        pages->pages[page->prev - 1].next = page->next;
    else
        pages->lists[bin.level][bin.step] = page->next;
    if (page->next)
        pages->pages[page->next - 1].prev = page->prev;
    if (!pages->lists[bin.level][bin.step])
        pages->step_map[bin.level] &= ~(1u << bin.step);
    if (!pages->step_map[bin.level])
        pages->level_map &= ~(1u << bin.level);
    heap_page_set_kind(pages, first, HEAP_PAGE_INSIDE);
    heap_page_set_kind(pages, first + count - 1, HEAP_PAGE_INSIDE);
    if (is_dirty)
        pages->dirty_free -= count;
    return is_dirty;
}

/* A free run of at least count pages from a list all of whose runs are large enough */
static uint32_t find_free(const struct heap_pages *pages, uint32_t count)
{
    uint32_t rounded = count;
    if (count >= HEAP_STEPS)
        rounded += (1u << (log2_of(count) - HEAP_STEP_SHIFT)) - 1;
    struct bin bin = bin_of(rounded);
    if (bin.level >= HEAP_LEVELS)
        return HEAP_NO_PAGE;
    uint32_t steps = pages->step_map[bin.level] & (~0u << bin.step);
    if (!steps) {
        uint32_t levels = pages->level_map & (~0u << bin.level << 1);
        if (!levels)
            return HEAP_NO_PAGE;
        bin.level = (uint32_t)__builtin_ctz(levels);
        steps = pages->step_map[bin.level];
    }
    return pages->lists[bin.level][__builtin_ctz(steps)] - 1;
}

/* A run that is large enough in the list of this size, whose runs need not be; looks at most_runs of them */
static uint32_t search_free(const struct heap_pages *pages, uint32_t count, uint32_t most_runs)
{
    struct bin bin = bin_of(count);
    for (uint32_t page = pages->lists[bin.level][bin.step]; page && most_runs > 0; most_runs--) {
        if ((pages->pages[page - 1].number & COUNT_MASK) >= count)
            return page - 1;
        page = pages->pages[page - 1].next;
    }
    return HEAP_NO_PAGE;
}

/* ---- The end of the heap ---- */

static uint32_t extend(struct heap_pages *pages, uint32_t count)
{
    if (count > pages->page_limit - pages->page_end)
        return HEAP_NO_PAGE;
    uint32_t end = pages->page_end + count;
    if (!pages->backing.set_end(pages->backing.context, (uint64_t)end << HEAP_PAGE_SHIFT))
        return HEAP_NO_PAGE;
    uint32_t first = pages->page_end;
    pages->page_end = end;
    if (pages->dirty_end < end)
        pages->dirty_end = end;
    return first;
}

static void discard(const struct heap_pages *pages, uint32_t first, uint32_t end)
{
    pages->backing.discard(pages->backing.context, (uint64_t)first << HEAP_PAGE_SHIFT,
                           (uint64_t)(end - first) << HEAP_PAGE_SHIFT);
}

static bool keeps_too_much(const struct heap_pages *pages)
{
    return pages->dirty_free + (pages->dirty_end - pages->page_end) > pages->dirty_keep;
}

static void lower_end(struct heap_pages *pages, uint32_t end)
{
    pages->page_end = end;
    pages->backing.set_end(pages->backing.context, (uint64_t)end << HEAP_PAGE_SHIFT);
    if (keeps_too_much(pages) && pages->dirty_end - end >= DISCARD_MIN_PAGES) {
        discard(pages, end, pages->dirty_end);
        pages->dirty_end = end;
    }
}

/* ---- Runs ---- */

uint32_t heap_pages_take(struct heap_pages *pages, uint32_t count)
{
    uint32_t first = find_free(pages, count);
    if (first == HEAP_NO_PAGE)
        first = search_free(pages, count, SHORT_SEARCH);
    if (first == HEAP_NO_PAGE) {
        first = extend(pages, count);
        if (first != HEAP_NO_PAGE) {
            pages->used += count;
            return first;
        }
        first = search_free(pages, count, UINT32_MAX);
    }
    if (first == HEAP_NO_PAGE)
        return HEAP_NO_PAGE;
    uint32_t found = pages->pages[first].number & COUNT_MASK;
    bool is_dirty = remove_free(pages, first);
    if (found > count)
        insert_free(pages, first + count, found - count, is_dirty);
    pages->used += count;
    return first;
}

/* The first page of the free run that ends before a page, or the page itself if there is none */
static uint32_t free_run_before(const struct heap_pages *pages, uint32_t page)
{
    if (page == 0)
        return page;
    uint32_t kind = heap_page_kind(pages, page - 1);
    if (kind == HEAP_PAGE_FREE)
        return page - 1;
    return kind == HEAP_PAGE_FREE_LAST ? page - pages->pages[page - 1].number : page;
}

void heap_pages_give(struct heap_pages *pages, uint32_t first, uint32_t count)
{
    pages->used -= count;
    heap_page_set_kind(pages, first, HEAP_PAGE_INSIDE);
    uint32_t start = free_run_before(pages, first);
    if (start != first)
        remove_free(pages, start);
    uint32_t end = first + count;
    if (end < pages->page_end && heap_page_kind(pages, end) == HEAP_PAGE_FREE) {
        uint32_t next_count = pages->pages[end].number & COUNT_MASK;
        remove_free(pages, end);
        end += next_count;
    }
    if (end == pages->page_end) {
        lower_end(pages, start);
        return;
    }
    insert_free(pages, start, end - start, true);
    if (keeps_too_much(pages) && end - start >= DISCARD_MIN_PAGES) {
        discard(pages, start, end);
        pages->pages[start].number &= COUNT_MASK;
        pages->dirty_free -= end - start;
    }
}
