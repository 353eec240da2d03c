/*
 * span.h: records an operation in the book of its thread.
 *
 *     void upc_lock(bn_pts_t ptr)
 *     {
 *         BN_SPAN(BN_PROFILE_LOCK, 0, (int)ptr.thread, BN_NOBODY);
 *         ...
 *     }
 *
 * The span ends with its block.  Operations called inside belong to it and open no spans of their own, so that a
 * program's operations are counted as the program wrote them.
 *
 * @cost Without a profile: a test of a flag at either end.  Functions that are hardly more expensive than that test
 * bn_upc_is_watched (upc/watched.h) instead, once.
 */
#ifndef BN_PROFILE_SPAN_H
#define BN_PROFILE_SPAN_H

#include "profile/book.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_NOBODY = -1 };

/* Whether profiling is on; set before threads exist. */
extern bool bn_profile_is_on;

struct bn_span {
    bool is_inner; /* inside another span */
    uint16_t way;  /* plus 1 */
    uint16_t operation;
    int from, to; /* threads whose memory the bytes come from and go to; BN_NOBODY: the calling thread itself, or
                   * several threads */
    uint64_t pc;
    uint64_t bytes;
    uint64_t begin_ticks; /* 0: not timed */
    uint64_t other_ticks; /* time that does not belong to it (bn_span_pause) */
};

/* The variable bn_span is null without a profile. */
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

/** Counts an operation that is faster than reading the clock, without timing or tracing it. */
void bn_span_count(enum bn_profile_operation operation, uint64_t bytes, int thread, const void *caller);

/* ---- Additional data for the open span; no effect if there is none ---- */

/** Adds bytes to those it was opened with. */
void bn_span_bytes(uint64_t bytes);

/** Records bytes read from or written to a thread other than its two threads; they are already included in its
 * bytes. */
void bn_span_flow(int thread, uint64_t taken_bytes, uint64_t given_bytes);

/** Records the way that the span's collective operation used: a number from 0 on. */
void bn_span_way(uint32_t way);

/** Pauses the span while functions of the program run, until bn_span_resume; they open spans of their own.  span is
 * NULL without a profile.
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
 * Begins the calling thread's book, which must be all zero.
 *
 * @param distances  enum bn_distance of each thread; must stay valid.
 */
void bn_book_begin(struct bn_book *book, int thread, int thread_count, uint32_t event_room,
                   const unsigned char *distances);

/** Ends the book: nothing is counted any more. */
void bn_book_end(void);

#ifdef __cplusplus
}
#endif

#endif
