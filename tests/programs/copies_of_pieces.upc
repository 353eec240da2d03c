// Facts 3.1: copies of lists, of pieces at one distance and of boxes, blocking and not, in all directions, against
// copies of single bytes.
#include <upc_relaxed.h>

#include <bupc_copy.h>

#include "check.h"

enum { BYTES = 1024, PIECES = 9 };

static shared [BYTES] unsigned char shared_from[BYTES * THREADS], shared_to[BYTES * THREADS];
static unsigned char from[BYTES], to[BYTES], expected[BYTES];

/* The source of this thread's copies is on its left neighbour, the destination on its right one. */
static shared [BYTES] unsigned char *source(void)
{
    return &shared_from[(MYTHREAD + THREADS - 1) % THREADS * BYTES];
}

static shared [BYTES] unsigned char *target(void)
{
    return &shared_to[(MYTHREAD + 1) % THREADS * BYTES];
}

static void clear(void)
{
    memset(to, 0xee, BYTES);
    memset(expected, 0xee, BYTES);
    upc_memset(target(), 0xee, BYTES);
}

static void check_target(int is_shared)
{
    unsigned char result[BYTES];
    memcpy(result, to, BYTES);
    if (is_shared)
        upc_memget(result, target(), BYTES);
    CHECK(memcmp(result, expected, BYTES) == 0);
    clear();
}

/* Pieces of different lengths, some empty, divided differently on the two sides */
static void lists(void)
{
    const size_t dst_len[PIECES] = {1, 0, 31, 64, 5, 100, 0, 2, 50}, src_len[5] = {200, 3, 0, 40, 10};
    bupc_smemvec_t shared_dst[PIECES], shared_src[5];
    bupc_pmemvec_t dst[PIECES], src[5];
    unsigned char stream[300];
    size_t count = 0, place = 900, at;
    for (int i = 0; i < 5; i++) {
        place -= src_len[i] + 7; /* backwards */
        shared_src[i] = (bupc_smemvec_t){source() + place, src_len[i]};
        src[i] = (bupc_pmemvec_t){from + place, src_len[i]};
        for (size_t k = 0; k < src_len[i]; k++)
            stream[count++] = from[place + k];
    }
    EQ(count, 253);
    for (int round = 0; round < 6; round++) {
        count = 0;
        at = 3;
        for (int i = 0; i < PIECES; i++) {
            shared_dst[i] = (bupc_smemvec_t){target() + at, dst_len[i]};
            dst[i] = (bupc_pmemvec_t){to + at, dst_len[i]};
            for (size_t k = 0; k < dst_len[i]; k++)
                expected[at + k] = stream[count++];
            at += dst_len[i] + 11;
        }
        EQ(count, 253);
        switch (round) {
        case 0: bupc_memcpy_vlist(PIECES, shared_dst, 5, shared_src); break;
        case 1: bupc_memput_vlist(PIECES, shared_dst, 5, src); break;
        case 2: bupc_memget_vlist(PIECES, dst, 5, shared_src); break;
        case 3: bupc_waitsync(bupc_memcpy_vlist_async(PIECES, shared_dst, 5, shared_src)); break;
        case 4: bupc_waitsync(bupc_memput_vlist_async(PIECES, shared_dst, 5, src)); break;
        case 5: bupc_waitsync(bupc_memget_vlist_async(PIECES, dst, 5, shared_src)); break;
        }
        check_target(round % 3 != 2);
    }
}

/* 6 pieces of 20 bytes to 8 of 15 */
static void pieces_of_one_length(void)
{
    shared void *shared_dst[8];
    shared const void *shared_src[6];
    void *dst[8];
    const void *src[6];
    for (int i = 0; i < 8; i++) {
        shared_dst[i] = target() + 40 * i + 2;
        dst[i] = to + 40 * i + 2;
    }
    for (int i = 0; i < 6; i++) {
        shared_src[i] = source() + 60 * i + 1;
        src[i] = from + 60 * i + 1;
    }
    for (int round = 0; round < 12; round++) {
        for (int n = 0; n < 120; n++)
            expected[n / 15 * 40 + n % 15 + 2] = from[n / 20 * 60 + n % 20 + 1];
        switch (round) {
        case 0: bupc_memcpy_ilist(8, shared_dst, 15, 6, shared_src, 20); break;
        case 1: bupc_memput_ilist(8, shared_dst, 15, 6, src, 20); break;
        case 2: bupc_memget_ilist(8, dst, 15, 6, shared_src, 20); break;
        case 3: bupc_waitsync(bupc_memcpy_ilist_async(8, shared_dst, 15, 6, shared_src, 20)); break;
        case 4: bupc_waitsync(bupc_memput_ilist_async(8, shared_dst, 15, 6, src, 20)); break;
        case 5: bupc_waitsync(bupc_memget_ilist_async(8, dst, 15, 6, shared_src, 20)); break;
        case 6: bupc_memcpy_fstrided(target() + 2, 15, 40, 8, source() + 1, 20, 60, 6); break;
        case 7: bupc_memput_fstrided(target() + 2, 15, 40, 8, from + 1, 20, 60, 6); break;
        case 8: bupc_memget_fstrided(to + 2, 15, 40, 8, source() + 1, 20, 60, 6); break;
        case 9: bupc_waitsync(bupc_memcpy_fstrided_async(target() + 2, 15, 40, 8, source() + 1, 20, 60, 6)); break;
        case 10: bupc_waitsync(bupc_memput_fstrided_async(target() + 2, 15, 40, 8, from + 1, 20, 60, 6)); break;
        case 11: bupc_waitsync(bupc_memget_fstrided_async(to + 2, 15, 40, 8, source() + 1, 20, 60, 6)); break;
        }
        check_target(round % 3 != 2);
    }
}

/* 5 x 4 x 3 x 6 bytes */
static void boxes(void)
{
    const size_t count[4] = {6, 3, 4, 5}, dst_strides[3] = {7, 30, 150}, src_strides[3] = {9, 33, 200};
    for (int round = 0; round < 8; round++) {
        size_t levels = round < 6 ? 3 : 0;
        for (size_t n = 0; n < (levels ? 6 * 3 * 4 * 5 : 6); n++)
            expected[n % 6 + n / 6 % 3 * 7 + n / 18 % 4 * 30 + n / 72 * 150] =
                from[n % 6 + n / 6 % 3 * 9 + n / 18 % 4 * 33 + n / 72 * 200];
        switch (round) {
        case 0: bupc_memcpy_strided(target(), dst_strides, source(), src_strides, count, levels); break;
        case 1: bupc_memput_strided(target(), dst_strides, from, src_strides, count, levels); break;
        case 2: bupc_memget_strided(to, dst_strides, source(), src_strides, count, levels); break;
        case 3: bupc_waitsync(bupc_memcpy_strided_async(target(), dst_strides, source(), src_strides, count, 3)); break;
        case 4: bupc_waitsync(bupc_memput_strided_async(target(), dst_strides, from, src_strides, count, 3)); break;
        case 5: bupc_waitsync(bupc_memget_strided_async(to, dst_strides, source(), src_strides, count, 3)); break;
        case 6: bupc_memcpy_strided(target(), NULL, source(), NULL, count, levels); break;
        case 7: bupc_memput_strided(target(), NULL, from, NULL, count, levels); break;
        }
        check_target(round % 3 != 2);
    }
}

static void older_names(void)
{
    bupc_handle_t handles[3];
    handles[0] = bupc_memcpy_async(target(), source(), 100);
    handles[1] = bupc_memput_async(target() + 100, from + 100, 100);
    handles[2] = bupc_memset_async(target() + 200, 7, 100);
    memcpy(expected, from, 200);
    memset(expected + 200, 7, 100);
    bupc_waitsync_some(handles, 3);
    CHECK(bupc_trysync_some(handles, 3));
    bupc_waitsync_all(handles, 3);
    CHECK(bupc_trysync_all(handles, 3) && handles[2] == BUPC_COMPLETE_HANDLE);
    check_target(1);

    bupc_handle_t h = bupc_memget_async(to, source(), 100);
    while (!bupc_trysync(h))
        ;
    memcpy(expected, from, 100);
    check_target(0);

    bupc_begin_accessregion();
    bupc_memcpy_asynci(target(), source(), 100);
    bupc_memput_asynci(target() + 100, from + 100, 100);
    bupc_waitsync(bupc_end_accessregion());
    bupc_memset_asynci(target() + 200, 9, 100);
    bupc_waitsynci();
    CHECK(bupc_trysynci());
    memcpy(expected, from, 200);
    memset(expected + 200, 9, 100);
    check_target(1);
    bupc_memget_asynci(to, source(), 50);
    bupc_waitsynci();
    memcpy(expected, from, 50);
    check_target(0);
}

int main(void)
{
    for (int i = 0; i < BYTES; i++)
        from[i] = (unsigned char)(i * 13 + i / 256 + 1);
    upc_memput(&shared_from[MYTHREAD * BYTES], from, BYTES);
    upc_barrier;
    clear();
    lists();
    pieces_of_one_length();
    boxes();
    older_names();
    return finish();
}
