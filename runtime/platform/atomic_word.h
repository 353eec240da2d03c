/*
 * atomic_word.h: single words of memory that processes share, with the memory orders that layers other than sync need.
 *
 * The orders are those of C11, one meaning per name.  They are here and not in sync because boot, which must not
 * include sync, uses such words to tell the monitor how threads end.  Code that waits, or that orders more than one
 * word, belongs in sync.
 *
 *     _get, _set        order nothing but accesses to the word itself
 *     _see              afterwards, everything that the storing thread did before it stored the value is visible
 *     _show             everything that this thread did before is visible to a thread that sees the value
 *     _swap, _change,   both; one atomic operation each
 *     _add, _set_bits
 */
#ifndef BN_PLATFORM_ATOMIC_WORD_H
#define BN_PLATFORM_ATOMIC_WORD_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

static inline uint32_t bn_word_get(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void bn_word_set(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline uint32_t bn_word_see(const uint32_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void bn_word_show(uint32_t *word, uint32_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Returns the old value. */
static inline uint32_t bn_word_swap(uint32_t *word, uint32_t value)
{
    return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

/* Replaces *word by value if it equals *expected_p; otherwise sets *expected_p to the current value and returns
 * false. */
static inline bool bn_word_change(uint32_t *word, uint32_t *expected_p, uint32_t value)
{
    return __atomic_compare_exchange_n(word, expected_p, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Returns the sum. */
static inline uint32_t bn_word_add(uint32_t *word, uint32_t value)
{
    return __atomic_add_fetch(word, value, __ATOMIC_ACQ_REL);
}

static inline uint64_t bn_word64_get(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline void bn_word64_set(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELAXED);
}

static inline uint64_t bn_word64_see(const uint64_t *word)
{
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void bn_word64_show(uint64_t *word, uint64_t value)
{
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/* Like bn_word_change. */
static inline bool bn_word64_change(uint64_t *word, uint64_t *expected_p, uint64_t value)
{
    return __atomic_compare_exchange_n(word, expected_p, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Returns the sum. */
static inline uint64_t bn_word64_add(uint64_t *word, uint64_t value)
{
    return __atomic_add_fetch(word, value, __ATOMIC_ACQ_REL);
}

static inline uint64_t bn_word64_swap(uint64_t *word, uint64_t value)
{
    return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

/* Returns the old value. */
static inline uint64_t bn_word64_set_bits(uint64_t *word, uint64_t bits)
{
    return __atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL);
}

#ifdef __cplusplus
}
#endif

#endif
