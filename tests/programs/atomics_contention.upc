// Facts 2.9: no operation is lost when all threads work on one object.
#include <upc_strict.h>

#include "atomics.h"
#include "check.h"

enum { ROUNDS = FAR_TIMES(3000, 100) };

#define DEFINE_TEST(NAME, T, U, CODE)                                                                                 \
    static shared T sum_##NAME, up_down_##NAME, swaps_##NAME, largest_##NAME, smallest_##NAME;                        \
                                                                                                                      \
    static void test_##NAME(void)                                                                                     \
    {                                                                                                                 \
        upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(CODE, FLOATING_OPS, UPC_ATOMIC_HINT_THROUGHPUT);      \
        T last = 0;                                                                                                   \
        if (MYTHREAD == 0)                                                                                            \
            smallest_##NAME = 1000000;                                                                                \
        upc_barrier;                                                                                                  \
        for (int i = 1; i <= ROUNDS; i++) {                                                                           \
            T add = (T)(MYTHREAD + 1), mine = (T)(i * THREADS + MYTHREAD), seen, next;                                \
            upc_atomic_relaxed(domain, NULL, UPC_ADD, &sum_##NAME, &add, NULL);                                       \
            upc_atomic_strict(domain, NULL, i % 2 ? UPC_INC : UPC_DEC, &up_down_##NAME, NULL, NULL);                  \
            upc_atomic_relaxed(domain, NULL, UPC_MAX, &largest_##NAME, &mine, NULL);                                  \
            upc_atomic_relaxed(domain, NULL, UPC_MIN, &smallest_##NAME, &mine, NULL);                                 \
            upc_atomic_relaxed(domain, &seen, UPC_GET, &swaps_##NAME, NULL, NULL);                                    \
            for (;;) { /* an addition made of CSWAP */                                                                \
                T found;                                                                                              \
                next = seen + 1;                                                                                      \
                upc_atomic_strict(domain, &found, UPC_CSWAP, &swaps_##NAME, &seen, &next);                            \
                if (found == seen)                                                                                    \
                    break;                                                                                            \
                seen = found;                                                                                         \
            }                                                                                                         \
            CHECK(next > last); /* what a thread reads never goes back */                                             \
            last = next;                                                                                              \
        }                                                                                                             \
        upc_barrier;                                                                                                  \
        CHECK(sum_##NAME == (T)ROUNDS * (T)(THREADS * (THREADS + 1) / 2));                                            \
        CHECK(up_down_##NAME == 0);                                                                                   \
        CHECK(swaps_##NAME == (T)ROUNDS * (T)THREADS);                                                                \
        CHECK(largest_##NAME == (T)(ROUNDS * THREADS + THREADS - 1));                                                 \
        CHECK(smallest_##NAME == (T)THREADS);                                                                         \
        upc_all_atomicdomain_free(domain);                                                                            \
    }

ALL_INTEGER_TYPES(DEFINE_TEST)
ALL_FLOATING_TYPES(DEFINE_TEST)

#define TEST(NAME, T, U, CODE) test_##NAME();

/* Each thread sets and clears a bit of its own; the others' bits are unaffected. */
static void bits(void)
{
    static shared uint64_t word;
    upc_atomicdomain_t *domain = upc_all_atomicdomain_alloc(UPC_UINT64, UPC_OR | UPC_AND | UPC_XOR | UPC_GET, 0);
    uint64_t mine = (uint64_t)1 << MYTHREAD % 64, others = ~mine, before;
    upc_barrier;
    for (int i = 0; i < ROUNDS; i++) {
        upc_atomic_relaxed(domain, &before, UPC_OR, &word, &mine, NULL);
        CHECK(THREADS > 64 || !(before & mine));
        upc_atomic_relaxed(domain, &before, UPC_AND, &word, &others, NULL);
        CHECK(THREADS > 64 || (before & mine));
        upc_atomic_strict(domain, NULL, UPC_XOR, &word, &mine, NULL);
        upc_atomic_strict(domain, NULL, UPC_XOR, &word, &mine, NULL);
    }
    upc_barrier;
    CHECK(word == 0);
    upc_all_atomicdomain_free(domain);
}

int main(void)
{
    ALL_INTEGER_TYPES(TEST)
    ALL_FLOATING_TYPES(TEST)
    bits();
    return finish();
}
