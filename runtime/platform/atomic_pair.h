/*
 * atomic_pair.h: atomic operations on two adjacent words of memory.
 *
 * C has no atomic operation on 16 bytes that works between processes: the compilers call a library that may fall back
 * to locks of its own process.
 */
#ifndef BN_PLATFORM_ATOMIC_PAIR_H
#define BN_PLATFORM_ATOMIC_PAIR_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BN_ATOMIC_PAIR_ALIGN = 16 };

struct bn_pair {
    uint64_t low;
    uint64_t high;
};

#if defined(__x86_64__)

enum {
    BN_RMW_ORDERS_ALL = true, /* no access of the thread can move across an atomic read-modify-write, either way */
    BN_HAS_ATOMIC_PAIRS = true,
};

/*
 * Replaces *pair by desired if it equals *expected_p; otherwise sets *expected_p to the current value.  Either way the
 * two words are read atomically.  A full fence.  The memory must be writable.
 */
static inline bool bn_pair_compare_exchange(struct bn_pair *pair, struct bn_pair *expected_p, struct bn_pair desired)
{
    bool is_done;
    __asm__ volatile("lock cmpxchg16b %1"
                     : "=@ccz"(is_done), "+m"(*pair), "+a"(expected_p->low), "+d"(expected_p->high)
                     : "b"(desired.low), "c"(desired.high)
                     : "memory");
    return is_done;
}

#elif defined(__aarch64__)

enum { BN_RMW_ORDERS_ALL = false, BN_HAS_ATOMIC_PAIRS = true };

/* If the comparison fails, the loaded pair is stored back: only a successful store proves that both words were loaded
 * atomically. */
static inline bool bn_pair_compare_exchange(struct bn_pair *pair, struct bn_pair *expected_p, struct bn_pair desired)
{
    struct bn_pair seen, next;
    uint32_t has_failed;
    __asm__ volatile("dmb ish\n"
                     "1: ldaxp %[seen_low], %[seen_high], %[pair]\n"
                     "cmp %[seen_low], %[expected_low]\n"
                     "ccmp %[seen_high], %[expected_high], #0, eq\n"
                     "csel %[next_low], %[desired_low], %[seen_low], eq\n"
                     "csel %[next_high], %[desired_high], %[seen_high], eq\n"
                     "stlxp %w[has_failed], %[next_low], %[next_high], %[pair]\n"
                     "cbnz %w[has_failed], 1b\n"
                     "dmb ish"
                     : [pair] "+Q"(*pair), [seen_low] "=&r"(seen.low), [seen_high] "=&r"(seen.high),
                       [next_low] "=&r"(next.low), [next_high] "=&r"(next.high), [has_failed] "=&r"(has_failed)
                     : [expected_low] "r"(expected_p->low), [expected_high] "r"(expected_p->high),
                       [desired_low] "r"(desired.low), [desired_high] "r"(desired.high)
                     : "memory", "cc");
    bool is_done = seen.low == expected_p->low && seen.high == expected_p->high;
    *expected_p = seen;
    return is_done;
}

#elif defined(__s390x__)

enum { BN_RMW_ORDERS_ALL = false, BN_HAS_ATOMIC_PAIRS = true };

static inline bool bn_pair_compare_exchange(struct bn_pair *pair, struct bn_pair *expected_p, struct bn_pair desired)
{
    unsigned __int128 expected, seen, next; /* of this type, for only these are in pairs of registers */
    __builtin_memcpy(&expected, expected_p, sizeof expected);
    __builtin_memcpy(&next, &desired, sizeof next);
    seen = expected;
    __asm__ volatile("cdsg %[seen], %[next], %[pair]"
                     : [seen] "+d"(seen), [pair] "+QS"(*pair)
                     : [next] "d"(next)
                     : "memory", "cc");
    __builtin_memcpy(expected_p, &seen, sizeof seen);
    return seen == expected;
}

#else

enum { BN_RMW_ORDERS_ALL = false, BN_HAS_ATOMIC_PAIRS = false };

/* Never called, because bn_pair_is_atomic is always false */
static inline bool bn_pair_compare_exchange(struct bn_pair *pair, struct bn_pair *expected_p, struct bn_pair desired)
{
    (void)pair, (void)expected_p, (void)desired;
    return false;
}

#endif

/* Whether bn_pair_compare_exchange works at this address.  If not, the caller must exclude other threads with a
 * lock. */
static inline bool bn_pair_is_atomic(const void *address)
{
    return BN_HAS_ATOMIC_PAIRS && (uint64_t)address % BN_ATOMIC_PAIR_ALIGN == 0;
}

#ifdef __cplusplus
}
#endif

#endif
