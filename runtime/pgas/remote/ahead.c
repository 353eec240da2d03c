/*
 * ahead.c: windows onto far memory.  Sequential reads move a window on, from the third one by GROWTH times its size; a
 * read elsewhere, or one that merely happens to be next to a window, fetches only its own bytes.  So sequential reads
 * take few messages, and random reads fetch no byte more than requested, even within a small table.
 */
#include "pgas/remote/ahead.h"

#include "banyan/per_thread.h"

#include <string.h>

enum {
    GROWTH = 4,
    LEAST_GAP_BYTES = 64,  /* a gap up to this, or up to the window's size, does not end a run of reads, */
    MOST_GAP_BYTES = 2048, /* but a gap above this does */
    KEPT_BYTES = 4096,
    RUN = 2, /* after this many consecutive sequential reads, more are likely to follow */
};

_Static_assert(MOST_GAP_BYTES + BN_AHEAD_READ_BYTES <= BN_AHEAD_BYTES - KEPT_BYTES, "what is asked for is brought");

static BN_PER_THREAD struct {
    uint64_t begin;
    uint64_t last_read; /* address of the last read in the window */
    uint32_t size_bytes;
    uint32_t last_use;
    int run; /* how often it was moved on upwards; negative: downwards */
} windows[BN_AHEAD_WINDOWS];
static BN_PER_THREAD unsigned char data[BN_AHEAD_WINDOWS][BN_AHEAD_BYTES] __attribute__((aligned(64)));

static BN_PER_THREAD unsigned count; /* number of windows in use */
static BN_PER_THREAD unsigned last;  /* index of the window that was used last */
static BN_PER_THREAD uint32_t clock_of_use;
static BN_PER_THREAD uint32_t hits;

static bool holds(unsigned i, uint64_t address, size_t size_bytes)
{
    uint64_t offset = address - windows[i].begin;
    return offset < windows[i].size_bytes && size_bytes <= windows[i].size_bytes - offset;
}

void bn_ahead_forget(void)
{
    count = 0;
}

const void *bn_ahead_find(uint64_t address, size_t size_bytes)
{
    if (count == 0)
        return NULL;
    if (!holds(last, address, size_bytes)) {
        unsigned i = 0;
        while (i < count && !holds(i, address, size_bytes))
            i++;
        if (i == count)
            return NULL;
        last = i;
    }
    if (++hits % BN_AHEAD_HITS == 0) {
        bn_ahead_forget();
        return NULL;
    }
    windows[last].last_use = ++clock_of_use;
    windows[last].last_read = address;
    return &data[last][address - windows[last].begin];
}

static uint64_t lesser(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t greater(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Whether a read continues the window at its end (1) or at its beginning (-1), close to the last read of the window;
 * else 0 */
static int direction(unsigned i, uint64_t address, size_t size_bytes)
{
    uint64_t begin = windows[i].begin;
    uint64_t end = begin + windows[i].size_bytes;
    uint64_t stop = address + size_bytes;
    uint64_t gap = greater(LEAST_GAP_BYTES, lesser(windows[i].size_bytes, MOST_GAP_BYTES));
    uint64_t way = greater(address, windows[i].last_read) - lesser(address, windows[i].last_read);
    if (way > gap + size_bytes)
        return 0;
    if (address >= begin && address <= end + gap)
        return stop > end ? 1 : 0;
    return address < begin && stop <= end && stop + gap >= begin ? -1 : 0;
}

static unsigned oldest(void)
{
    unsigned found = 0;
    if (count < BN_AHEAD_WINDOWS)
        return count++;
    for (unsigned i = 1; i < BN_AHEAD_WINDOWS; i++) {
        if (clock_of_use - windows[i].last_use > clock_of_use - windows[found].last_use)
            found = i;
    }
    return found;
}

/* Moves a window on by by_bytes, and keeps the bytes that border on the new ones, because reads of neighbouring
 * elements go back and forth. */
static struct bn_ahead_window move_up(unsigned i, uint64_t by_bytes)
{
    uint64_t end = windows[i].begin + windows[i].size_bytes;
    size_t kept = (size_t)lesser(windows[i].size_bytes, KEPT_BYTES);
    memmove(data[i], &data[i][windows[i].size_bytes - kept], kept);
    windows[i].begin = end - kept;
    windows[i].size_bytes = (uint32_t)(kept + by_bytes);
    return (struct bn_ahead_window){end, by_bytes, &data[i][kept], NULL};
}

static struct bn_ahead_window move_down(unsigned i, uint64_t by_bytes)
{
    size_t kept = (size_t)lesser(windows[i].size_bytes, KEPT_BYTES);
    memmove(&data[i][by_bytes], data[i], kept);
    windows[i].begin -= by_bytes;
    windows[i].size_bytes = (uint32_t)(kept + by_bytes);
    return (struct bn_ahead_window){windows[i].begin, by_bytes, data[i], NULL};
}

/* Makes a window hold only the requested bytes. */
static struct bn_ahead_window begin_at(unsigned i, uint64_t address, size_t size_bytes)
{
    windows[i].begin = address;
    windows[i].size_bytes = (uint32_t)size_bytes;
    return (struct bn_ahead_window){address, size_bytes, data[i], data[i]};
}

/* Counts a read that moves a window on; true if there were so many that more are likely to follow. */
static bool is_run(unsigned i, int way)
{
    int run = windows[i].run;
    windows[i].run = run * way < 0 ? way : run < RUN && run > -RUN ? run + way : run;
    return windows[i].run * way >= RUN;
}

struct bn_ahead_window bn_ahead_plan(uint64_t address, size_t size_bytes, uint64_t first, uint64_t end)
{
    int way = 0;
    unsigned i = 0;
    while (i < count && (way = direction(i, address, size_bytes)) == 0)
        i++;
    if (way == 0) {
        i = oldest();
        windows[i].run = 0;
    }
    last = i;
    windows[i].last_use = ++clock_of_use;
    windows[i].last_read = address;
    if (way == 0)
        return begin_at(i, address, size_bytes);
    uint64_t window_end = windows[i].begin + windows[i].size_bytes;
    uint64_t needed = way > 0 ? address + size_bytes - window_end : windows[i].begin - address;
    uint64_t room = way > 0 ? end - window_end : windows[i].begin - first;
    uint64_t wish = 0;
    if (is_run(i, way))
        wish = lesser(greater((uint64_t)GROWTH * windows[i].size_bytes, LEAST_GAP_BYTES), BN_AHEAD_BYTES - KEPT_BYTES);
    else if (needed > size_bytes)
        return begin_at(i, address, size_bytes);
    uint64_t by_bytes = lesser(greater(wish, needed), room);
    struct bn_ahead_window brought = way > 0 ? move_up(i, by_bytes) : move_down(i, by_bytes);
    brought.asked = &data[i][address - windows[i].begin];
    return brought;
}

void bn_ahead_write(uint64_t address, const void *src, size_t size_bytes)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t begin = windows[i].begin > address ? windows[i].begin : address;
        uint64_t window_end = windows[i].begin + windows[i].size_bytes;
        uint64_t end = window_end < address + size_bytes ? window_end : address + size_bytes;
        if (begin < end)
            memcpy(&data[i][begin - windows[i].begin], (const unsigned char *)src + (begin - address), end - begin);
    }
}
