/*
 * copy.c: copies between this thread and others, near or far, and their order.  Called by emitted C (banyan/remote.h)
 * and by the library.
 */
#include "pgas/remote/copy.h"

#include "pgas/remote/ahead.h"
#include "pgas/remote/behind.h"
#include "pgas/remote/remote.h"
#include "platform/copy.h"
#include "profile/span.h"

#include <string.h>

/* Where a far object is; false for near ones and for invalid addresses, which fault. */
static bool is_far(const volatile void *address, int *thread_p, uint64_t *offset_p)
{
    return !bn_is_near(address) && bn_remote_find((uint64_t)address, thread_p, offset_p);
}

/* ---- Messages ---- */

static void note_get(uint64_t size_bytes)
{
    bn_remote.counts.gets++;
    bn_remote.counts.get_bytes += size_bytes;
}

void bn_remote_note_write(int thread)
{
    bn_remote.written = !bn_remote.has_writes || bn_remote.written == thread ? thread : BN_REMOTE_SEVERAL;
    bn_remote.has_writes = true;
    bn_far_pending = 1;
}

/* Keeps writes of one thread to one place in order. */
static void order_put(uint64_t address, uint64_t size_bytes)
{
    if (bn_remote.has_writes && bn_behind_has_sent(address, size_bytes))
        bn_remote.transport->order();
    bn_remote.counts.puts++;
    bn_remote.counts.put_bytes += size_bytes;
}

static void before_put(int thread, uint64_t address, uint64_t size_bytes)
{
    order_put(address, size_bytes);
    bn_behind_note(address, size_bytes);
    bn_remote_note_write(thread);
}

/* Sends collected bytes, which always lie in some thread's memory. */
static void send(uint64_t address, const void *src, size_t size_bytes)
{
    int thread;
    uint64_t offset;
    bn_remote_find(address, &thread, &offset);
    before_put(thread, address, size_bytes);
    bn_remote.transport->put(thread, offset, src, size_bytes);
}

void bn_remote_before_put(int thread, uint64_t address, const void *src, uint64_t size_bytes)
{
    bn_ahead_write(address, src, size_bytes);
    bn_behind_send_near(address, size_bytes, send);
    before_put(thread, address, size_bytes);
}

void bn_remote_before_hand_over(uint64_t address, const void *src, uint64_t size_bytes)
{
    bn_ahead_write(address, src, size_bytes);
    bn_behind_send_near(address, size_bytes, send);
    order_put(address, size_bytes);
}

static BN_PER_THREAD uint64_t begun;
static BN_PER_THREAD uint64_t ended;

static void finish_writes(void)
{
    bn_behind_send_all(send);
    bn_remote.transport->complete();
    bn_behind_completed();
    bn_remote.has_writes = false;
    ended = begun;
}

void bn_complete(void)
{
    BN_SPAN(BN_PROFILE_FENCE, 0, BN_NOBODY, BN_NOBODY);
    bn_ahead_forget();
    if (bn_remote.has_writes)
        finish_writes();
    bn_far_pending = 0;
}

void bn_remote_let_go(void)
{
    bn_ahead_forget();
    bn_behind_send_all(send);
}

/* Makes sure that a thread sees its own writes. */
static void before_get(uint64_t address, uint64_t size_bytes)
{
    bn_remote_check_end();
    if (bn_remote.has_writes && (bn_behind_has_sent(address, size_bytes) || bn_behind_holds(address, size_bytes)))
        finish_writes();
}

/* ---- One object or block ---- */

/* For profiles: the thread that a window address belongs to */
static int thread_at(const volatile void *address)
{
    return (int)(((uint64_t)address - bn_self.window_base) >> BN_STRIDE_SHIFT);
}

void bn_get(void *dst, const volatile void *src, bn_u64 bytes)
{
    int thread;
    uint64_t offset;
    if (!is_far(src, &thread, &offset)) {
        memcpy(dst, (const void *)src, bytes);
        return;
    }
    BN_SPAN(BN_PROFILE_READ, bytes, thread, BN_NOBODY);
    before_get((uint64_t)src, bytes);
    bn_remote.transport->get(dst, thread, offset, bytes);
    bn_remote.counts.waits++;
    note_get(bytes);
}

void bn_put(volatile void *dst, const void *src, bn_u64 bytes)
{
    int thread;
    uint64_t offset;
    if (!is_far(dst, &thread, &offset)) {
        memcpy((void *)dst, src, bytes);
        return;
    }
    BN_SPAN(BN_PROFILE_WRITE, bytes, BN_NOBODY, thread);
    bn_remote_before_put(thread, (uint64_t)dst, src, bytes);
    bn_remote.transport->put(thread, offset, src, bytes);
}

void bn_get_ahead(void *dst, const volatile void *src, bn_u64 bytes)
{
    int thread;
    uint64_t offset, first, end;
    BN_SPAN(BN_PROFILE_READ, bytes, thread_at(src), BN_NOBODY);
    const void *kept = bn_ahead_find((uint64_t)src, bytes);
    if (kept) {
        memcpy(dst, kept, bytes);
        return;
    }
    if (bytes > BN_AHEAD_READ_BYTES || !is_far(src, &thread, &offset)) {
        bn_get(dst, src, bytes);
        return;
    }
    bn_remote_part(offset, &first, &end); /* offsets, as those from the address on */
    uint64_t base = (uint64_t)src - offset;
    struct bn_ahead_window window = bn_ahead_plan((uint64_t)src, bytes, base + first, base + end);
    before_get(window.begin, window.size_bytes);
    bn_remote.transport->get(window.data, thread, window.begin - base, window.size_bytes);
    bn_remote.counts.waits++;
    note_get(window.size_bytes);
    bn_far_pending = 1;
    memcpy(dst, window.asked, bytes);
}

void bn_put_behind(volatile void *dst, const void *src, bn_u64 bytes)
{
    int thread;
    uint64_t offset;
    BN_SPAN(BN_PROFILE_WRITE, bytes, BN_NOBODY, thread_at(dst));
    if (bytes > BN_BEHIND_WRITE_BYTES || !is_far(dst, &thread, &offset)) {
        bn_put(dst, src, bytes);
        return;
    }
    bn_ahead_write((uint64_t)dst, src, bytes);
    bn_remote_note_write(thread);
    bn_behind_write((uint64_t)dst, src, bytes, send);
}

/* Finds the nonzero bytes of a mask: they begin at *first_p; returns their number. */
static bn_u64 extent(const unsigned char *mask, bn_u64 bytes, bn_u64 *first_p)
{
    bn_u64 first = 0;
    while (first < bytes && mask[first] == 0)
        first++;
    bn_u64 end = first;
    while (end < bytes && mask[end] != 0)
        end++;
    *first_p = first;
    return end - first;
}

static void merge(unsigned char *dst, const unsigned char *src, const unsigned char *mask, bn_u64 bytes)
{
    for (bn_u64 i = 0; i < bytes; i++)
        dst[i] = (unsigned char)((dst[i] & ~mask[i]) | (src[i] & mask[i]));
}

enum { BIT_FIELD_BYTES = 24 }; /* the widest bit-field has 128 bits, which may extend into one more byte */

void bn_get_bits(void *dst, const volatile void *src, const void *mask, bn_u64 bytes)
{
    unsigned char found[BIT_FIELD_BYTES];
    bn_u64 first;
    bn_u64 count = extent(mask, bytes, &first);
    bn_get(found, (const volatile unsigned char *)src + first, count);
    merge((unsigned char *)dst + first, found, (const unsigned char *)mask + first, count);
}

void bn_put_bits(volatile void *dst, const void *src, const void *mask, bn_u64 bytes)
{
    unsigned char found[BIT_FIELD_BYTES];
    bn_u64 first;
    bn_u64 count = extent(mask, bytes, &first);
    volatile unsigned char *place = (volatile unsigned char *)dst + first;
    bn_get(found, place, count);
    merge(found, (const unsigned char *)src + first, (const unsigned char *)mask + first, count);
    bn_put(place, found, count);
}

/* ---- Transfers ---- */

uint64_t bn_transfer_get(void *dst, const void *src, size_t size_bytes)
{
    int thread;
    uint64_t offset;
    if (size_bytes == 0 || !is_far(src, &thread, &offset)) {
        bn_get(dst, src, size_bytes);
        return 0;
    }
    before_get((uint64_t)src, size_bytes);
    bn_remote.transport->get_begin(dst, thread, offset, size_bytes);
    note_get(size_bytes);
    return ++begun;
}

uint64_t bn_transfer_put(void *dst, const void *src, size_t size_bytes)
{
    int thread;
    uint64_t offset;
    if (size_bytes == 0 || !is_far(dst, &thread, &offset)) {
        bn_put(dst, src, size_bytes);
        return 0;
    }
    bn_remote_before_put(thread, (uint64_t)dst, src, size_bytes);
    bn_remote.transport->put_begin(thread, offset, src, size_bytes);
    return ++begun;
}

uint64_t bn_transfer_copy(void *dst, const void *src, size_t size_bytes)
{
    if (bn_is_near(src))
        return bn_transfer_put(dst, src, size_bytes);
    if (bn_is_near(dst))
        return bn_transfer_get(dst, src, size_bytes);
    bn_copy(dst, src, size_bytes);
    return 0;
}

bool bn_transfer_end(uint64_t transfer)
{
    if (transfer > begun)
        return false;
    if (transfer > ended) {
        bn_remote.counts.waits++;
        finish_writes();
    }
    return true;
}

/* ---- Between two threads ---- */

enum { BOUNCE_BYTES = 64 << 10, FILL_BYTES = 4096 };

static void copy(void *dst, const void *src, size_t size_bytes)
{
    static BN_PER_THREAD unsigned char bounce[BOUNCE_BYTES];
    if (bn_is_near(src)) {
        bn_put(dst, src, size_bytes);
        return;
    }
    if (bn_is_near(dst)) {
        bn_get(dst, src, size_bytes);
        return;
    }
    for (size_t done = 0, piece; done < size_bytes; done += piece) {
        piece = size_bytes - done < BOUNCE_BYTES ? size_bytes - done : BOUNCE_BYTES;
        bn_get(bounce, (const char *)src + done, piece);
        bn_put((char *)dst + done, bounce, piece);
    }
}

static bool is_mapped(const void *address)
{
    return bn_is_near(address);
}

static void copy_begin(void *dst, const void *src, size_t size_bytes)
{
    bn_transfer_copy(dst, src, size_bytes);
}

static void copies_end(void)
{
    bn_transfer_end(begun);
}

static unsigned long long copied_bytes(void)
{
    return bn_remote.counts.get_bytes + bn_remote.counts.put_bytes;
}

void bn_remote_move_window(void)
{
    static const struct bn_far_mover mover = {copy, is_mapped, copy_begin, copies_end, copied_bytes};
    bn_far_set(-(BN_WINDOW_BASE & -BN_WINDOW_BASE), &mover); /* all addresses of the window have a bit of this mask */
}

void bn_fill_shared(void *dst, int value, size_t size_bytes)
{
    unsigned char pattern[FILL_BYTES];
    if (bn_is_near(dst)) {
        memset(dst, value, size_bytes);
        return;
    }
    memset(pattern, value, sizeof pattern);
    for (size_t done = 0, piece; done < size_bytes; done += piece) {
        piece = size_bytes - done < FILL_BYTES ? size_bytes - done : FILL_BYTES;
        bn_put((char *)dst + done, pattern, piece);
    }
}
