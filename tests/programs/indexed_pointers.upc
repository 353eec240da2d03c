// Clause: elements through fixed pointers-to-shared by indices that come from memory, in loops (facts 1.7)
#include <upc_relaxed.h>

#include "check.h"

enum { N = 37, THREADS_MOST = 16 };

struct pair { /* aligned to 4 bytes, so that pairs may begin in the middle of a pair */
    int a, b;
};

struct triple {
    int a, b, c;
};

struct three {
    char c[3];
};

static long list[N * THREADS_MOST]; /* 0 .. N * THREADS - 1, in another order */

/* Begins `bytes` after an address that is the same on every thread. */
static shared char *take(size_t elem, size_t bytes)
{
    shared [] char *taken = (shared [] char *)upc_all_alloc(THREADS, N * elem + bytes);
    CHECK(taken != NULL);
    return (shared char *)(taken + bytes);
}

/* p begins on many threads; the elements read are before and after it. */
#define TEST(T, bytes, value, read)                                                                                    \
    do {                                                                                                               \
        shared T *first = (shared T *)take(sizeof(T), bytes);                                                          \
        upc_forall (long i = 0; i < n; i++; &first[i])                                                                 \
            first[i] = value;                                                                                          \
        upc_barrier;                                                                                                   \
        for (long begin = 0; begin < n; begin += 1 + begin / 3) {                                                      \
            shared T *p = first + begin;                                                                               \
            long wrong = 0;                                                                                            \
            for (long k = 0; k < n; k++)                                                                               \
                wrong += p[list[k] - begin] read != list[k] % 100;                                                     \
            for (int k = 0; k < n; k++)                                                                                \
                wrong += p[((unsigned)k * 7u) % (unsigned)(n - begin)] read !=                                         \
                         (begin + (long)(((unsigned)k * 7u) % (unsigned)(n - begin))) % 100;                           \
            EQ(wrong, 0);                                                                                              \
        }                                                                                                              \
        upc_barrier;                                                                                                   \
    } while (0)

int main(void)
{
    long n = (long)N * THREADS;
    CHECK(THREADS <= THREADS_MOST);
    for (long i = 0; i < n; i++)
        list[i] = (i * 1009 + 3) % n;
    TEST(double, 0, (double)(i % 100), );
    TEST(double, 24, (double)(i % 100), );
    TEST(long double, 48, (long double)(i % 100), );
    TEST(int, 4, (int)(i % 100), );
    TEST(short, 2, (short)(i % 100), );
    TEST(char, 1, (char)(i % 100), );
    TEST(struct pair, 0, ((struct pair){-1, (int)(i % 100)}), .b);
    TEST(struct pair, 4, ((struct pair){-1, (int)(i % 100)}), .b);
    TEST(struct triple, 20, ((struct triple){-1, -2, (int)(i % 100)}), .c);
    TEST(struct three, 5, ((struct three){{-1, -2, (char)(i % 100)}}), .c[2]);
    return finish();
}
