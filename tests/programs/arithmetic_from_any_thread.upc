// Clause: pointer arithmetic for pointers whose origin is not thread 0 (facts 1.9)
#include <upc.h>

#include "check.h"

static shared char *origin; /* one byte on each thread, in the middle of allocated memory */

#define TEST(B, TYPE)                                                                                           \
    /* one step forwards and back */                                                                            \
    static void test_steps_##B##TYPE(shared [B] TYPE *r)                                                        \
    {                                                                                                           \
        shared [B] TYPE *next = r, *previous = r;                                                               \
        CHECK(next++ == r && previous-- == r);                                                                  \
        CHECK(next == r + 1 && upc_threadof(next) == upc_threadof(r + 1) && upc_phaseof(next) == upc_phaseof(r + 1)); \
        CHECK(previous == r - 1 && upc_threadof(previous) == upc_threadof(r - 1) &&                             \
              upc_phaseof(previous) == upc_phaseof(r - 1));                                                     \
        CHECK(--next == r && ++previous == r && upc_phaseof(next) == upc_phaseof(r) &&                          \
              upc_threadof(previous) == upc_threadof(r));                                                       \
    }                                                                                                           \
    static void test_##B##TYPE(void)                                                                            \
    {                                                                                                           \
        for (int t = 0; t < THREADS; t++) {                                                                     \
            shared [B] TYPE *p = (shared [B] TYPE *)&origin[t];                                                 \
            EQ(upc_threadof(p), t);                                                                             \
            EQ(upc_phaseof(p), 0);                                                                              \
            for (long from = -40; from <= 40; from += 7)                                                        \
                for (long to = -70; to <= 70; to++) {                                                           \
                    shared [B] TYPE *q = p + from;                                                              \
                    shared [B] TYPE *r = q + (to - from);                                                       \
                    long x = t * (B) + to;                                                                      \
                    long row = floor_div(x, (B)*THREADS);                                                       \
                    long rest = x - row * (B)*THREADS;                                                          \
                    EQ(upc_threadof(r), rest / (B));                                                            \
                    EQ(upc_phaseof(r), rest % (B));                                                             \
                    shared char *same = &origin[rest / (B)];                                                    \
                    EQ((long)(upc_addrfield(r) - upc_addrfield(same)),                                          \
                       (long)((rest % (B) + row * (B)) * (long)sizeof(TYPE)));                                  \
                    EQ(r - q, to - from);                                                                       \
                    EQ(q - r, from - to);                                                                       \
                    test_steps_##B##TYPE(r);                                                                    \
                    CHECK((q < r) == (from < to) && (q >= r) == (from >= to));                                  \
                }                                                                                               \
        }                                                                                                       \
    }

typedef struct {
    char c[5];
} five;

TEST(1, char)
TEST(1, double)
TEST(2, int)
TEST(3, short)
TEST(5, double)
TEST(8, five)
TEST(64, five)

int main(void)
{
    shared [16384] char *memory = upc_all_alloc(THREADS, 16384);
    origin = (shared char *)(memory + 8192);
    test_1char();
    test_1double();
    test_2int();
    test_3short();
    test_5double();
    test_8five();
    test_64five();
    return finish();
}
