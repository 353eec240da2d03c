#include "sync/atomic.h"

uint32_t bn_atomic_masked_swap_u32(uint32_t *target, uint32_t mask, uint32_t value)
{
    uint32_t old = __atomic_load_n(target, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(target, &old, (old & ~mask) | (value & mask), 1, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
    return old;
}

uint64_t bn_atomic_masked_swap_u64(uint64_t *target, uint64_t mask, uint64_t value)
{
    uint64_t old = __atomic_load_n(target, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(target, &old, (old & ~mask) | (value & mask), 1, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
        ;
    return old;
}

/*
 * Floating types: the new value is computed from the one that was read, and stored if the old one is unchanged bit for
 * bit. A CSWAP whose comparison fails by value stores nothing.
 */
#define DEFINE_FLOATING(T)                                                                                             \
    static T next_##T(unsigned long op, T old, const T *a, const T *b)                                                 \
    {                                                                                                                  \
        switch (op) {                                                                                                  \
        case BN_ATOMIC_ADD: return old + *a;                                                                           \
        case BN_ATOMIC_SUB: return old - *a;                                                                           \
        case BN_ATOMIC_MULT: return old * *a;                                                                          \
        case BN_ATOMIC_INC: return old + 1;                                                                            \
        case BN_ATOMIC_DEC: return old - 1;                                                                            \
        case BN_ATOMIC_MIN: return *a < old ? *a : old;                                                                \
        case BN_ATOMIC_MAX: return *a > old ? *a : old;                                                                \
        case BN_ATOMIC_SET: return *a;                                                                                 \
        default: return *b;                                                                                            \
        }                                                                                                              \
    }                                                                                                                  \
                                                                                                                       \
    void bn_atomic_apply_##T(unsigned long op, T *fetch, T *target, const T *a, const T *b)                            \
    {                                                                                                                  \
        T old, next;                                                                                                   \
        __atomic_load(target, &old, __ATOMIC_RELAXED);                                                                 \
        do {                                                                                                           \
            if (op == BN_ATOMIC_GET || (op == BN_ATOMIC_CSWAP && !(old == *a)))                                        \
                break;                                                                                                 \
            next = next_##T(op, old, a, b);                                                                            \
        } while (!__atomic_compare_exchange(target, &old, &next, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED));              \
        if (fetch)                                                                                                     \
            *fetch = old;                                                                                              \
    }

DEFINE_FLOATING(float)
DEFINE_FLOATING(double)

/* Computes the new value from old; returns false if old is to stay */
static bool next_pair(unsigned long op, struct bn_pair old, const struct bn_pair *a, const struct bn_pair *b,
                      struct bn_pair *next_p)
{
    if (op == BN_ATOMIC_GET || (op == BN_ATOMIC_CSWAP && old.low != a->low))
        return false;
    *next_p = op == BN_ATOMIC_SET ? *a : *b;
    return true;
}

static struct bn_pair apply_by_processor(unsigned long op, struct bn_pair *target, const struct bn_pair *a,
                                         const struct bn_pair *b)
{
    /* A compare-exchange of {0, 0} with itself reads both words atomically. */
    struct bn_pair old = {0, 0}, next;
    bn_pair_compare_exchange(target, &old, old);
    while (next_pair(op, old, a, b, &next) && !bn_pair_compare_exchange(target, &old, next))
        ;
    return old;
}

static struct bn_pair apply_by_lock(unsigned long op, struct bn_pair *target, const struct bn_pair *a,
                                    const struct bn_pair *b, struct bn_spinlock *lock)
{
    struct bn_pair next;
    bn_spinlock_acquire(lock);
    struct bn_pair old = *target;
    if (next_pair(op, old, a, b, &next))
        *target = next;
    bn_spinlock_release(lock);
    return old;
}

static struct bn_spinlock *lock_for(struct bn_atomic_locks *locks, const struct bn_pair *target)
{
    enum { WORD_BYTES = 8 };
    return &locks->lock[(uint64_t)target / WORD_BYTES % BN_ATOMIC_LOCKS];
}

void bn_atomic_apply_pair(unsigned long op, struct bn_pair *fetch, struct bn_pair *target, const struct bn_pair *a,
                          const struct bn_pair *b, struct bn_atomic_locks *locks)
{
    struct bn_pair old = bn_pair_is_atomic(target) ? apply_by_processor(op, target, a, b)
                                                   : apply_by_lock(op, target, a, b, lock_for(locks, target));
    if (fetch)
        *fetch = old;
}
