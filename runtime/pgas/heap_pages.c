#include "pgas/heap_pages.h"

enum {
    FREE_DIRTY = 1u << 31, /* flag in the number of a free run: its pages may hold memory */
    COUNT_MASK = FREE_DIRTY - 1,
    DISCARD_MIN_PAGES = 16, /* smaller runs are not worth a system call */
    SHORT_SEARCH = 16,      /* runs that are examined before the heap grows instead */
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

/* ---- Large pages ---- */

/* Alignment of a block's first page: the pages of a large page if the block consists of several whole large pages, else
 * 1.  Other blocks would gain at most one large page, and blocks with equal alignment conflict in caches. */
static uint32_t align_of(const struct heap_pages *pages, uint32_t count)
{
    uint32_t large = pages->large_page;
    return large > 0 && count >= 2 * large && count % large == 0 ? large : 1;
}

/* Pages from a page to the next multiple of align */
static uint32_t gap_at(const struct heap_pages *pages, uint32_t page, uint32_t align)
{
    uint32_t past = (uint32_t)(pages->pages_before + page) % align;
    return past > 0 ? align - past : 0;
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

/* Finds a free run of at least count pages, in a list all of whose runs are large enough. */
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

static uint32_t search_list(const struct heap_pages *pages, struct bin bin, uint32_t count, uint32_t align,
                            uint32_t most_runs)
{
    for (uint32_t page = pages->lists[bin.level][bin.step]; page && most_runs > 0; most_runs--) {
        if ((pages->pages[page - 1].number & COUNT_MASK) >= count + gap_at(pages, page - 1, align))
            return page - 1;
        page = pages->pages[page - 1].next;
    }
    return HEAP_NO_PAGE;
}

/* Finds a run with room for count pages at a multiple of align, in the lists of which only some runs are large enough;
 * examines up to most_runs of each. */
static uint32_t search_free(const struct heap_pages *pages, uint32_t count, uint32_t align, uint32_t most_runs)
{
    struct bin last = bin_of(count + align - 1);
    uint32_t found = HEAP_NO_PAGE;
    for (struct bin bin = bin_of(count); found == HEAP_NO_PAGE; bin.step++) {
        if (bin.step == HEAP_STEPS)
            bin = (struct bin){bin.level + 1, 0};
        found = search_list(pages, bin, count, align, most_runs);
        if (bin.level == last.level && bin.step == last.step)
            break;
    }
    return found;
}

/* ---- The end of the heap ---- */

static uint32_t extend(struct heap_pages *pages, uint32_t count, uint32_t align)
{
    uint32_t begin = pages->page_end;
    uint32_t gap = gap_at(pages, begin, align);
    uint32_t room = pages->page_limit - begin;
    if (room < gap || room - gap < count)
        return HEAP_NO_PAGE;
    uint32_t end = begin + gap + count;
    if (!pages->backing.set_end(pages->backing.context, (uint64_t)end << HEAP_PAGE_SHIFT))
        return HEAP_NO_PAGE;
    bool is_dirty = begin < pages->dirty_end;
    pages->page_end = end;
    if (pages->dirty_end < end)
        pages->dirty_end = end;
    if (gap > 0)
        insert_free(pages, begin, gap, is_dirty);
    return begin + gap;
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

/* Finds a free run with room for a block that begins at a multiple of align pages, without growing the heap. */
static uint32_t find_room(const struct heap_pages *pages, uint32_t count, uint32_t align)
{
    uint32_t first = HEAP_NO_PAGE;
    if (align > 1) /* a hole left by such a block is hardly larger than the block */
        first = search_free(pages, count, align, SHORT_SEARCH);
    if (first == HEAP_NO_PAGE)
        first = find_free(pages, count + align - 1);
    if (first == HEAP_NO_PAGE && align == 1)
        first = search_free(pages, count, align, SHORT_SEARCH);
    return first;
}

static void take_from(struct heap_pages *pages, uint32_t run, uint32_t gap, uint32_t count)
{
    uint32_t found = pages->pages[run].number & COUNT_MASK;
    bool is_dirty = remove_free(pages, run);
    if (gap > 0)
        insert_free(pages, run, gap, is_dirty);
    if (found > gap + count)
        insert_free(pages, run + gap + count, found - gap - count, is_dirty);
}

static uint32_t take_aligned(struct heap_pages *pages, uint32_t count, uint32_t align)
{
    uint32_t run = find_room(pages, count, align);
    if (run == HEAP_NO_PAGE) {
        uint32_t first = extend(pages, count, align);
        if (first != HEAP_NO_PAGE)
            return first;
        run = search_free(pages, count, align, UINT32_MAX);
    }
    if (run == HEAP_NO_PAGE)
        return HEAP_NO_PAGE;
    uint32_t gap = gap_at(pages, run, align);
    take_from(pages, run, gap, count);
    return run + gap;
}

uint32_t heap_pages_take(struct heap_pages *pages, uint32_t count)
{
    uint32_t align = align_of(pages, count);
    uint32_t first = take_aligned(pages, count, align);
    if (first == HEAP_NO_PAGE && align > 1)
        first = take_aligned(pages, count, 1);
    if (first != HEAP_NO_PAGE)
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
