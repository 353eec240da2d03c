/*
 * layout.h: the layout of shared arrays and the arithmetic of pointers into them, compared with the formulas of the
 * language.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include <upc.h>

#include "check.h"

/* The place of element i of an array with block size b: thread, phase, and offset in that thread's part */
struct place {
    long long thread, phase, offset;
};

static struct place place_of(long long i, long long b, long long elem)
{
    struct place place = {0, 0, i * elem};
    if (b > 0) {
        long long block = i / b;
        place.thread = block % THREADS;
        place.phase = i % b;
        place.offset = (block / THREADS * b + place.phase) * elem;
    }
    return place;
}

/* Whether the pointer has this place, in an array whose part on thread t begins at address field start[t] */
static inline void check_place(shared void *p, struct place place, const size_t *start, int line)
{
    if (upc_threadof(p) != (size_t)place.thread)
        check_failed("layout.h, thread", line, "upc_threadof", (long long)upc_threadof(p), place.thread);
    if (upc_phaseof(p) != (size_t)place.phase)
        check_failed("layout.h, phase", line, "upc_phaseof", (long long)upc_phaseof(p), place.phase);
    long long offset = (long long)(upc_addrfield(p) - start[place.thread]);
    if (offset != place.offset)
        check_failed("layout.h, address", line, "upc_addrfield", offset, place.offset);
}

/*
 * Defines test_<name>(): element addresses, all p + i, p - i, q - p and comparisons inside an array of block size B.
 * LAYOUT is the layout of the array as declared, QUALIFIER that of pointers to its elements.
 */
#define TEST_LAYOUT(NAME, LAYOUT, QUALIFIER, B, TOTAL)                                                   \
    static shared LAYOUT ELEM array_##NAME[TOTAL];                                                       \
    static void test_##NAME(void)                                                                        \
    {                                                                                                    \
        const long total = TOTAL;                                                                        \
        size_t start[THREADS];                                                                           \
        for (long t = 0; t < THREADS; t++)                                                               \
            start[t] = (B) > 0 && t * (B) < total ? upc_addrfield(&array_##NAME[t * (B)])                \
                                                  : upc_addrfield(&array_##NAME[0]);                     \
        EQ(upc_blocksizeof(array_##NAME), B);                                                            \
        EQ(upc_elemsizeof(array_##NAME), sizeof(ELEM));                                                  \
        EQ(sizeof array_##NAME, total * (long)sizeof(ELEM));                                             \
        for (long i = 0; i < total; i++) {                                                               \
            shared QUALIFIER ELEM *p = &array_##NAME[i];                                                 \
            check_place(p, place_of(i, B, sizeof(ELEM)), start, __LINE__);                               \
            for (long j = 0; j < total; j++) {                                                           \
                shared QUALIFIER ELEM *q = p + (j - i);                                                  \
                shared QUALIFIER ELEM *r = p - (i - j);                                                  \
                check_place(q, place_of(j, B, sizeof(ELEM)), start, __LINE__);                           \
                CHECK(q == &array_##NAME[j]);                                                            \
                CHECK(r == q && upc_phaseof(r) == upc_phaseof(q));                                       \
                CHECK(&p[j - i] == q);                                                                   \
                EQ(q - p, j - i);                                                                        \
                CHECK((q < p) == (j < i) && (q > p) == (j > i));                                         \
                CHECK((q <= p) == (j <= i) && (q >= p) == (j >= i));                                     \
                CHECK((q == p) == (j == i) && (q != p) == (j != i));                                     \
            }                                                                                            \
        }                                                                                                \
        EQ((&array_##NAME[0] + total) - &array_##NAME[0], total);                                        \
        upc_barrier;                                                                                     \
        long index;                                                                                      \
        upc_forall (index = 0; index < total; index++; &array_##NAME[index])                             \
            memset((void *)&array_##NAME[index], (int)(index % 251 + 1), sizeof(ELEM));                  \
        upc_barrier;                                                                                     \
        for (long i = 0; i < total; i++) {                                                               \
            ELEM element = array_##NAME[i];                                                              \
            EQ(*(unsigned char *)&element, i % 251 + 1);                                                 \
            for (size_t byte = 0; byte < sizeof(ELEM); byte++)                                           \
                EQ(((shared [] unsigned char *)&array_##NAME[i])[byte], i % 251 + 1);                    \
        }                                                                                                \
        upc_barrier;                                                                                     \
    }

#endif
