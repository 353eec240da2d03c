/*
 * span.h: how an operation gets into the book of its thread.
 *
 *     void upc_lock(bn_pts_t ptr)
 *     {
 *         BN_SPAN(BN_PROFILE_LOCK, 0, (int)ptr.thread, BN_NOBODY);
 *         ...
 *     }
 *
 * The span ends with its block.  What is called inside is part of it and opens none of its own, so that a program's
 * operations are counted as the program wrote them.
 *
 * @cost Where there is no profile: a test of a flag at either end.  Functions that cost no more than a few of these
 * test bn_upc_is_watched (upc/watched.h) in their place, once.
 */
#ifndef BN_PROFILE_SPAN_H
#define BN_PROFILE_SPAN_H

#include "profile/book.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_NOBODY = -1 };

/* Whether there are books; set before threads exist. */
extern bool bn_profile_is_on;

struct bn_span {
    bool is_inner; /* part of another one */
    uint16_t way;  /* plus 1 */
    uint16_t operation;
    int from, to; /* threads whose memory bytes come from and go to; BN_NOBODY: the calling thread's own, or several */
    uint64_t pc;
    uint64_t bytes;
    uint64_t begin_ticks; /* 0: not timed */
    uint64_t other_ticks; /* of what is not part of it (bn_span_pause) */
};

/* bn_span is null where there is no profile. */
#define BN_SPAN_FROM(caller, what, byte_count, from_thread, to_thread)                                                 \
    struct bn_span bn_span_room;                                                                                       \
    struct bn_span *bn_span __attribute__((cleanup(bn_span_end))) = NULL;                                              \
    if (__builtin_expect(bn_profile_is_on, 0))                                                                         \
    bn_span = bn_span_open(&bn_span_room, what, byte_count, from_thread, to_thread, caller)

#define BN_SPAN(what, byte_count, from_thread, to_thread)                                                              \
    BN_SPAN_FROM(__builtin_return_address(0), what, byte_count, from_thread, to_thread)

__attribute__((cold)) struct bn_span *bn_span_open(struct bn_span *span, enum bn_profile_operation operation,
                                                   uint64_t bytes, int from, int to, const void *caller);
__attribute__((cold)) void bn_span_close(struct bn_span *span);

static inline void bn_span_end(struct bn_span *const *span)
{
    if (__builtin_expect(*span != NULL, 0))
        bn_span_close(*span);
}

/** What takes less time than a look at the clock: is counted, and neither timed nor traced. */
void bn_span_count(enum bn_profile_operation operation, uint64_t bytes, int thread, const void *caller);

/* ---- What an open span may be told; nothing without one ---- */

/** More bytes than it was opened with. */
void bn_span_bytes(uint64_t bytes);

/** Bytes that came from or went to a thread, beside those of its two threads; they are among its bytes already. */
void bn_span_flow(int thread, uint64_t taken_bytes, uint64_t given_bytes);

/** Which way the collective operation went that the span is of: a number from 0 on. */
void bn_span_way(uint32_t way);

/** The program's own functions run until bn_span_resume, and open spans of their own; NULL where there is no profile.
 */
struct bn_span_pause {
    struct bn_span *span;
    uint64_t begin_ticks;
    uint32_t depth;
};
struct bn_span_pause bn_span_pause(void);
void bn_span_resume(const struct bn_span_pause *pause);

/* ---- A thread's book ---- */

/**
 * Begins the calling thread's book, which is all zero.
 *
 * @param distances  enum bn_distance of each thread; stays.
 */
void bn_book_begin(struct bn_book *book, int thread, int thread_count, uint32_t event_room,
                   const unsigned char *distances);

/** Ends it: nothing is counted any more. */
void bn_book_end(void);

#ifdef __cplusplus
}
#endif

#endif
