/*
 * behind.c: runs of far writes.  A run lies within one block of BN_BEHIND_BYTES, and a block has at most one run.  So
 * runs never overlap, and the order in which they are sent does not matter.  A write that would leave a gap sends the
 * run and begins another.
 */
#include "pgas/remote/behind.h"

#include "banyan/per_thread.h"

#include <string.h>

static BN_PER_THREAD struct {
    uint64_t begin; /* window address */
    uint32_t size_bytes;
    uint32_t last_use;
} runs[BN_BEHIND_RUNS];
static BN_PER_THREAD unsigned char data[BN_BEHIND_RUNS][BN_BEHIND_BYTES]; /* each byte at its offset within its block */

static BN_PER_THREAD unsigned count; /* number of runs in use */
static BN_PER_THREAD unsigned last;  /* index of the run that was written last */
static BN_PER_THREAD uint32_t clock_of_use;

/* What was sent since the writes were last complete: a list of ranges or, if there were too many, everything. */
static BN_PER_THREAD struct {
    uint64_t begin, end;
} places[BN_BEHIND_PLACES];
static BN_PER_THREAD unsigned place_count;
static BN_PER_THREAD bool is_everywhere;

static uint64_t block_of(uint64_t address)
{
    return address / BN_BEHIND_BYTES;
}

static bool touches(uint64_t a, uint64_t a_bytes, uint64_t b, uint64_t b_bytes)
{
    return b_bytes > 0 && a < b + b_bytes && b < a + a_bytes;
}

/* ---- What was sent ---- */

void bn_behind_note(uint64_t address, size_t size_bytes)
{
    uint64_t end = address + size_bytes;
    for (unsigned i = 0; i < place_count; i++) {
        if (address <= places[i].end && places[i].begin <= end) {
            places[i].begin = places[i].begin < address ? places[i].begin : address;
            places[i].end = places[i].end > end ? places[i].end : end;
            return;
        }
    }
    if (place_count == BN_BEHIND_PLACES) {
        is_everywhere = true;
        return;
    }
    places[place_count].begin = address;
    places[place_count++].end = end;
}

bool bn_behind_has_sent(uint64_t address, size_t size_bytes)
{
    if (is_everywhere)
        return true;
    for (unsigned i = 0; i < place_count; i++) {
        if (touches(address, size_bytes, places[i].begin, places[i].end - places[i].begin))
            return true;
    }
    return false;
}

void bn_behind_completed(void)
{
    place_count = 0;
    is_everywhere = false;
}

/* ---- What is collected ---- */

static void send_run(unsigned i, bn_behind_send send)
{
    uint32_t size_bytes = runs[i].size_bytes;
    runs[i].size_bytes = 0;
    if (size_bytes > 0)
        send(runs[i].begin, &data[i][runs[i].begin % BN_BEHIND_BYTES], size_bytes);
}

void bn_behind_send_all(bn_behind_send send)
{
    for (unsigned i = 0; i < count; i++)
        send_run(i, send);
    count = 0;
}

void bn_behind_send_near(uint64_t address, size_t size_bytes, bn_behind_send send)
{
    for (unsigned i = 0; i < count; i++) {
        if (touches(address, size_bytes, runs[i].begin, runs[i].size_bytes))
            send_run(i, send);
    }
}

bool bn_behind_holds(uint64_t address, size_t size_bytes)
{
    for (unsigned i = 0; i < count; i++) {
        if (touches(address, size_bytes, runs[i].begin, runs[i].size_bytes))
            return true;
    }
    return false;
}

/* The run of the block that contains the address; makes one if there is none. */
static unsigned run_at(uint64_t address, bn_behind_send send)
{
    uint64_t block = block_of(address);
    unsigned chosen = 0;
    if (last < count && block_of(runs[last].begin) == block)
        return last;
    for (unsigned i = 0; i < count; i++) {
        if (block_of(runs[i].begin) == block)
            return i;
        if (clock_of_use - runs[i].last_use > clock_of_use - runs[chosen].last_use)
            chosen = i;
    }
    if (count < BN_BEHIND_RUNS)
        chosen = count++;
    else
        send_run(chosen, send);
    runs[chosen].begin = address;
    runs[chosen].size_bytes = 0;
    return chosen;
}

void bn_behind_write(uint64_t address, const void *src, size_t size_bytes, bn_behind_send send)
{
    size_t in_block = BN_BEHIND_BYTES - address % BN_BEHIND_BYTES;
    if (size_bytes > in_block) {
        bn_behind_write(address, src, in_block, send);
        bn_behind_write(address + in_block, (const unsigned char *)src + in_block, size_bytes - in_block, send);
        return;
    }
    last = run_at(address, send);
    uint64_t begin = runs[last].begin;
    uint64_t run_end = begin + runs[last].size_bytes;
    uint64_t end = address + size_bytes;
    if (runs[last].size_bytes == 0 || address > run_end || end < begin) {
        send_run(last, send);
        begin = run_end = address;
    }
    memcpy(&data[last][address % BN_BEHIND_BYTES], src, size_bytes);
    runs[last].begin = begin < address ? begin : address;
    runs[last].size_bytes = (uint32_t)((run_end > end ? run_end : end) - runs[last].begin);
    runs[last].last_use = ++clock_of_use;
}
